import { itemFlags, optionTable, shownFlags } from '../../statistics/option-table.ts'
import type { Client } from '../action.ts'
import type { AnswerTable } from '../results/answer-table.ts'
import { eachForm } from './sat.ts'

/**
 * Positions of questions whose key is probably wrong and was not ruled on or confirmed since (product 7.18.5).
 * @param table of this assessment, as the caller has read it
 */
export async function findSuspiciousKeys(
  client: Client,
  code: string,
  table: AnswerTable,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select i.id from assessment_items i where i.assessment = $1 and (
       exists (select from standing_rulings r where r.item_id = i.id)
       or exists (select from key_confirmations k where k.item_id = i.id and k.withdrawn_at is null))`,
    [code],
  )
  const settled = new Set(rows.map(({ id }) => id))
  return suspiciousKeysOf(table)
    .filter(({ id }) => !settled.has(id))
    .map(({ position }) => position)
}

/** The questions whose key is probably wrong, as far as the group is large enough to say so. */
function suspiciousKeysOf(table: AnswerTable): AnswerTable['items'] {
  const found = new Set(
    eachForm(table).flatMap(({ items, rows, responses, scores }) =>
      scores.items.flatMap((item, column) => {
        const flags = itemFlags(optionTable(responses, scores, column))
        const isSuspicious = shownFlags(flags, rows.length).some(
          ({ kind }) => kind === 'key-suspicious',
        )
        return isSuspicious ? [items[item]?.id] : []
      }),
    ),
  )
  return table.items.filter(({ id }) => found.has(id))
}
