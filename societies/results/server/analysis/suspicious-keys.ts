import type { AnswerTable } from '../../../incidents/server/answer-table.ts'
import { eachForm } from '../../../incidents/server/sat.ts'
import type { Client } from '../../../kit/server/action.ts'
import { itemFlags, optionTable, shownFlags } from '../../../kit/statistics/option-table.ts'

/**
 * Positions of questions whose key is probably wrong and has no ruling or confirmation since (product 7.18.5), as far
 * as the group is large enough to tell.
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
  const suspicious = new Set(
    eachForm(table).flatMap(({ items, rows: people, responses, scores }) =>
      scores.items.flatMap((item, column) => {
        const flags = itemFlags(optionTable(responses, scores, column))
        const shown = shownFlags(flags, people.length)
        return shown.some(({ kind }) => kind === 'key-suspicious') ? [items[item]?.id] : []
      }),
    ),
  )
  return table.items
    .filter(({ id }) => suspicious.has(id) && !settled.has(id))
    .map(({ position }) => position)
}
