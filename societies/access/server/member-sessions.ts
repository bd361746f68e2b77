import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { endSessions, resetFactor } from '../../../accounts/server/proof-store.ts'
import { enqueueMail } from '../../../platform/server/mail-queue.ts'
import { needsSecondFactor, type Role } from '../../kit/roles.ts'
import { actInSociety, type Client, type Organiser, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { inForce } from './guard.ts'
import { requireMember } from './members.ts'
import type { Member } from './serve-members.ts'
import { requireSociety } from './societies.ts'

/** The queue's name of the mail that tells a member; about the society. */
export const FACTOR_RESET_MAIL = 'second_factor_reset'
const MAIL_LIMIT = { count: 5, withinMs: 3_600_000 }

/**
 * Removes the second factor of another member, who has lost phone and codes, and ends the member's sessions; a mail
 * says so (product 7.13.6). Not where it guards another society's questions too: an owner here has no say there, and
 * anyone who founds a society could invite anyone to it.
 * Errors: those of requireMember; 409 own_factor, roles_elsewhere, no_factor.
 * @param id of the membership
 */
export function resetMemberFactor(organiser: Member, id: string): Promise<void> {
  const { societyId, now } = organiser
  return actInSociety(organiser, 'reset-second-factor', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    if (userId === organiser.userId) {
      const sentence = 'Your own second factor is in your Personal Hub. Remove it there.'
      throw refuse(409, 'own_factor', sentence)
    }
    const { rows } = await client.query<{ role: Role }>(
      sql`select m.role from memberships m
        where m.user_id = ${userId} and m.society_id <> ${societyId} and ${inForce(now)}`,
    )
    if (needsSecondFactor(rows.map(({ role }) => role))) {
      throw refuse(
        409,
        'roles_elsewhere',
        `${email} helps another society too, whose questions the second factor guards as well. Please ask whoever runs Superday here to reset it.`,
      )
    }
    await reset(client, { societyId, userId, email, now })
    return { result: undefined, detail: { member: email } }
  })
}

/** The same at the command line, for any member (product 7.13.7). Errors: 404 no_such_member, 409 no_factor. */
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
    if (!rows[0]) throw refuse(404, 'no_such_member', `${email} has no role in ${name.trim()}.`)
    await reset(client, { societyId, userId: rows[0].userId, email, now: organiser.now })
    return { result: undefined, detail: { member: email } }
  })
}

async function reset(
  client: Client,
  {
    societyId,
    userId,
    email,
    now,
  }: Record<'societyId' | 'userId' | 'email', string> & { now: Date },
): Promise<void> {
  if (!(await resetFactor(client, userId))) {
    throw refuse(409, 'no_factor', `${email} has no second factor.`)
  }
  const mail = { kind: FACTOR_RESET_MAIL, recipient: email, about: societyId, now }
  await enqueueMail(drizzle(client as pg.PoolClient), mail, MAIL_LIMIT)
}

/** Ends all sessions of a member, who then has to sign in again. Errors: those of requireMember. */
export function signMemberOut(organiser: Member, id: string): Promise<void> {
  const { societyId } = organiser
  return actInSociety(organiser, 'sign-member-out', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    const sessions = await endSessions(client, userId)
    return { result: undefined, detail: { member: email, sessions } }
  })
}
