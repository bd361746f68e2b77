import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { deriveKey } from '../../platform/database/secret-key.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { labelOf } from '../reference.ts'
import {
  type DeviceFacts,
  REHEARSAL_ITEMS,
  REHEARSAL_KEPT_MS,
  REHEARSAL_SECONDS,
} from '../rehearsal.ts'
import { lastStart } from './candidate-store.ts'
import { hashCandidatePassword } from './password-store.ts'
import type { AssessmentRules } from './tables.ts'

type Client = Pick<pg.Pool, 'query'>

/** A random code that can't be guessed and can't collide with a society's. */
export const makeTrialCode = (kind: 'REHEARSAL' | 'SIMULATION' | 'SUPERDAY') =>
  `${kind}_${randomBytes(10).toString('hex').toUpperCase()}`

async function removeCandidates(client: Client, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // A simultaneous start waits for this lock and then finds no candidate.
  await client.query('select from candidates where id = any($1::uuid[]) order by id for update', [
    ids,
  ])
  await client.query('delete from attempts where candidate_id = any($1::uuid[])', [ids])
  await client.query('delete from candidates where id = any($1::uuid[])', [ids])
}

/** Deletes a rehearsal or simulation with all its data, but never a real assessment. */
export async function removeTrial(client: Client, code: string): Promise<void> {
  await client.query(
    `delete from attempts t using assessments a
     where a.code = $1 and a.trial is not null and t.assessment = a.code`,
    [code],
  )
  // Items, candidates and their rows are deleted by cascade.
  await client.query('delete from assessments where code = $1 and trial is not null', [code])
}

const ID_BYTES = 16
const MAC_BYTES = 16

/** A candidate's personal rehearsal link (product 7.11.2). It never changes, is not stored, and is not a credential. */
export function rehearsalLink(
  { secretKey, publicUrl }: { secretKey: Buffer; publicUrl: string },
  candidateId: string,
): string {
  const id = Buffer.from(candidateId.replaceAll('-', ''), 'hex')
  const token = Buffer.concat([id, macOf(secretKey, id)]).toString('base64url')
  return `${publicUrl}/recruitment/rehearsal#${token}`
}

/** The candidate id in a personal link's token, or null if this server did not sign it. */
export function candidateOfToken(secretKey: Buffer, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return null
  const id = bytes.subarray(0, ID_BYTES)
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), macOf(secretKey, id))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const macOf = (secretKey: Buffer, id: Buffer) =>
  createHmac('sha256', deriveKey(secretKey, 'rehearsal link'))
    .update(id)
    .digest()
    .subarray(0, MAC_BYTES)

export interface Rehearsed {
  code: string
  societyId: string
  society: string
  session: string | null
  navigator: boolean
  timeZone: string
  rules: AssessmentRules
}

const REHEARSED = `a.code, a.society_id as "societyId", a.society, a.session, a.navigator,
  a.time_zone as "timeZone", a.rules`
const IS_TO_COME = `a.trial is null and a.deleted_at is null and coalesce(${lastStart('a')} > $2, true)`

/** The assessment of a listed candidate, or null after it closes. */
export async function getRehearsedOfCandidate(
  client: Client,
  candidateId: string,
  now: Date,
): Promise<Rehearsed | null> {
  const { rows } = await client.query<Rehearsed>(
    `select ${REHEARSED} from candidates c join assessments a on a.code = c.assessment
     where c.id = $1 and c.revoked_at is null and ${IS_TO_COME}`,
    [candidateId, now],
  )
  return rows[0] ?? null
}

/** The assessment with a code, or null after it closes. @param drafts whether drafts count */
export async function getRehearsed(
  client: Client,
  code: string,
  { drafts }: { drafts: boolean },
  now: Date,
): Promise<Rehearsed | null> {
  const { rows } = await client.query<Rehearsed>(
    `select ${REHEARSED} from assessments a where a.code = $1 and ${IS_TO_COME} and ($3 or not a.is_draft)`,
    [code, now, drafts],
  )
  return rows[0] ?? null
}

/**
 * Maximum simultaneous throwaway candidates per assessment, counted separately for the public link and for the links of
 * candidates and helpers.
 */
const LIVE_LIMIT = 10_000

export interface Opened {
  code: string
  username: string
}

