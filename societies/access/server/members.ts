import { randomUUID } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { endStanding, resetFactor } from '../../../accounts/server/proof-store.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { enqueueMail } from '../../../platform/server/mail-queue.ts'
import { needsSecondFactor, type Role } from '../../kit/roles.ts'
import {
  actInSociety,
  type Client,
  readLastLogged,
  readRows,
  staleError,
} from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import { inForce } from './guard.ts'
import type { Member } from './serve-members.ts'

export interface Scope {
  /** The code of a test; null for the whole society. */
  assessment: string | null
  /** The invigilator's room; null or omitted means every room. */
  room?: string | null
}

export const DONE = { done: true } as const
export type Done = typeof DONE

type ListedRole = Sendable<ResponseOf<typeof contract.listMembers>[number]>

/** Lists a society's current and past roles, owners first. Roles of deleted accounts are gone. */
export const listMembers = (organizer: Member): Promise<ListedRole[]> =>
  readRows<ListedRole>(
    organizer,
    sql`select m.id, m.user_id as "userId", split_part(u.email, '@', 1) as name, u.email, m.role, m.assessment, m.room,
        m.created_at as "createdAt", m.ended_at as "endedAt", exists (
          select from second_factors f where f.user_id = u.id and f.verified_at is not null
        ) as "hasFactor", (${inForce(organizer.now)}) as "isInForce"
      from memberships m join users u on u.id = m.user_id
      where m.society_id = ${organizer.societyId} and not u.is_anonymous
      order by m.ended_at is not null, m.role <> 'owner', u.email, m.created_at`,
  )

/** Locks a society against concurrent member changes, so that two owners who end each other's roles leave one owner. */
export async function holdMembers(client: Client, societyId: string): Promise<void> {
  await client.query('select from societies where id = $1 for no key update', [societyId])
}

/** Errors: 409 last_owner if no owner is left (product 7.7.8). */
async function requireOwner(client: Client, { societyId, now }: Member): Promise<void> {
  const { rowCount } = await client.query(
    sql`select from memberships m join users u on u.id = m.user_id
      where m.society_id = ${societyId} and m.role = 'owner' and ${inForce(now)} and not u.is_anonymous limit 1`,
  )
  if (rowCount === 0) {
    const sentence =
      'A society keeps at least one owner, who can let others in. Invite another owner first.'
    throw refuse(409, 'last_owner', sentence)
  }
}

/** Errors: 400 room_without_role, owner_is_unlimited, not_of_society for a test that the society doesn't have. */
export async function requireScope(
  client: Client,
  { societyId, roles }: { societyId: string; roles: readonly Role[] },
  { assessment, room }: Scope,
): Promise<void> {
  if (room && !roles.includes('invigilator')) {
    throw refuse(400, 'room_without_role', 'Only an invigilator has a room.')
  }
  if (assessment === null) return
  if (roles.includes('owner')) {
    const sentence = 'An owner has the whole society. Choose another role for one test.'
    throw refuse(400, 'owner_is_unlimited', sentence)
  }
  const { rowCount } = await client.query(
    sql`select from assessments
     where society_id = ${societyId} and code = ${assessment} and trial is null and deleted_at is null`,
  )
  if (rowCount === 0) {
    throw refuse(400, 'not_of_society', `The society has no test with the code ${assessment}.`)
  }
}

/** Grants a role and removes none. A new room for the same test replaces the earlier one. */
export async function grantRole(
  client: Client,
  { societyId, userId, role, now }: { societyId: string; userId: string; role: Role; now: Date },
  { assessment, room = null }: Scope,
): Promise<void> {
  await client.query(
    sql`insert into memberships as m (id, society_id, user_id, role, assessment, room, created_at)
     values (${randomUUID()}, ${societyId}, ${userId}, ${role}, ${assessment},
     ${role === 'invigilator' ? room : null}, ${now})
     on conflict (user_id, society_id, role, coalesce(assessment, '')) where ended_at is null
     do update set room = case when m.room is not null then excluded.room end
     where m.room is distinct from excluded.room`,
  )
}

/** Returns an active role. @param id of the membership. Errors: 404 no_such_member. */
async function requireMember(client: Client, societyId: string, id: string) {
  const { rows } = await client.query<{
    userId: string
    email: string
    role: Role
    assessment: string | null
    room: string | null
  }>(
    sql`select m.user_id as "userId", u.email, m.role, m.assessment, m.room
     from memberships m join users u on u.id = m.user_id
     where m.society_id = ${societyId} and m.id = ${id} and m.ended_at is null and not u.is_anonymous`,
  )
  if (rows[0]) return rows[0]
  throw refuse(404, 'no_such_member', 'This role does not exist, or it has ended.')
}

/**
 * Changes a role, its scope and its room. Errors: those of requireMember, requireScope and requireOwner; 409 role_held,
 * and stale if the role isn't as it was loaded (product 7.12.11).
 */
