import { note, type Organiser } from '../../kit/server/action.ts'

/** How often the same of one member is noted, milliseconds. */
const NOTED_EVERY_MS = 3_600_000

/**
 * Notes once an hour that a member has seen the keys of a test, or has answered its questions without them
 * (product 7.9.2, 7.9.40).
 */
export async function noteOnceAnHour(
  organiser: Organiser & { userId: string },
  { societyId, code }: { societyId: string; code: string },
  action: 'read-keys' | 'check-keys',
): Promise<void> {
  const { db, now, userId } = organiser
  const { rowCount } = await db.$client.query(
    `select from admin_actions where user_id = $1 and assessment = $2 and action = $5
       and society_id = $3 and at > $4 limit 1`,
    [userId, code, societyId, new Date(now.getTime() - NOTED_EVERY_MS), action],
  )
  if (rowCount === 1) return
  await note(db.$client, organiser, { action, societyId, code, detail: {} })
}
