import { act, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireItem } from '../results/regrade.ts'

/**
 * Says that a key that seems wrong is right, with a reason: the notice ends, and results wait for it no more
 * (product 7.18.12).
 * Errors: OrganiserRefusal.
 */
export function keepKey(
  organiser: Organiser,
  code: string,
  item: number,
  reason: string,
): Promise<{ item: number }> {
  return act(organiser, 'keep-key', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    const { id } = await requireItem(client, code, item)
    const { rowCount } = await client.query(
      `insert into key_confirmations (item_id, reason, confirmed_by, confirmed_at)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [id, why, organiser.actor, organiser.now],
    )
    if (rowCount === 0) throw new OrganiserRefusal('already_kept', { item })
    return { result: { item }, detail: { item, reason: why } }
  })
}

/** Takes that back: the notice is there again. Errors: OrganiserRefusal. */
export function doubtKey(
  organiser: Organiser,
  code: string,
  item: number,
): Promise<{ item: number }> {
  return act(organiser, 'doubt-key', code, async (client) => {
    await requireAssessment(client, code, 'change')
    const { id } = await requireItem(client, code, item)
    await client.query(
      `update key_confirmations set withdrawn_at = $2, withdrawn_by = $3
       where item_id = $1 and withdrawn_at is null`,
      [id, organiser.now, organiser.actor],
    )
    return { result: { item }, detail: { item } }
  })
}
