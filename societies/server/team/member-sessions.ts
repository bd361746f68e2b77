import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { endSessions, resetFactor } from '../../../accounts/server/second-factor-store.ts'
import { enqueueMail } from '../../../platform/server/mail-queue.ts'
import { needsSecondFactor, type Role } from '../../roles.ts'
import { actInSociety, type Client, type Organiser, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { IN_FORCE } from './guard.ts'
import { requireMember } from './members.ts'
import { requireSociety } from './societies.ts'

/** The queue's name of the mail that tells a member; about the society. */
export const FACTOR_RESET_MAIL = 'second_factor_reset'
const MAIL_LIMIT = { count: 5, withinMs: 3_600_000 }

/**
 * Takes the second factor of another member away, who has lost phone and codes, and ends the member's
 * sessions; a mail says so (product 7.13.6). Not where it guards another society's questions too: an owner
 * there has no say here, and whoever founds a society could invite anybody to it.
 * Errors: OrganiserRefusal.
 * @param id of the membership
 */
export function resetMemberFactor(
  organiser: Organiser,
  societyId: string,
  id: string,
): Promise<void> {
  return actInSociety(organiser, 'reset-second-factor', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    if (userId === organiser.userId) throw new OrganiserRefusal('own_factor', {})
    const { rows } = await client.query<{ role: Role }>(
      `select m.role from memberships m
       where m.user_id = $1 and m.society_id <> $2 and ${IN_FORCE(3)}`,
      [userId, societyId, organiser.now],
    )
    if (needsSecondFactor(rows.map(({ role }) => role))) {
      throw new OrganiserRefusal('roles_elsewhere', { email })
    }
    await reset(client, organiser, { societyId, userId, email })
    return { result: undefined, detail: { member: email } }
  })
}

/** The same by whoever runs the server, for any member (product 7.13.7). Errors: OrganiserRefusal. */
export async function resetFactorAtKeyboard(
  organiser: Organiser,
  name: string,
  typed: string,
): Promise<void> {
  const { id: societyId } = await read(organiser, (client) => requireSociety(client, name))
  return actInSociety(organiser, 'reset-second-factor', societyId, async (client) => {
    const email = typed.trim().toLowerCase()
    const { rows } = await client.query<{ userId: string }>(
      `select u.id as "userId" from users u where u.email = $1 and exists (
         select from memberships m where m.user_id = u.id and m.society_id = $2 and m.ended_at is null)`,
      [email, societyId],
    )
    if (!rows[0]) throw new OrganiserRefusal('no_such_member', {})
    await reset(client, organiser, { societyId, userId: rows[0].userId, email })
    return { result: undefined, detail: { member: email } }
  })
}

async function reset(
  client: Client,
  { now }: Organiser,
  { societyId, userId, email }: { societyId: string; userId: string; email: string },
): Promise<void> {
  if (!(await resetFactor(client, userId))) throw new OrganiserRefusal('no_factor', { email })
  const mail = { kind: FACTOR_RESET_MAIL, recipient: email, about: societyId, now }
  await enqueueMail(drizzle(client as pg.PoolClient), mail, MAIL_LIMIT)
}

/** Ends all sessions of a member, who signs in again. Errors: OrganiserRefusal. */
export function signMemberOut(organiser: Organiser, societyId: string, id: string): Promise<void> {
  return actInSociety(organiser, 'sign-member-out', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    const sessions = await endSessions(client, userId)
    return { result: undefined, detail: { member: email, sessions } }
  })
}
