import type { OptionLetter } from '../../../platform/options.ts'
import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { findChanges, type ResultChange, summariseChanges } from './changed-results.ts'

/** Another option counts as right too; or the item counts for nobody; or earlier rulings are lifted. */
export type Ruling = { accept: OptionLetter } | { void: true } | { withdraw: true }

export interface Regraded {
  item: number
  question: string
  /** options that count as right from now on; empty for an item that counts for nobody */
  keys: OptionLetter[]
  changes: ResultChange[]
  /** who is still inside: the ruling holds for them too */
  openCount: number
}

/**
 * Rules on an item after the run (product 7.5.5, 7.5.6). Results are derived, so they follow at once.
 * Errors: OrganiserRefusal.
 * @param item its number in the table, not on a candidate's shuffled paper
 */
export function regradeItem(
  organiser: Organiser,
  code: string,
  item: number,
  ruling: Ruling,
  reason: string,
): Promise<Regraded> {
  return act(organiser, 'regrade', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    const stored = await requireItem(client, code, item)
    const isVoid = stored.rulings.includes(null)
    const keys = new Set([stored.key, ...stored.rulings.filter((option) => option !== null)])
    const changes = await findChanges(client, code, async () => {
      if ('withdraw' in ruling) {
        if (stored.rulings.length === 0) throw new OrganiserRefusal('nothing_ruled', { item })
        await client.query(
          `update item_rulings set withdrawn_at = $2, withdrawn_by = $3, withdraw_reason = $4
           where item_id = $1 and withdrawn_at is null and not is_proposal`,
          [stored.id, organiser.now, organiser.actor, why],
        )
        return
      }
      if (isVoid) throw new OrganiserRefusal('already_void', { item })
      const accepted = 'accept' in ruling ? ruling.accept : null
      if (accepted && keys.has(accepted)) {
        throw new OrganiserRefusal('already_right', { item, option: accepted })
      }
      await client.query(
        `insert into item_rulings (item_id, kind, accepted_option, reason, made_by, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [stored.id, accepted ? 'accept' : 'void', accepted, why, organiser.actor, organiser.now],
      )
    })
    const after = await requireItem(client, code, item)
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from attempts where assessment = $1 and submitted_at is null`,
      [code],
    )
    return {
      result: {
        item,
        question: stored.question,
        keys: after.rulings.includes(null)
          ? []
          : [...new Set([after.key, ...after.rulings.filter((option) => option !== null)])].sort(),
        changes,
        openCount: rows[0]?.count ?? 0,
      },
      detail: { item, ...ruling, reason: why, changes: summariseChanges(changes) },
    }
  })
}

async function requireItem(client: Client, code: string, position: number) {
  const { rows } = await client.query<{
    id: number
    question: string
    key: OptionLetter
    rulings: (OptionLetter | null)[]
  }>(
    `select id, question, correct_option as key,
       array(select accepted_option from standing_rulings r where r.item_id = i.id order by r.id) as rulings
     from assessment_items i where assessment = $1 and position = $2`,
    [code, position],
  )
  if (rows[0]) return rows[0]
  throw new OrganiserRefusal('no_such_item', { assessment: code, item: position })
}