export function changeMember(
  organizer: Member,
  id: string,
  { was, role, assessment, room = null }: BodyOf<typeof contract.changeMember>,
): Promise<Done> {
  const { societyId, now } = organizer
  return actInSociety(organizer, 'change-role', societyId, async (client) => {
    await holdMembers(client, societyId)
    const before = await requireMember(client, societyId, id)
    const { userId, email } = before
    const isNow = (one: typeof was) =>
      one.role === before.role && one.assessment === before.assessment && one.room === before.room
    // If the role is already as requested, this is a second click or a retry after a lost response.
    if (!isNow(was) && !isNow({ role, assessment, room })) {
      const changes = sql`society_id = ${societyId} and action = 'change-role' and detail ->> 'member' = ${email}`
      throw staleError(await readLastLogged(client, changes), now)
    }
    if (isNow({ role, assessment, room })) return { result: DONE, detail: null }
    await requireScope(client, { societyId, roles: [role] }, { assessment, room })
    const held = await client.query(
      sql`select from memberships m
       where m.society_id = ${societyId} and m.user_id = ${userId} and m.role = ${role}
         and m.assessment is not distinct from ${assessment} and m.ended_at is null and m.id <> ${id}`,
    )
    if (held.rowCount !== 0) {
      const sentence = `This member is already ${role} there. Change that role instead.`
      throw refuse(409, 'role_held', sentence)
    }
    await client.query(
      'update memberships set role = $2, assessment = $3, room = $4 where id = $1',
      [id, role, assessment, room],
    )
    await requireOwner(client, organizer)
    const detail = { member: email, before: before.role, role, assessment, ...(room && { room }) }
    return { result: DONE, detail }
  })
}

/** Lists up to 200 rooms of the candidates in a society's assessments, for an invigilator's role. */
export async function listRooms(organizer: Member): Promise<string[]> {
  const rows = await readRows<{ room: string }>(
    organizer,
    sql`select distinct c.room from candidates c join assessments a on a.code = c.assessment
      where a.society_id = ${organizer.societyId} and a.trial is null and not c.is_demo and c.revoked_at is null and c.room <> ''
      order by c.room limit 200`,
  )
  return rows.map(({ room }) => room)
}

/** Ends a role immediately. @param id of the membership. Errors: those of requireMember and requireOwner. */
export function endMember(organizer: Member, id: string): Promise<Done> {
  const { societyId, now } = organizer
  return actInSociety(organizer, 'end-role', societyId, async (client) => {
    await holdMembers(client, societyId)
    const { email, role } = await requireMember(client, societyId, id)
    await client.query('update memberships set ended_at = $2 where id = $1', [id, now])
    await requireOwner(client, organizer)
    return { result: DONE, detail: { member: email, role } }
  })
}

/** Ends all roles of the acting member. Errors: 409 last_owner. */
export function leaveSociety(organizer: Member): Promise<Done> {
  const { societyId, userId, now } = organizer
  return actInSociety(organizer, 'leave', societyId, async (client) => {
    await holdMembers(client, societyId)
    const { rows } = await client.query<{ role: Role }>(
      sql`update memberships set ended_at = ${now}
       where society_id = ${societyId} and user_id = ${userId} and ended_at is null returning role`,
    )
    const roles = rows.map(({ role }) => role)
    if (roles.includes('owner')) await requireOwner(client, organizer)
    return { result: DONE, detail: roles.length === 0 ? null : { roles } }
  })
}

/** The mail kind that notifies a member. Its subject is the society. */
export const FACTOR_RESET_MAIL = 'second_factor_reset'
const FACTOR_MAIL_LIMIT = { count: 5, withinMs: 3_600_000 }

/**
 * Removes the second factor of another member, ends that member's organizer sessions and notifies the member by mail
 * (product 7.13.6). It's rejected if the member also helps another society, because anyone can create a society and
 * invite anyone. Errors: those of requireMember and removeFactor; 409 own_factor, roles_elsewhere.
 */
export function resetMemberFactor(organizer: Member, id: string): Promise<Done> {
  const { societyId, now } = organizer
  return actInSociety(organizer, 'reset-second-factor', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    if (userId === organizer.userId) {
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
        `${email} also helps another society, which relies on the same second factor. Ask this server’s operator to reset it.`,
      )
    }
    await removeFactor(client, { societyId, userId, email, now })
    return { result: DONE, detail: { member: email } }
  })
}

/** Errors: 409 no_factor. */
export async function removeFactor(
  client: Client,
  who: Record<'societyId' | 'userId' | 'email', string> & { now: Date },
): Promise<void> {
  const { societyId, userId, email, now } = who
  if (!(await resetFactor(client, userId))) {
    throw refuse(409, 'no_factor', `${email} has no second factor.`)
  }
  const mail = { kind: FACTOR_RESET_MAIL, recipient: email, about: societyId, now }
  await enqueueMail(drizzle(client as pg.PoolClient), mail, FACTOR_MAIL_LIMIT)
}

/** Ends organizer access in all sessions of a member. Errors: those of requireMember. */
export function signMemberOut(organizer: Member, id: string): Promise<Done> {
  const { societyId } = organizer
  return actInSociety(organizer, 'sign-member-out', societyId, async (client) => {
    const { userId, email } = await requireMember(client, societyId, id)
    const sessions = await endStanding(client, userId)
    return { result: DONE, detail: sessions === 0 ? null : { member: email, sessions } }
  })
}
