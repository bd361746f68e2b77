import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { AdminError } from '../../../platform/server/admin-error.ts'
import type { listMySocieties as listMine } from '../../kit/contract.ts'
import {
  actInSociety,
  type Client,
  note,
  type Organizer,
  readLastLogged,
  staleError,
} from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { isZone } from '../../kit/zone-time.ts'
import type { changeSocietySettings, SocietySettings } from '../contract.ts'
import { inForce } from './guard.ts'
import { grantRole } from './members.ts'
import type { Member } from './serve-members.ts'

export interface Society {
  id: string
  name: string
  /** 'console': founded by an account, which proves no name (product 7.7.2) */
  via: 'console' | 'command'
}

/** The society of a name, in capitals or not, or null. */
export async function getSociety(client: Client, name: string): Promise<Society | null> {
  const { rows } = await client.query<Society>(
    'select id, name, via from societies where lower(name) = lower($1)',
    [name.trim()],
  )
  return rows[0] ?? null
}

/** Errors: AdminError when there is none, with the names that exist. */
export async function requireSociety(client: Client, name: string): Promise<Society> {
  const society = await getSociety(client, name)
  if (society) return society
  const { rows } = await client.query<{ name: string }>('select name from societies order by name')
  const known = rows.map((one) => one.name).join(', ')
  throw new AdminError(
    `There is no society ${name.trim()}. ${known ? `There are: ${known}` : 'There are none yet: make one with societies create'}.`,
  )
}

