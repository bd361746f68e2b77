import type pg from 'pg'
import { ApiError } from '../../platform/server/api.ts'
import { type AttemptPhase, phaseOf, type SubmitReason } from '../deadline.ts'
import { readUpSince } from './pulse.ts'

export { inTransaction } from '../../platform/database/transaction.ts'

/** A candidate's attempt, as stored. */
export interface Attempt {
  id: string
  assessment: string
  /** item ids in this candidate's order */
  paper: number[]
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: SubmitReason | null
  closedBySubmit: boolean
  windowId: string
}

type Client = Pick<pg.Pool, 'query'>

const ATTEMPT = `select id, assessment, paper, started_at as "startedAt", deadline_at as "deadlineAt",
  submitted_at as "submittedAt", submit_reason as "submitReason",
  closed_by_submit as "closedBySubmit", window_id as "windowId" from attempts`

/** The candidate's attempt, or null before the start. */
export async function getAttemptOf(client: Client, candidateId: string): Promise<Attempt | null> {
  const { rows } = await client.query<Attempt>({
    name: 'attempt-of-candidate',
    text: `${ATTEMPT} where candidate_id = $1`,
    values: [candidateId],
  })
  return rows[0] ?? null
}

/** The same, locked until the transaction ends: saves, events and submits of it wait. */
export async function lockAttemptOf(client: Client, candidateId: string): Promise<Attempt> {
  const { rows } = await client.query<Attempt>({
    name: 'lock-attempt-of-candidate',
    text: `${ATTEMPT} where candidate_id = $1 for update`,
    values: [candidateId],
  })
  if (!rows[0]) throw notStarted()
  return rows[0]
}

export const notStarted = () =>
  new ApiError(409, 'not_started', 'The test has not been started yet.')

export const takenOver = () =>
  new ApiError(
    409,
    'taken_over',
    'This test was opened in another window. Please go on there; nothing you saved is lost.',
  )

/** Why a closed attempt takes nothing more. */
export function closedError(attempt: Attempt): ApiError {
  return attempt.submitReason === 'candidate'
    ? new ApiError(409, 'already_submitted', 'This test has already been submitted.')
    : new ApiError(409, 'attempt_closed', 'This test is closed; nothing more can be saved.')
}

/** Where an attempt stands now (assessments/deadline.ts). */
export async function readPhase(
  client: Client,
  attempt: Attempt,
  now: Date,
): Promise<AttemptPhase> {
  const nowMs = now.getTime()
  const deadlineMs = attempt.deadlineAt.getTime()
  const submittedMs = attempt.submittedAt?.getTime() ?? null
  // Only after the deadline does it matter since when the service has been up.
  const upSinceMs = nowMs < deadlineMs ? 0 : (await readUpSince(client, now)).getTime()
  return phaseOf({ deadlineMs, submittedMs }, nowMs, upSinceMs)
}

/**
 * Closes an attempt, once: whoever comes second changes nothing.
 * @returns whether this call closed it
 */
export async function closeAttempt(
  client: Client,
  attemptId: string,
  closing: {
    at: Date
    reason: SubmitReason
    bySubmit: boolean
    now: Date
    /** close it only while this is its deadline: it may just have been extended */
    onlyAtDeadline?: Date
  },
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'close-attempt',
    text: `
      with closed as (
        update attempts set submitted_at = $2, submit_reason = $3, closed_by_submit = $4
        where id = $1 and submitted_at is null
          -- PostgreSQL keeps microseconds, a Date milliseconds.
          and ($6::timestamptz is null or date_trunc('milliseconds', deadline_at) = $6)
        returning id, candidate_id, started_at, user_id
      ), event as (
        insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, user_id, received_at)
        select candidate_id, id, 'submitted', extract(epoch from $2::timestamptz - started_at) * 1000,
          jsonb_build_object('reason', $3::text), user_id, $5 from closed
      )
      select id from closed`,
    values: [
      attemptId,
      closing.at,
      closing.reason,
      closing.bySubmit,
      closing.now,
      closing.onlyAtDeadline ?? null,
    ],
  })
  return rowCount === 1
}

/**
 * Closes an attempt whose grace is over, at its deadline.
 * Errors: 503 when the deadline has just been moved or somebody else was faster; the next try sees it.
 */
export async function closeAtDeadline(
  client: Client,
  attempt: Attempt,
  now: Date,
): Promise<Attempt> {
  const isClosed = await closeAttempt(client, attempt.id, {
    at: attempt.deadlineAt,
    reason: 'deadline',
    bySubmit: false,
    now,
    onlyAtDeadline: attempt.deadlineAt,
  })
  if (isClosed) return { ...attempt, submittedAt: attempt.deadlineAt, submitReason: 'deadline' }
  throw new ApiError(
    503,
    'unavailable',
    'This test has just changed. Please try again in a moment.',
    {
      retryAfterSeconds: 1,
    },
  )
}

/** Strikes so far: violations that nobody voided, of kinds the candidate isn't exempt from. */
export async function countStrikes(client: Client, attemptId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'count-strikes',
    text: 'select attempt_strikes($1) as count',
    values: [attemptId],
  })
  return rows[0]?.count ?? 0
}
