import { type Act, mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'

/** How far a member gets into an assessment's incidents. */
export interface Reach {
  roles: Role[]
  /** whose candidates alone; null: everybody's (product 7.12.7) */
  room: string | null
}

/** A member's roles in force for an assessment; an invigilator with a room, and nothing else, has that room. */
export async function readReach(
  client: Client,
  code: string,
  { userId, now }: { userId: string; now: Date },
): Promise<Reach> {
  const { rows } = await client.query<{ role: Role; room: string | null }>(
    `select m.role, m.room from memberships m join assessments a on a.code = $1
     where m.user_id = $2 and ${IN_FORCE(3)} and ${REACHES}`,
    [code, userId, now],
  )
  const isHeld = rows.length > 0 && rows.every(({ role }) => role === 'invigilator')
  return { roles: rows.map(({ role }) => role), room: isHeld ? (rows[0]?.room ?? null) : null }
}

/** Whether one of the roles allows an act without any limit. */
export const mayAll = ({ roles }: Reach, act: Act): boolean => mayWith(roles, act) === 'all'

/** Whether a candidate's room is one that the member looks after. */
export const reaches = ({ room }: Reach, candidate: { room: string | null }): boolean =>
  room === null || candidate.room === room

/** Whether nobody can sit an assessment any more: its last moment to start has passed, and nobody is inside. */
export async function isOver(client: Client, code: string, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ isOver: boolean }>(
    `select coalesce(a.closes_at <= $2, false) and not exists (
       select from attempts t where t.assessment = a.code and t.submitted_at is null and not t.is_demo
     ) as "isOver" from assessments a where a.code = $1`,
    [code, now],
  )
  return rows[0]?.isOver ?? false
}

/**
 * Whether a member reads keys and stems now: reviewers when nobody can sit the test any more (product 7.7.4).
 */
export async function mayReadKeys(
  client: Client,
  code: string,
  reach: Reach,
  now: Date,
): Promise<boolean> {
  if (mayAll(reach, 'read_keys')) return true
  const extent = mayWith(reach.roles, 'read_keys')
  return extent !== 'all' && extent.includes('after_close') && isOver(client, code, now)
}
