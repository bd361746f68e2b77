import { randomUUID } from 'node:crypto'
import { nameOf } from '../../../accounts/person.ts'
import type { Role } from '../../roles.ts'
import { actInSociety, type Client, type Organiser, read } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type LastChange, staleError } from '../stale.ts'
import { IN_FORCE } from './guard.ts'

/** For what a role is. */
export interface Scope {
  /** the code of a test; null for the whole society */
  assessment: string | null
  /** of an invigilator; null or left out: every room */
  room?: string | null
}

export interface Member extends Scope {
  room: string | null
  /** of the membership: who has two roles is here twice */
  id: string
  userId: string
  name: string
  email: string
  role: Role
  createdAt: Date
  endedAt: Date | null
  /** whether the account has a second factor */
  hasFactor: boolean
  /** false: ended, or over with its test */
  isInForce: boolean
}

/** Who is or was in a society, a line a role; owners first. Deleted accounts are gone. */
export function listMembers(
  organiser: Pick<Organiser, 'db' | 'now'>,
  societyId: string,
): Promise<Member[]> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<Omit<Member, 'name'>>(
      `select m.id, m.user_id as "userId", u.email, m.role, m.assessment, m.room,
         m.created_at as "createdAt", m.ended_at as "endedAt", exists (
           select from second_factors f where f.user_id = u.id and f.verified_at is not null
         ) as "hasFactor", (${IN_FORCE(2)}) as "isInForce"
       from memberships m join users u on u.id = m.user_id
       where m.society_id = $1 and not u.is_anonymous
       order by m.ended_at is not null, m.role <> 'owner', u.email, m.created_at`,
      [societyId, organiser.now],
    )
    return rows.map((row) => ({ ...row, name: nameOf(row.email) }))
  })
}

/**
 * Makes others who change the members of a society wait, so that two owners who end each other's role leave
 * one.
 */
export async function holdMembers(client: Client, societyId: string): Promise<void> {
  await client.query('select from societies where id = $1 for no key update', [societyId])
}

/** Errors: OrganiserRefusal when no owner is left (product 7.7.8). */
async function requireOwner(client: Client, societyId: string, now: Date): Promise<void> {
  const { rowCount } = await client.query(
    `select from memberships m join users u on u.id = m.user_id
     where m.society_id = $1 and m.role = 'owner' and ${IN_FORCE(2)} and not u.is_anonymous limit 1`,
    [societyId, now],
  )
  if (rowCount === 0) throw new OrganiserRefusal('last_owner', {})
}

/**
 * Errors: OrganiserRefusal for an owner with less than everything, for a test of another society or none, and
 * for a room of who is no invigilator.
 */
export async function requireScope(
  client: Client,
  { societyId, roles }: { societyId: string; roles: readonly Role[] },
  { assessment, room }: Scope,
): Promise<void> {
  if (room && !roles.includes('invigilator')) throw new OrganiserRefusal('room_without_role', {})
  if (assessment === null) return
  if (roles.includes('owner')) throw new OrganiserRefusal('owner_is_unlimited', {})
  const { rowCount } = await client.query(
    `select from assessments
     where society_id = $1 and code = $2 and trial is null and deleted_at is null`,
    [societyId, assessment],
  )
  if (rowCount === 0) throw new OrganiserRefusal('not_of_society', { assessment })
}

/**
 * Gives an account a role, in the caller's transaction. Nothing that it has is taken away: of two rooms for the
 * same test the new one counts, and who had every room keeps that.
 */
export async function grantRole(
  client: Client,
  { societyId, userId, role, now }: { societyId: string; userId: string; role: Role; now: Date },
  { assessment, room = null }: Scope,
): Promise<void> {
  await client.query(
    `insert into memberships as m (id, society_id, user_id, role, assessment, room, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id, society_id, role, coalesce(assessment, '')) where ended_at is null
     do update set room = case when m.room is not null then excluded.room end
     where m.room is distinct from excluded.room`,
    [
      ...[randomUUID(), societyId, userId, role, assessment],
      ...[role === 'invigilator' ? room : null, now],
    ],
  )
}

/** Errors: OrganiserRefusal when there is none in this society, or it was ended. */
export async function requireMember(client: Client, societyId: string, id: string) {
  const { rows } = await client.query<Held & { userId: string; email: string }>(
    `select m.user_id as "userId", m.role, u.email, m.assessment, m.room
     from memberships m
     join users u on u.id = m.user_id
     where m.society_id = $1 and m.id = $2 and m.ended_at is null and not u.is_anonymous`,
    [societyId, id],
  )
  if (!rows[0]) throw new OrganiserRefusal('no_such_member', {})
  return rows[0]
}

