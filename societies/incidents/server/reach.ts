import type { MemberInTest } from '../../access/server/serve-members.ts'
import { type Act, extentOf, roomOf } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'

/** Whether one of the member's roles allows an act without any limit. */
export const mayAll = ({ roles }: Pick<MemberInTest, 'roles'>, act: Act): boolean =>
  extentOf(roles, act) === 'all'

/** The only room whose candidates an invigilator reaches; null: every room (product 7.12.7). */
export const ownRoom = ({ roles }: Pick<MemberInTest, 'roles'>): string | null =>
  roomOf(roles, 'watch_live')

/** Whether a room is one that the member looks after. */
export function reaches(member: Pick<MemberInTest, 'roles'>, room: string | null): boolean {
  const own = ownRoom(member)
  return own === null || own === room
}

/** Whether a member reads keys and questions now: reviewers once nobody can take the test (product 7.7.4). */
export async function mayReadKeys(
  client: Client,
  member: Pick<MemberInTest, 'roles' | 'code' | 'now'>,
): Promise<boolean> {
  const limits = extentOf(member.roles, 'read_keys')
  if (limits === 'all' || !limits.includes('after_close')) return limits === 'all'
  const { rows } = await client.query<{ isOver: boolean }>(
    `select coalesce(a.closes_at <= $2, false) and not exists (
       select from attempts t where t.assessment = a.code and t.submitted_at is null and not t.is_demo
     ) as "isOver" from assessments a where a.code = $1`,
    [member.code, member.now],
  )
  return rows[0]?.isOver ?? false
}
