import { type Act, may, type Role } from '../../roles.ts'
import { type Client, type Organiser, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'

/**
 * The room to which a member's act is bound: an invigilator's who has one, and no other role that may do the
 * same (product 7.12.7). Null: every room.
 */
export function readOwnRoom(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  { userId, societyId, code }: { userId: string; societyId: string; code: string },
  act: Act,
): Promise<string | null> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<{ role: Role; room: string | null }>(
      `select m.role, m.room from memberships m join assessments a on a.code = $4
       where m.user_id = $1 and m.society_id = $2 and ${IN_FORCE(3)} and ${REACHES}`,
      [userId, societyId, now, code],
    )
    const able = rows.filter(({ role }) => may(role, act) !== null)
    return able.length > 0 && able.every(({ room }) => room !== null)
      ? (able[0]?.room ?? null)
      : null
  })
}

/** Whom an act is for. */
export interface To {
  candidates: readonly string[] | null
  room: string | null
}

/** Errors: OrganiserRefusal not_your_room where somebody of another room than `room` is meant. */
export async function requireInRoom(
  client: Client,
  code: string,
  to: To,
  room: string | null,
): Promise<void> {
  if (room === null) return
  const refused = () => new OrganiserRefusal('not_your_room', { room })
  if (to.candidates === null) {
    if (to.room !== room) throw refused()
    return
  }
  const { rowCount } = await client.query(
    `select from candidates where assessment = $1 and id = any ($2::uuid[])
       and room is distinct from $3 limit 1`,
    [code, to.candidates, room],
  )
  if (rowCount !== 0) throw refused()
}