/**
 * Changes a role, what it is for, and its room.
 * Errors: OrganiserRefusal, also when the society would be left without an owner; ApiError 409 stale where it is not
 * what was read (product 7.12.11).
 * @param id of the membership
 * @param change `was`: as it was read
 */
export function changeMember(
  organiser: Organiser,
  societyId: string,
  id: string,
  { was, role, ...scope }: Scope & { role: Role; was: Held },
): Promise<void> {
  return actInSociety(organiser, 'change-role', societyId, async (client) => {
    const { now } = organiser
    await holdMembers(client, societyId)
    const before = await requireMember(client, societyId, id)
    // The same again is a second click, or an answer that was lost.
    if (!isSame(before, was) && !isSame(before, { role, room: null, ...scope })) {
      throw staleError(await readLastChange(client, societyId, before.email), now)
    }
    await requireScope(client, { societyId, roles: [role] }, scope)
    const { assessment, room = null } = scope
    const held = await client.query(
      `select from memberships m
       where m.society_id = $1 and m.user_id = $2 and m.role = $3
         and m.assessment is not distinct from $4 and m.ended_at is null and m.id <> $5`,
      [societyId, before.userId, role, assessment, id],
    )
    if (held.rowCount !== 0) throw new OrganiserRefusal('role_held', { role })
    await client.query(
      'update memberships set role = $2, assessment = $3, room = $4 where id = $1',
      [id, role, assessment, room],
    )
    await requireOwner(client, societyId, now)
    return {
      result: undefined,
      detail: {
        ...{ member: before.email, before: before.role, role, assessment },
        ...(room && { room }),
      },
    }
  })
}

/** What is compared of a role. */
interface Held extends Scope {
  role: Role
  room: string | null
}

function isSame(one: Held, other: Scope & { role: Role }): boolean {
  return (
    one.role === other.role &&
    one.assessment === other.assessment &&
    one.room === (other.room ?? null)
  )
}

/** Who changed a role of this member last, and when. */
async function readLastChange(
  client: Client,
  societyId: string,
  email: string,
): Promise<LastChange> {
  const { rows } = await client.query<{ by: string; at: Date }>(
    `select actor as by, at from admin_actions
     where society_id = $1 and action = 'change-role' and detail ->> 'member' = $2
     order by id desc limit 1`,
    [societyId, email],
  )
  return rows[0] ?? { by: null, at: null }
}

/** The rooms of the candidates of a society's assessments, for whoever gives an invigilator one; 200 at most. */
export async function listRooms(
  { db }: Pick<Organiser, 'db'>,
  societyId: string,
): Promise<string[]> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<{ room: string }>(
      `select distinct c.room from candidates c join assessments a on a.code = c.assessment
       where a.society_id = $1 and a.trial is null and not c.is_demo and c.revoked_at is null and c.room <> ''
       order by c.room limit 200`,
      [societyId],
    )
    return rows.map(({ room }) => room)
  })
}

/** Ends a role at once. Errors: OrganiserRefusal, as changeMember. */
export function endMember(organiser: Organiser, societyId: string, id: string): Promise<void> {
  return actInSociety(organiser, 'end-role', societyId, async (client) => {
    await holdMembers(client, societyId)
    const { email, role } = await requireMember(client, societyId, id)
    await client.query('update memberships set ended_at = $2 where id = $1', [id, organiser.now])
    await requireOwner(client, societyId, organiser.now)
    return { result: undefined, detail: { member: email, role } }
  })
}

/** Ends all roles of the one who acts. Errors: OrganiserRefusal for the last owner. */
export function leaveSociety(organiser: Organiser, societyId: string): Promise<void> {
  return actInSociety(organiser, 'leave', societyId, async (client) => {
    await holdMembers(client, societyId)
    const { rows } = await client.query<{ role: Role }>(
      `update memberships set ended_at = $3
       where society_id = $1 and user_id = $2 and ended_at is null returning role`,
      [societyId, organiser.userId, organiser.now],
    )
    if (rows.some(({ role }) => role === 'owner')) {
      await requireOwner(client, societyId, organiser.now)
    }
    return { result: undefined, detail: { roles: rows.map(({ role }) => role) } }
  })
}
