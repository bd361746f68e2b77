import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import sql, { raw, type Sql } from 'sql-template-tag'
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
  /** 'console' means that an account created it in the browser, which doesn't prove the name (product 7.7.2). */
  via: 'console' | 'command'
}

/** Returns the society with a name, ignoring case, or null. */
export async function getSociety(client: Client, name: string): Promise<Society | null> {
  const { rows } = await client.query<Society>(
    'select id, name, via from societies where lower(name) = lower($1)',
    [name.trim()],
  )
  return rows[0] ?? null
}

/** Errors: AdminError with the existing names if there is no such society. */
export async function requireSociety(client: Client, name: string): Promise<Society> {
  const society = await getSociety(client, name)
  if (society) return society
  const { rows } = await client.query<{ name: string }>('select name from societies order by name')
  const known = rows.map((one) => one.name).join(', ')
  throw new AdminError(
    `There is no society ${name.trim()}. ${known ? `There are: ${known}` : 'There are none yet. Create one with societies create'}.`,
  )
}

/** Creates a society. @returns its id. Errors: 409 society_exists. */
export async function makeSociety(
  client: Client,
  name: string,
  via: Society['via'],
  now: Date,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    sql`insert into societies (id, name, via, created_at) values (${randomUUID()}, ${name.trim()}, ${via}, ${now})
     on conflict (lower(name)) do nothing returning id`,
  )
  if (!rows[0]) throw nameTaken(name.trim())
  return rows[0].id
}

/** A name without case and spaces, because people don't see the difference. */
const bare = (name: Sql) => sql`lower(regexp_replace(normalize(${name}, nfkc), '\\s', '', 'g'))`

/**
 * Refuses a name that another society has, or shows on a published test, in any case and spacing. Candidates choose
 * their test by it (product 7.7.2). Errors: 409 society_exists.
 * @param own the society that wants the name; null for a new one
 */
async function requireFreeName(client: Client, name: string, own: string | null): Promise<void> {
  // Otherwise two at the same moment could both find it free.
  await client.query("select pg_advisory_xact_lock(hashtextextended('society names', 0))")
  const asked = bare(sql`${name}::text`)
  const { rowCount } = await client.query(
    sql`select from societies s where s.id is distinct from ${own}::uuid and ${bare(raw('s.name'))} = ${asked}
      union all
      select from assessments a where a.society_id is distinct from ${own}::uuid and not a.is_draft
        and a.trial is null and a.deleted_at is null and ${bare(raw('a.society'))} = ${asked} limit 1`,
  )
  if (rowCount !== 0) throw nameTaken(name.trim())
}

/** The same for the name that a test shows, unless the operator made its society. Errors: 409 society_exists. */
export async function requireFreeTestName(
  client: Client,
  name: string,
  societyId: string,
): Promise<void> {
  const { rowCount } = await client.query(
    "select from societies where id = $1 and via = 'console'",
    [societyId],
  )
  if (rowCount === 1) await requireFreeName(client, name, societyId)
}

const nameTaken = (name: string) =>
  refuse(
    409,
    'society_exists',
    `Another society has the name ${name}. If it is yours, ask one of its owners to invite you. Otherwise choose another name.`,
  )

/** Returns the id of the society with a name, which is created if missing. */
export async function findOrMakeSociety(client: Client, name: string, now: Date): Promise<string> {
  const found = await getSociety(client, name)
  if (found) return found.id
  const { rows } = await client.query<{ id: string }>(
    sql`insert into societies (id, name, via, created_at) values (${randomUUID()}, ${name.trim()}, 'command', ${now})
     on conflict (lower(name)) do update set name = societies.name returning id`,
  )
  return (rows[0] as { id: string }).id
}

/**
 * Returns the society for a new assessment: the given one, or the one with the name shown to candidates, which is
 * created if missing. A society created in the browser must be given explicitly, because anyone could have taken its
 * name to get the questions (product 7.7.2). Errors: AdminError.
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

/** Lists an account's societies by name. It skips the members' queue, because guests use it too. */
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

/** Returns whether an account can create a society, or why it can't (product 7.7.2). */
export async function foundingOf(
  db: Organizer['db'],
  userId: string,
  isOpen: boolean,
): Promise<Mine['founding']> {
  if (!isOpen) return 'closed'
  const { rows } = await db.$client.query<{ isVerified: boolean }>(
    sql`select email_verified_at is not null as "isVerified" from users
     where id = ${userId} and not is_anonymous`,
  )
  if (!rows[0]) return 'account_needed'
  return rows[0].isVerified ? 'open' : 'address_unverified'
}

/**
 * Creates a society with the account as its owner (product 7.7.2).
 * Errors: 403 founding_closed, account_needed, address_unverified; 409 society_exists.
 * @param takeOne consumes the daily quota; may throw its errors
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
        'Only this server’s operator can create societies. Ask the operator, or ask a society for an invitation.',
      account_needed: 'Create an account first. Guests can’t be members.',
      address_unverified: 'Verify your email address first. This page can send you the link.',
    }[founding]
    throw refuse(403, founding === 'closed' ? 'founding_closed' : founding, sentence)
  }
  await takeOne()
  return inTransaction(db, async (client) => {
    await requireFreeName(client, name, null)
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
  // Societies are never deleted, and the guard has just read this one.
  return rows[0] as SocietySettings
}

/**
 * Changes a society's name, zone and contact (product 7.12.8). A name chosen in the browser proves nothing, so from
 * then on no assessment is assigned to the society by name (product 7.7.2).
 * Errors: 400 zone_unknown; 409 stale if another owner changed the settings meanwhile, society_exists.
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
    // If the settings are already as requested, this is a second click or a retry after a lost response.
    if (!isDeepStrictEqual(before, was) && !isDeepStrictEqual(before, after)) {
      const edits = sql`society_id = ${societyId} and action = 'edit-society'`
      throw staleError(await readLastLogged(client, edits), now)
    }
    if (!isZone(timeZone)) throw refuse(400, 'zone_unknown', 'Choose a time zone from the list.')
    if (name !== before.name) await requireFreeName(client, name, societyId)
    await client.query(
      sql`update societies set name = ${name}, time_zone = ${timeZone}, contact = ${contact},
        retention_months = ${retentionMonths},
         via = case when name = ${name} then via else 'console' end where id = ${societyId}`,
    )
    if (retentionMonths !== before.retentionMonths) {
      // Owners were warned of a different date (product 7.21.2).
      await client.query(
        'update assessments set keep_warned_at = null where society_id = $1 and keep_until is null',
        [societyId],
      )
    }
    return { result: after, detail: isDeepStrictEqual(before, after) ? null : { before, ...after } }
  })
}