/** Makes a society. @returns its id. Errors: 409 society_exists. */
export async function makeSociety(
  client: Client,
  name: string,
  via: Society['via'],
  now: Date,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into societies (id, name, via, created_at) values ($1, $2, $3, $4)
     on conflict (lower(name)) do nothing returning id`,
    [randomUUID(), name.trim(), via, now],
  )
  if (!rows[0]) throw nameTaken(name.trim())
  return rows[0].id
}

const nameTaken = (name: string) =>
  refuse(
    409,
    'society_exists',
    `There is a society ${name} already. If it is yours, ask one of its owners to invite you.`,
  )

/** The id of the society of a name, which is made where there is none. */
export async function findOrMakeSociety(client: Client, name: string, now: Date): Promise<string> {
  const found = await getSociety(client, name)
  if (found) return found.id
  const { rows } = await client.query<{ id: string }>(
    `insert into societies (id, name, via, created_at) values ($1, $2, 'command', $3)
     on conflict (lower(name)) do update set name = societies.name returning id`,
    [randomUUID(), name.trim(), now],
  )
  return (rows[0] as { id: string }).id
}

/**
 * The society that a new assessment belongs to: the named one, or the one of the name that candidates read, which is
 * made where there is none. One that was founded in the browser has to be named: anyone could have taken the name to be
 * given the questions (product 7.7.2). Errors: AdminError.
 */
export async function societyForNew(
  client: Client,
  { named, read, now }: { named: string | undefined; read: string; now: Date },
): Promise<string> {
  if (named !== undefined) return (await requireSociety(client, named)).id
  const found = await getSociety(client, read)
  if (found?.via === 'console') {
    throw new AdminError(
      `An account founded the society ${found.name} in the browser, and its owners would get these questions. If it is the right society (societies list shows its owners), add --society "${found.name}".`,
    )
  }
  return findOrMakeSociety(client, read, now)
}

type Mine = ResponseOf<typeof listMine>

/** The societies where an account has roles in force, by name. Guests ask too, so it waits in no members' line. */
export async function listMySocieties(
  { db, now }: Pick<Organizer, 'db' | 'now'>,
  userId: string,
): Promise<Mine['societies']> {
  const { rows } = await db.$client.query<Mine['societies'][number]>(
    sql`select s.id, s.name, s.time_zone as "timeZone", json_agg(json_build_object(
        'role', m.role, 'assessment', m.assessment, 'room', m.room) order by m.role, m.assessment) as roles
      from memberships m join societies s on s.id = m.society_id join users u on u.id = m.user_id
      where m.user_id = ${userId} and ${inForce(now)} and not u.is_anonymous
      group by s.id order by s.name`,
  )
  return rows
}

/** Whether an account can found a society, or what stands in the way (product 7.7.2). */
export async function foundingOf(
  db: Organizer['db'],
  userId: string,
  isOpen: boolean,
): Promise<Mine['founding']> {
  if (!isOpen) return 'closed'
  const { rows } = await db.$client.query<{ isVerified: boolean }>(
    `select email_verified_at is not null as "isVerified" from users
     where id = $1 and not is_anonymous`,
    [userId],
  )
  if (!rows[0]) return 'account_needed'
  return rows[0].isVerified ? 'open' : 'address_unverified'
}

/**
 * Founds a society, of which the account is the owner (product 7.7.2).
 * Errors: 403 founding_closed, account_needed, address_unverified; 409 society_exists.
 * @param takeOne counts against the day's quota; its errors
 */
export async function foundSociety(
  organizer: Organizer & { userId: string },
  name: string,
  { isOpen, takeOne }: { isOpen: boolean; takeOne: () => Promise<void> },
): Promise<{ id: string; name: string }> {
  const { db, now, userId } = organizer
  const founding = await foundingOf(db, userId, isOpen)
  if (founding !== 'open') {
    const sentence = {
      closed:
        'Only the people who run this server can make societies here. Ask them, or ask a society for an invitation.',
      account_needed: 'Make an account first. A guest cannot be a member.',
      address_unverified:
        'Verify your e-mail address first, with the link that this page sends you.',
    }[founding]
    throw refuse(403, founding === 'closed' ? 'founding_closed' : founding, sentence)
  }
  await takeOne()
  return inTransaction(db, async (client) => {
    const societyId = await makeSociety(client, name, 'console', now)
    await grantRole(client, { societyId, userId, role: 'owner', now }, { assessment: null })
    await note(client, organizer, { action: 'found', societyId, code: null, detail: { name } })
    return { id: societyId, name }
  })
}

export async function readSettings(
  client: Client,
  societyId: string,
  lock: '' | 'for no key update' = '',
): Promise<SocietySettings> {
  const { rows } = await client.query<SocietySettings>(
    `select name, time_zone as "timeZone", contact, retention_months as "retentionMonths"
     from societies where id = $1 ${lock}`,
    [societyId],
  )
  // Societies are never deleted, and the guard has just seen this one.
  return rows[0] as SocietySettings
}

/**
 * Changes a society's name, zone and contact (product 7.12.8). A name that was chosen in the browser proves
 * nothing: from then on no assessment falls to the society by its name alone (product 7.7.2).
 * Errors: 400 zone_unknown; 409 stale where another owner changed what was read, society_exists.
 */
export function changeSettings(
  organizer: Member,
  { was, ...asked }: BodyOf<typeof changeSocietySettings>,
): Promise<SocietySettings> {
  const { societyId, now } = organizer
  return actInSociety(organizer, 'edit-society', societyId, async (client) => {
    const before = await readSettings(client, societyId, 'for no key update')
    const { name = before.name, timeZone, contact, retentionMonths } = asked
    const after = { name, timeZone, contact, retentionMonths }
    // The same again is a second click, or an answer that was lost.
    if (!isDeepStrictEqual(before, was) && !isDeepStrictEqual(before, after)) {
      const edits = sql`society_id = ${societyId} and action = 'edit-society'`
      throw staleError(await readLastLogged(client, edits), now)
    }
    if (!isZone(timeZone)) throw refuse(400, 'zone_unknown', 'Choose a time zone from the list.')
    if (name.toLowerCase() !== before.name.toLowerCase()) {
      const { rowCount } = await client.query(
        'select from societies where lower(name) = lower($1) and id <> $2',
        [name, societyId],
      )
      if (rowCount !== 0) throw nameTaken(name)
    }
    await client.query(
      `update societies set name = $2, time_zone = $3, contact = $4, retention_months = $5,
         via = case when name = $2 then via else 'console' end where id = $1`,
      [societyId, name, timeZone, contact, retentionMonths],
    )
    if (retentionMonths !== before.retentionMonths) {
      // Owners were warned of another day (product 7.21.2).
      await client.query(
        'update assessments set keep_warned_at = null where society_id = $1 and keep_until is null',
        [societyId],
      )
    }
    return { result: after, detail: isDeepStrictEqual(before, after) ? null : { before, ...after } }
  })
}
