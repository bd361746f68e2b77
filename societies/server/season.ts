import { act, type Organiser } from './action.ts'
import { requireAssessment } from './assessments.ts'
import { removeDemoCandidates } from './authoring/demo.ts'
import { removeUnusedPictures } from './questions/pictures.ts'
import { OrganiserRefusal } from './refusal.ts'

export interface Deleted {
  candidates: number
  attempts: number
  events: number
  items: number
}

/**
 * Deletes a whole season: attempts with answers and events, candidates, items, the assessment itself. In
 * the audit log stays what was done and when, without names and reasons.
 * Errors: OrganiserRefusal, also while somebody is inside (product 7.5.8).
 * @param confirm the code once more, as somebody who means it has typed it
 */
export function deleteAssessment(
  organiser: Organiser,
  code: string,
  confirm: string,
): Promise<Deleted> {
  return act(organiser, 'delete', code, async (client) => {
    requireConfirmation(code, confirm)
    const { societyId } = await requireAssessment(client, code, 'replace')
    const { rows } = await client.query<{ username: string }>(
      `select c.username from attempts a join candidates c on c.id = a.candidate_id
       where a.assessment = $1 and a.submitted_at is null and not a.is_demo
       order by a.deadline_at limit 1`,
      [code],
    )
    if (rows[0]) {
      throw new OrganiserRefusal('still_inside', { assessment: code, username: rows[0].username })
    }
    const count = async (text: string) => (await client.query(text, [code])).rowCount ?? 0
    const events = await count(
      `delete from attempt_events e using candidates c
       where c.id = e.candidate_id and c.assessment = $1`,
    )
    const attempts = await count('delete from attempts where assessment = $1')
    const candidates = await count('delete from candidates where assessment = $1')
    const items = await count('delete from assessment_items where assessment = $1')
    await count('delete from assessments where code = $1')
    await removeUnusedPictures(client, societyId, organiser.now)
    // Names and reasons ('dyslexia') are what a deletion is for; the next season may use the code again.
    await count(`update admin_actions set detail = '{}' where assessment = $1`)
    const deleted = { candidates, attempts, events, items }
    return { result: deleted, detail: { ...deleted } }
  })
}

/**
 * Deletes the demo candidates of an assessment and what they did; everything else stays.
 * Errors: OrganiserRefusal.
 */
export function deleteDemo(organiser: Organiser, code: string, confirm: string): Promise<number> {
  return act(organiser, 'delete-demo', code, async (client) => {
    requireConfirmation(code, confirm)
    await requireAssessment(client, code, 'change')
    const candidates = await removeDemoCandidates(client, code)
    return { result: candidates, detail: { candidates } }
  })
}

function requireConfirmation(code: string, confirm: string): void {
  if (confirm !== code) throw new OrganiserRefusal('not_confirmed', { assessment: code })
}
