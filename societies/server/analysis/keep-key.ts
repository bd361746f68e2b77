import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'

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
    const { rowCount } = await client.query(
      `insert into key_confirmations (item_id, reason, confirmed_by, confirmed_at)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [await requireItem(client, code, item), why, organiser.actor, organiser.now],
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
    await client.query(
      `update key_confirmations set withdrawn_at = $2, withdrawn_by = $3
       where item_id = $1 and withdrawn_at is null`,
      [await requireItem(client, code, item), organiser.now, organiser.actor],
    )
    return { result: { item }, detail: { item } }
  })
}

async function requireItem(client: Client, code: string, position: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'select id from assessment_items where assessment = $1 and position = $2',
    [code, position],
  )
  if (rows[0]) return rows[0].id
  throw new OrganiserRefusal('no_such_item', { assessment: code, item: position })
}
