import { requireAssessment } from '../../../access/server/assessments.ts'
import type { MemberInTest } from '../../../access/server/serve-members.ts'
import { act, requireReason } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import { requireItem } from '../regrade.ts'

/**
 * Confirms a key that seems wrong, with a reason: the notice ends, and results no longer wait for it
 * (product 7.18.12).
 * Errors: 409 already_kept.
 */
export function keepKey(organiser: MemberInTest, item: number, reason: string) {
  const { code } = organiser
  return act(organiser, 'keep-key', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code, 'change')
    const { id } = await requireItem(client, code, item)
    const { rowCount } = await client.query(
      `insert into key_confirmations (item_id, reason, confirmed_by, confirmed_at)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [id, why, organiser.actor, organiser.now],
    )
    if (rowCount === 0) {
      throw refuse(409, 'already_kept', `The key of question ${item} is already confirmed.`)
    }
    return { result: { item }, detail: { item, reason: why } }
  })
}

/** Withdraws the confirmation: the notice is back. */
export function doubtKey(organiser: MemberInTest, item: number) {
  const { code } = organiser
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