/** Creates a person's throwaway candidate and deletes the previous one. Null if too many people are rehearsing. */
export function makeRehearsal(
  db: Database,
  secretKey: Buffer,
  call: {
    rehearsed: Rehearsed
    userId: string
    password: string
    keptFor: { candidateId: string | null; helperOf: string | null }
  },
  now: Date,
): Promise<Opened | null> {
  const { rehearsed, userId, password, keptFor } = call
  return inTransaction(db, async (client) => {
    // The lock makes simultaneous calls of one person run one after another, each replacing the previous candidate.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [userId])
    const before = await client.query<{ id: string }>(
      'select candidate_id as id from rehearsals where user_id = $1',
      [userId],
    )
    await removeCandidates(
      client,
      before.rows.map(({ id }) => id),
    )
    const code = await findOrMakeTest(client, rehearsed, now)
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from (
         select from candidates c join rehearsals r on r.candidate_id = c.id
         where c.assessment = $1 and (r.of_candidate_id is null and r.helper_of is null) = $2
         limit ${LIVE_LIMIT}) live`,
      [code, keptFor.candidateId === null && keptFor.helperOf === null],
    )
    if ((rows[0]?.count ?? 0) >= LIVE_LIMIT) return null
    const id = randomUUID()
    const username = `rehearsal-${randomBytes(6).toString('hex')}`
    await client.query(
      `insert into candidates (id, assessment, username, password_hash, is_demo, created_at)
       values ($1, $2, $3, $4, true, $5)`,
      [id, code, username, hashCandidatePassword(secretKey, password), now],
    )
    await client.query(
      `insert into rehearsals (candidate_id, user_id, of_candidate_id, helper_of, opened_at)
       values ($1, $2, $3, $4, $5)`,
      [id, userId, keptFor.candidateId, keptFor.helperOf, now],
    )
    return { code, username }
  })
}

/** The code of an assessment's rehearsal, an unlisted test of sample questions. */
async function findOrMakeTest(client: Client, rehearsed: Rehearsed, now: Date): Promise<string> {
  const find = async () => {
    const { rows } = await client.query<{ code: string }>(
      // Waits for a cleanup that may be deleting it now.
      `select code from assessments where trial = 'rehearsal' and trial_of = $1 for key share`,
      [rehearsed.code],
    )
    return rows[0]?.code ?? null
  }
  const found = await find()
  if (found) return found
  const made = await client.query<{ code: string }>(
    `insert into assessments (code, society_id, society, session, duration_seconds, shuffle, navigator,
       rules, time_zone, is_sample, trial, trial_of, created_at)
     values ($1, $2, 'Rehearsal', $3, $4, false, $5, $6, $7, false, 'rehearsal', $8, $9)
     on conflict do nothing returning code`,
    [
      ...[makeTrialCode('REHEARSAL'), rehearsed.societyId, labelOf(rehearsed), REHEARSAL_SECONDS],
      ...[rehearsed.navigator, JSON.stringify(rehearsed.rules), rehearsed.timeZone],
      ...[rehearsed.code, now],
    ],
  )
  const code = made.rows[0]?.code ?? (await find())
  if (!code) throw new Error('The rehearsal that was just created is gone.')
  if (made.rows[0]) {
    await client.query(
      `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
         answer_d, correct_option, is_sample)
       select $1, n, question, a, b, c, d, 'A', false
       from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
         as item (n, question, a, b, c, d)`,
      [
        code,
        REHEARSAL_ITEMS.map((_, index) => index + 1),
        REHEARSAL_ITEMS.map(({ question }) => question),
        ...[0, 1, 2, 3].map((n) => REHEARSAL_ITEMS.map(({ options }) => options[n])),
      ],
    )
  }
  return code
}

/** The column's limits, because a device's clock may be set to the year 9999. */
const CLOCK_BOUND_MS = 2_000_000_000

type DeviceCheck = Omit<DeviceFacts, 'hasSurvivedLoss' | 'screenWidth' | 'screenHeight'> & {
  browser: string
  troubles: readonly string[]
}

/** Stores a rehearsal's findings for the link's candidate or helper. @returns whether they were stored */
export async function keepDeviceCheck(
  client: Client,
  candidateId: string,
  check: DeviceCheck,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `with rehearsal as (select * from rehearsals where candidate_id = $1),
     of_candidate as (
       insert into device_checks (id, candidate_id, checked_at, browser, clock_offset_ms, round_trip_ms,
         has_fullscreen, has_storage, troubles)
       select gen_random_uuid(), of_candidate_id, $2::timestamptz, $3::text, $4::int, $5::int, $6::boolean,
         $7::boolean, $8::text[] from rehearsal where of_candidate_id is not null
       on conflict (candidate_id) do update set checked_at = excluded.checked_at,
         browser = excluded.browser, clock_offset_ms = excluded.clock_offset_ms,
         round_trip_ms = excluded.round_trip_ms, has_fullscreen = excluded.has_fullscreen,
         has_storage = excluded.has_storage, troubles = excluded.troubles
       returning id
     ), of_helper as (
       insert into device_checks (id, society_id, user_id, checked_at, browser, clock_offset_ms,
         round_trip_ms, has_fullscreen, has_storage, troubles)
       select gen_random_uuid(), helper_of, user_id, $2, $3, $4, $5, $6, $7, $8
       from rehearsal where helper_of is not null
       on conflict (society_id, user_id) do update set checked_at = excluded.checked_at,
         browser = excluded.browser, clock_offset_ms = excluded.clock_offset_ms,
         round_trip_ms = excluded.round_trip_ms, has_fullscreen = excluded.has_fullscreen,
         has_storage = excluded.has_storage, troubles = excluded.troubles
       returning id
     )
     select id from of_candidate union all select id from of_helper`,
    [
      ...[candidateId, now, check.browser],
      Math.max(-CLOCK_BOUND_MS, Math.min(CLOCK_BOUND_MS, check.clockOffsetMs)),
      ...[check.roundTripMs, check.hasFullscreen, check.hasStorage, check.troubles],
    ],
  )
  return rowCount === 1
}

const BATCH_LIMIT = 100

/** Deletes old rehearsals and unused rehearsal tests (product 7.11.5). @returns how many rehearsals */
export async function sweepRehearsals(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - REHEARSAL_KEPT_MS)
  let swept = 0
  for (;;) {
    const count = await inTransaction(db, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `select c.id from assessments a join candidates c on c.assessment = a.code
         where a.trial = 'rehearsal' and c.created_at < $1
         order by c.id limit ${BATCH_LIMIT} for update of c skip locked`,
        [before],
      )
      await removeCandidates(
        client,
        rows.map(({ id }) => id),
      )
      return rows.length
    })
    swept += count
    if (count < BATCH_LIMIT) break
  }
  await db.$client.query(
    `delete from assessments a where a.trial = 'rehearsal' and a.created_at < $1
       and not exists (select from candidates c where c.assessment = a.code)`,
    [before],
  )
  return swept
}
