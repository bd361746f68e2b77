import { note, type Organiser } from '../action.ts'
import type { Place } from './stored.ts'

/** How often one member's reading of the same keys is noted, milliseconds. */
const NOTED_EVERY_MS = 3_600_000

/** Notes that a member has seen the keys of a test that is not closed (product 7.9.2): once an hour. */
export async function noteKeysRead(
  organiser: Organiser & { userId: string },
  { societyId, code }: Place,
): Promise<void> {
  const { db, now, userId } = organiser
  const { rowCount } = await db.$client.query(
    `select from admin_actions where user_id = $1 and assessment = $2 and action = 'read-keys'
       and society_id = $3 and at > $4 limit 1`,
    [userId, code, societyId, new Date(now.getTime() - NOTED_EVERY_MS)],
  )
  if (rowCount === 1) return
  await note(db.$client, organiser, { action: 'read-keys', societyId, code, detail: {} })
}
