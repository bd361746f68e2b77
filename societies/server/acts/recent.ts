import type { Client, Organiser } from '../action.ts'
import type { AssessmentRow } from '../assessments.ts'
import { describeGiven } from './time-words.ts'

/** How far back acts on time are told to who is about to do one, milliseconds. */
const RECENT_MS = 15 * 60_000
/** How many of them. */
const RECENT_LIMIT = 5

/** What organisers did about time a moment ago, the newest first: two shall not give the same minutes twice. */
export async function readRecent(
  client: Client,
  { code, societyId }: AssessmentRow,
  { now, actor, userId }: Organiser,
): Promise<{ at: string; by: string; isYou: boolean; text: string }[]> {
  const { rows } = await client.query<{
    at: Date
    actor: string
    userId: string | null
    action: string
    detail: Record<string, unknown>
  }>(
    `select at, actor, user_id as "userId", action, detail from admin_actions
     where society_id = $1 and assessment = $2 and at > $3
       and action in ('give-time', 'plan-time', 'end-at', 'reopen', 'end-now', 'undo-time')
     order by id desc limit ${RECENT_LIMIT}`,
    [societyId, code, new Date(now.getTime() - RECENT_MS)],
  )
  return rows.flatMap(({ at, actor: by, userId: who, action, detail }) => {
    const told = describeGiven(action, detail)
    const isYou = userId ? who === userId : who === null && by === actor
    return told ? [{ at: at.toISOString(), by, isYou, text: told.text }] : []
  })
}
