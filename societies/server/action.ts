import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import { OrganiserRefusal } from './refusal.ts'

/** Who acts on which database, and when. */
export interface Organiser {
  db: Database
  /** whole milliseconds, as all instants of attempts: the sweep compares deadlines for equality */
  now: Date
  /** for the audit log: at the keyboard the operating system's user */
  actor: string
}

export type Client = Pick<pg.PoolClient, 'query'>

/** What goes into the audit log beside the result. Never a password. */
export interface Done<T> {
  result: T
  detail: Record<string, unknown>
}

/**
 * Does something an organiser asked for and notes it in the audit log, in one transaction: no action
 * without its note, no note without its action (product 7.1.2). What carries keys or a candidate's data
 * away is done like this too.
 * @param code the assessment
 */
export function act<T>(
  { db, now, actor }: Organiser,
  action: string,
  code: string,
  work: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  return inTransaction(db, async (client) => {
    const { result, detail } = await work(client)
    await client.query(
      'insert into admin_actions (at, actor, action, assessment, detail) values ($1, $2, $3, $4, $5)',
      [now, actor, action, code, JSON.stringify(detail)],
    )
    return result
  })
}

/**
 * Looks at what is stored, all of it at one moment, and leaves no note: a page that shows who is inside
 * asks every few seconds (product 7.1.2). Nothing can be changed or locked here.
 */
export function read<T>(
  { db }: Pick<Organiser, 'db'>,
  look: (client: Client) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    return look(client)
  })
}

export interface CandidateRow {
  id: string
  username: string
  extraSeconds: number
  exemptKinds: string[]
  revokedAt: Date | null
  isDemo: boolean
}

/**
 * A candidate, locked against other organisers but not against the candidate's own calls, whose foreign
 * keys take a share of the row: a stronger lock here could deadlock with a submit.
 * Errors: AdminError.
 */
export async function requireCandidate(
  client: Client,
  code: string,
  username: string,
): Promise<CandidateRow> {
  const { rows } = await client.query<CandidateRow>(
    `select id, username, extra_seconds as "extraSeconds", exempt_kinds as "exemptKinds",
       revoked_at as "revokedAt", is_demo as "isDemo"
     from candidates where assessment = $1 and lower(username) = lower($2) for no key update`,
    [code, normaliseUsername(username)],
  )
  if (rows[0]) return rows[0]
  throw new AdminError(`There is no candidate ${username} in ${code}.`)
}

/** A username as it is stored: one form of each letter, whichever computer wrote it. */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim()
}

export interface AttemptRow {
  id: string
  username: string
  candidateId: string
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: 'candidate' | 'violations' | 'deadline' | null
}

/**
 * Attempts of an assessment, or of one candidate, locked in one order: saves, submits and the sweep wait,
 * and find afterwards what was changed here (closeAttempt's onlyAtDeadline).
 */
export async function lockAttempts(
  client: Client,
  code: string,
  candidateId: string | null = null,
): Promise<AttemptRow[]> {
  const { rows } = await client.query<AttemptRow>(
    `select a.id, c.username, a.candidate_id as "candidateId", a.started_at as "startedAt",
       a.deadline_at as "deadlineAt", a.submitted_at as "submittedAt",
       a.submit_reason as "submitReason"
     from attempts a join candidates c on c.id = a.candidate_id
     where a.assessment = $1 and ($2::uuid is null or a.candidate_id = $2)
     order by a.id for update of a`,
    [code, candidateId],
  )
  return rows
}

/** Strikes of an attempt as they count now. */
export async function readStrikes(client: Client, attemptId: string): Promise<number> {
  const { rows } = await client.query<{ strikes: number }>(
    'select attempt_strikes($1) as strikes',
    [attemptId],
  )
  return rows[0]?.strikes ?? 0
}

/** Keeps beside a candidate's own events what an organiser did to the attempt. */
export async function recordIntervention(
  client: Client,
  attempt: AttemptRow,
  kind: 'extra_time' | 'extended' | 'reopened' | 'late_accepted',
  detail: Record<string, unknown>,
  now: Date,
): Promise<void> {
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      attempt.candidateId,
      attempt.id,
      kind,
      now.getTime() - attempt.startedAt.getTime(),
      JSON.stringify(detail),
      now,
    ],
  )
}

/** Errors: OrganiserRefusal for a reason that says nothing (product 7.1.4). */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw new OrganiserRefusal('reason_missing', {})
  return text
}
