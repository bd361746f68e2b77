import { hash } from 'node:crypto'
import type pg from 'pg'
import { fieldLists } from '../../platform/database/database.ts'

/** SQL for the last moment at which any candidate can start. Null without an end. @param a the assessment's alias */
export const lastStart = (
  a: string,
) => `case when ${a}.closes_at is not null then greatest(${a}.closes_at, (
  -- Latest first, so that only one of thousands of rows is read. Every list of tests runs this.
  select w.starts_until from candidates w
  where w.assessment = ${a}.code and w.starts_until > ${a}.closes_at and w.revoked_at is null
    and not exists (select from attempts t where t.candidate_id = w.id)
  order by w.starts_until desc limit 1)) end`

/**
 * SQL for whether an assessment is over: no candidate can start or is taking the test. False without a start deadline.
 * @param a its alias @param now a parameter, such as $2
 */
export const isOver = (a: string, now: string) =>
  `(coalesce(${lastStart(a)} <= ${now}, false) and ${isEmpty(a)})`

/** Whether no real candidate is taking an assessment now. @param a its alias */
export const isEmpty = (a: string) => `not exists (select from attempts i
  where i.assessment = ${a}.code and i.submitted_at is null and not i.is_demo)`

/**
 * SQL for whether an assessment's results are released. No candidate can start it then, because others have read their
 * results. A deleted test keeps its release. @param a its alias
 */
export const isReleased = (a: string) => `exists (select from result_releases r
  where r.assessment = ${a}.code and r.withdrawn_at is null)`

export interface Candidate {
  id: string
  username: string
  passwordHash: Buffer
  /** Total planned extra time. */
  extraSeconds: number
  /** First and last moment to start, if they differ from the test's. */
  startsFrom: Date | null
  startsUntil: Date | null
  /** Kinds of events that are stored but not counted. */
  exemptKinds: string[]
  revokedAt: Date | null
  isDemo: boolean
}

type Client = Pick<pg.Pool, 'query'>

export const CANDIDATE = `select c.id, c.username, c.password_hash as "passwordHash",
  c.extra_seconds as "extraSeconds", c.starts_from as "startsFrom", c.starts_until as "startsUntil", c.exempt_kinds as "exemptKinds", c.revoked_at as "revokedAt",
  c.is_demo as "isDemo" from candidates c`

/** The candidate with a username in any case (product 6.2.5), including revoked candidates. */
export async function getCandidateByName(
  client: Client,
  assessment: string,
  username: string,
): Promise<Candidate | null> {
  const { rows } = await client.query<Candidate>({
    name: 'candidate-by-name',
    text: `${CANDIDATE} where c.assessment = $1 and lower(c.username) = lower($2)`,
    values: [assessment, username],
  })
  return rows[0] ?? null
}

/** The candidates with a username in all published assessments, including revoked candidates. */
export async function listCandidatesByName(client: Client, username: string): Promise<Candidate[]> {
  // Starts from the few assessments, because the index on usernames begins with the assessment.
  const { rows } = await client.query<Candidate>({
    name: 'candidates-by-name',
    text: `${CANDIDATE} join assessments a on a.code = c.assessment
      where lower(c.username) = lower($1) and not a.is_draft and a.deleted_at is null`,
    values: [username],
  })
  return rows
}

/** The attempt that a call refers to. The caller has only sent a token so far. */
export interface Seat {
  code: string
  tokenHash: Buffer | null
  userId: string
  windowId: string
}

/** Sets new passwords and ends old tokens. `readmit` also lifts a revocation. @returns the changed ids */
export async function replacePasswords(
  client: Client,
  passwords: readonly { candidateId: string; hash: Buffer }[],
  now: Date,
  { readmit }: { readmit: boolean },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `update candidates c set password_hash = given.hash, password_made_at = $3, revoked_at = null,
       slip_made_at = null, slip_told = null
     from unnest($1::uuid[], $2::bytea[]) as given (id, hash)
     where c.id = given.id and ($4 or c.revoked_at is null) returning c.id`,
    [...fieldLists(passwords, 'candidateId', 'hash'), now, readmit],
  )
  const replaced = rows.map(({ id }) => id)
  await client.query(
    `with ended as (
       delete from candidate_tokens where candidate_id = any ($1)
       returning token_hash, candidate_id, session_id
     )
     insert into replaced_tokens (token_hash, candidate_id, session_id, replaced_at)
     select token_hash, candidate_id, session_id, $2 from ended`,
    [replaced, now],
  )
  return replaced
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
