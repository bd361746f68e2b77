import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import { type Act, type HeldRole, mayWith, type Role, roomOf } from '../../roles.ts'
import type { Client, Organiser } from '../action.ts'

/** How far a member gets into an assessment's incidents. */
export interface Reach {
  roles: Role[]
  /** whose candidates alone; null: everybody's (product 7.12.7) */
  room: string | null
}

/** The member who makes a call about incidents. */
export interface Member extends Organiser {
  userId: string
  reach: Reach
}

/** How far the roles of a call's member get. */
export function reachOf({ roles }: Pick<CurrentOrganiser, 'roles'>): Reach {
  const held = roles as readonly HeldRole[]
  return { roles: held.map(({ role }) => role), room: roomOf(held, 'watch_live') }
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
