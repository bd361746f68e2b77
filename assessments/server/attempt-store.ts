// Long because all writes to an attempt are in one file (decision 016).
import type pg from 'pg'
import { orHeld } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/server/api.ts'
import { type AttemptPhase, GRACE_MS, phaseOf, type SubmitReason } from '../deadline.ts'
import { isReleased, type Seat } from './candidate-store.ts'
import type { Origin } from './event-store.ts'
import { graceEnd, readGraceEnd } from './pulse.ts'
import {
  ATTEMPTS_OF_CALLS,
  CALLS,
  CALLS_COLUMNS,
  CANDIDATE_OF_CALL,
  type Dwell,
  forEachSeat,
  IS_CANDIDATE_OF_CALL,
  IS_RUNNING,
  IS_TAKEN,
  looksColumns,
  looksOfCalls,
  REPORTED,
} from './seat-calls.ts'

type Client = Pick<pg.Pool, 'query'>

export interface Attempt {
  id: string
  assessment: string
  candidateId: string
  /** Item ids in this candidate's order. */
  paper: number[]
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: SubmitReason | null
  /** Whether a submit call closed it. A repeated submit gets the same response. */
  closedBySubmit: boolean
  /** The owning window, and the account that opened it last. The account is null once deleted. */
  windowId: string
  userId: string | null
  /** The part of the deadline that was given because of an incident. */
  incidentSeconds: number
}

/** The columns of an Attempt, from `attempts t`. */
export const COLUMNS = `t.id, t.assessment, t.candidate_id as "candidateId", t.paper,
  t.started_at as "startedAt", t.deadline_at as "deadlineAt", t.submitted_at as "submittedAt",
  t.submit_reason as "submitReason", t.closed_by_submit as "closedBySubmit", t.window_id as "windowId",
  t.user_id as "userId", t.incident_seconds as "incidentSeconds"`

export async function getAttemptOf(client: Client, candidateId: string): Promise<Attempt | null> {
  const { rows } = await client.query<Attempt>({
    name: 'attempt-of-candidate',
    text: `select ${COLUMNS} from attempts t where t.candidate_id = $1`,
    values: [candidateId],
  })
  return rows[0] ?? null
}

/** Gets and locks the attempt (whenFree). Errors: 409 not_started, RowHeld if another transaction holds it. */
export async function lockAttemptOf(client: Client, candidateId: string): Promise<Attempt> {
  const { rows } = await orHeld(
    client.query<Attempt>({
      name: 'lock-attempt-of-candidate',
      text: `select ${COLUMNS} from attempts t where t.candidate_id = $1 for update nowait`,
      values: [candidateId],
    }),
  )
  if (!rows[0]) throw notStarted()
  return rows[0]
}

export type LockedAttempt = Attempt & { username: string }

/** Locks attempts of an assessment or of some candidates, in a fixed order, until the transaction ends. */
export async function lockAttempts(
  client: Client,
  code: string,
  candidates: string | readonly string[] | null = null,
): Promise<LockedAttempt[]> {
  const { rows } = await client.query<LockedAttempt>(
    `select ${COLUMNS}, c.username
     from attempts t join candidates c on c.id = t.candidate_id
     where t.assessment = $1 and ($2::uuid[] is null or t.candidate_id = any ($2))
     order by t.id for update of t`,
    [code, typeof candidates === 'string' ? [candidates] : candidates],
  )
  return rows
}

const notStarted = () => new ApiError(409, 'not_started', 'The test has not been started yet.')

export const takenOver = () =>
  new ApiError(
    409,
    'taken_over',
    'This test was opened in another window. Please continue there. Nothing you saved is lost.',
  )

/** The error for a call on a closed attempt. */
export function closedError({ submitReason }: Pick<Attempt, 'submitReason'>): ApiError {
  return submitReason === 'candidate'
    ? new ApiError(409, 'already_submitted', 'This test has already been submitted.')
    : new ApiError(409, 'attempt_closed', 'This test is closed. Nothing more can be saved.')
}

/** The attempt's current phase (assessments/deadline.ts). @param client of the transaction that locks it */
export async function readPhase(
  client: Client,
  attempt: Attempt,
  now: Date,
): Promise<AttemptPhase> {
  const nowMs = now.getTime()
  const deadlineMs = attempt.deadlineAt.getTime()
  const submittedMs = attempt.submittedAt?.getTime() ?? null
  // Outages only matter after the deadline.
  const isAsked = submittedMs === null && nowMs >= deadlineMs
  const endsAt = isAsked ? await readGraceEnd(client, attempt.deadlineAt, now) : null
  return phaseOf({ deadlineMs, submittedMs }, nowMs, endsAt?.getTime() ?? 0)
}

export interface StartCall extends Seat {
  /** Item ids in this candidate's order. If the test has two forms, those of both, and the server assigns one form. */
  paper: readonly number[]
  /** The form that each of these items belongs to. Null if the test has one form. */
  forms: readonly (Form | null)[] | null
  /** Seed for assigning forms, used by the test's first start. */
  seed: number
  origin: Origin
}

// The candidate's row is locked, since an organizer may be giving extra time. If two windows start in one batch, the
// second is skipped and takes over unbatched. The assessment is locked before it is read, so a start waits for a
// deletion or a return to draft. With two forms each start takes the next number (product 7.19.3), whose row stays
// locked until the commit.
const START = `
  with allowed as (
    select calls.*, seat.*
    from ${CALLS}, $7::text[], $8::text[], $9::int[], $10::text[], $11::text[])
      as calls(${CALLS_COLUMNS}, paper, forms, seed, address, agent)
    cross join lateral (
      select c.id as candidate_id, c.is_demo,
        $1::timestamptz + make_interval(secs => a.duration_seconds + c.extra_seconds) as deadline_at
      ${CANDIDATE_OF_CALL}
      join assessments a on a.code = c.assessment
      where ${IS_CANDIDATE_OF_CALL}
        and coalesce(coalesce(c.starts_from, a.opens_at) <= $1, true)
        and coalesce(coalesce(c.starts_until, a.closes_at) >= $1, true)
        and not a.is_draft and a.deleted_at is null and not ${isReleased('a')}
        -- With "not exists" the plan could read all attempts.
        and (select t.id from attempts t where t.candidate_id = c.id limit 1) is null
      for share of c skip locked for key share of a
    ) seat
  ), first as (
    select distinct on (candidate_id) * from allowed order by candidate_id, n
  ), counted as (
    insert into form_deals as d (assessment, is_demo, seed, dealt)
    select assessment, is_demo, min(seed), count(*) from first where forms is not null
    group by assessment, is_demo order by assessment, is_demo
    on conflict (assessment, is_demo) do update set dealt = d.dealt + excluded.dealt
    returning *
  ), numbered as (
    select n, assessment, is_demo, row_number() over same - count(*) over same as number from first
    where forms is not null
    window same as (partition by assessment, is_demo order by n rows between unbounded preceding and unbounded following)
  ), dealt as (
    select n, dealt_form(seed, dealt + number::int - 1) as form
    from numbered join counted using (assessment, is_demo)
  ), made as (
    insert into attempts (id, assessment, candidate_id, user_id, form, paper, started_at, deadline_at,
      window_id, is_demo)
    select gen_random_uuid(), assessment, candidate_id, user_id, form, case when form is null then paper::int[]
        else array(select item from unnest(paper::int[], forms::text[]) with ordinality as asked (item, by, at)
          where by is null or by = form order by at) end,
      $1, deadline_at, window_id, is_demo
    from first left join dealt using (n)
    on conflict (assessment, candidate_id) do nothing
    returning id, candidate_id, deadline_at, form
  ), opened as (
    insert into attempt_windows (attempt_id, window_id, opened_at, user_id, address, agent)
    select id, window_id, $1, user_id, address, agent from made join first using (candidate_id)
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, address,
      agent, received_at)
    select candidate_id, id, 'started', window_id, 0, user_id, address, agent, $1
    from made join first using (candidate_id)
  )
  select n, id, made.deadline_at as "deadlineAt", made.form from made join first using (candidate_id)`

type Form = 'A' | 'B'

interface Started {
  id: string
  deadlineAt: Date
  form: Form | null
}

/** Creates attempts. Null for a call that may not start, has started, or whose row is locked elsewhere. */
export async function startAttempts(
  client: Client,
  calls: readonly StartCall[],
  now: Date,
): Promise<(Started | null)[]> {
  const rows = await forEachSeat<Started & { n: number }>(
    client,
    'start-round',
    START,
    now,
    calls,
    [
      calls.map(({ paper }) => `{${paper.join(',')}}`),
      calls.map(({ forms }) => forms && `{${forms.map((form) => form ?? 'null').join(',')}}`),
      calls.map(({ seed }) => seed),
      calls.map(({ origin }) => origin.address),
      calls.map(({ origin }) => origin.agent),
    ],
  )
  return rows.map(([row]) => row ?? null)
}

/** Maximum take-overs per attempt. A script could make hundreds a minute, which would slow reads of incidents. */
const TAKE_OVERS_LIMIT = 300

/**
 * Opens an attempt in a window, which then owns it. A start from another window, account, address or browser is
 * recorded as a take-over (product 6.4.5). The attempt is locked and open. Errors: 409 too_many_windows.
 */
export async function openInWindow(
  client: Client,
  attempt: Attempt,
  windowId: string,
  { userId, address, agent }: Origin,
  now: Date,
): Promise<Attempt> {
  const { rows } = await client.query<{ isFull: boolean }>({
    name: 'take-over',
    text: `
      with known as (
        select from attempt_windows w join attempts t on t.id = w.attempt_id
        where w.attempt_id = $1 and w.window_id = $2 and (t.window_id, t.user_id) = ($2, $4)
          and w.user_id is not distinct from $4 and w.address is not distinct from $5
          and w.agent is not distinct from $6
      ), past as (
        select count(*) as count from attempt_events where candidate_id = $7 and kind = 'taken_over'
      ), allowed as (
        select from past where count < ${TAKE_OVERS_LIMIT} and not exists (select from known)
      ), opened as (
        insert into attempt_windows (attempt_id, window_id, opened_at, user_id, address, agent)
        select $1, $2, $3::timestamptz, $4, $5, $6 from allowed on conflict do nothing
      ), owned as (
        update attempts set window_id = $2, user_id = $4
        where id = $1 and exists (select from allowed)
        returning id, candidate_id, started_at
      ), event as (
        insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, address,
          agent, received_at)
        select candidate_id, id, 'taken_over', $2,
          extract(epoch from $3::timestamptz - started_at) * 1000, $4, $5, $6, $3 from owned
      )
      select not exists (select from known) and not exists (select from allowed) as "isFull"`,
    values: [attempt.id, windowId, now, userId, address, agent, attempt.candidateId],
  })
  if (rows[0]?.isFull) {
    throw new ApiError(
      409,
      'too_many_windows',
      'This test was opened in too many windows. Please continue in the one you opened last.',
    )
  }
  return { ...attempt, windowId, userId }
}

/** Milliseconds from the attempt's start until the window opened it. */
export async function readWindowOffsetMs(
  client: Client,
  attempt: Pick<Attempt, 'id' | 'startedAt'>,
  windowId: string,
): Promise<number> {
  const { rows } = await client.query<{ openedAt: Date }>({
    name: 'window-opened-at',
    text: 'select opened_at as "openedAt" from attempt_windows where attempt_id = $1 and window_id = $2',
    values: [attempt.id, windowId],
  })
  return rows[0] ? rows[0].openedAt.getTime() - attempt.startedAt.getTime() : 0
}

/** Closes each attempt in `closing` once (product 6.9.3). The search by ctid reads no other rows. */
const CLOSE = `
  closed as (
    update attempts t set submitted_at = closing.at, submit_reason = closing.reason,
      closed_by_submit = closing.by_submit
    from closing cross join lateral (
      select a.ctid from attempts a where a.id = closing.id and a.submitted_at is null limit 1
    ) found
    where t.ctid = found.ctid and t.submitted_at is null
    returning t.id, t.candidate_id, t.started_at, t.submitted_at, t.submit_reason, t.user_id,
      closing.dwell
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, dwell, user_id, received_at)
    select candidate_id, id, 'submitted', extract(epoch from submitted_at - started_at) * 1000,
      jsonb_build_object('reason', submit_reason), dwell, user_id, $1 from closed
  )`

const SUBMIT = `
  with open as (
    select calls.n, t.id, t.window_id, calls.last_event, t.deadline_at, t.paper
    from ${CALLS}, $7::int[]) as calls(${CALLS_COLUMNS}, last_event)
    ${ATTEMPTS_OF_CALLS}
    where ${IS_TAKEN} and (not ${IS_RUNNING}
      or cardinality(t.paper) = (select count(*) from attempt_answers a where a.attempt_id = t.id))
  ), ${REPORTED}, ${looksOfCalls(8)}, closing as (
    select distinct on (id) id, least($1::timestamptz, deadline_at) as at,
      case when deadline_at > $1 then 'candidate' else 'deadline' end as reason, true as by_submit, dwell
    from open left join looks using (n)
  ), ${CLOSE}
  select n, id, submitted_at as "submittedAt" from open join closed using (id)`

export interface SubmitCall extends Seat {
  lastEvent: number
  dwell: readonly Dwell[]
}

/** Closes submitted attempts, running ones only if complete (product 6.7.8). Null for the others. */
export async function submitAttempts(
  client: Client,
  calls: readonly SubmitCall[],
  now: Date,
): Promise<({ id: string; submittedAt: Date } | null)[]> {
  const rows = await forEachSeat<{ n: number; id: string; submittedAt: Date }>(
    client,
    'submit-round',
    SUBMIT,
    now,
    calls,
    [calls.map(({ lastEvent }) => lastEvent), ...looksColumns(calls)],
  )
  return rows.map(([row]) => row ?? null)
}

/** Closes an attempt once. @returns whether this call closed it */
export async function closeAttempt(
  client: Client,
  attemptId: string,
  closing: {
    at: Date
    reason: SubmitReason
    bySubmit: boolean
    /** Viewing times from a submit call, for items on the paper. */
    dwell?: readonly Dwell[]
  },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'close-attempt',
    text: `
      with open as (
        select 0 as n, paper from attempts where id = $2
      ), ${looksOfCalls(6)}, closing as (
        select $2::uuid as id, $3::timestamptz as at, $4::text as reason, $5::boolean as by_submit,
          (select dwell from looks) as dwell
      ), ${CLOSE}
      select from closed`,
    values: [
      ...[now, attemptId, closing.at, closing.reason, closing.bySubmit],
      ...looksColumns([{ dwell: closing.dwell ?? [] }]),
    ],
  })
  return rowCount === 1
}

/** Closes attempts after the grace period, at their deadlines (product 6.7.11). Skips locked rows. */
export async function closeOverdue(client: Client, now: Date, limit: number): Promise<number> {
  const { rowCount } = await client.query({
    name: 'close-overdue',
    text: `
      with closing as (
        select t.id, t.deadline_at as at, 'deadline' as reason, false as by_submit, null::jsonb as dwell
        from attempts t
        -- The first condition matches its index.
        where case when t.submitted_at is null then t.deadline_at end <= $2
          and $1 >= ${graceEnd('t.deadline_at')}
        order by case when t.submitted_at is null then t.deadline_at end limit $3
        for no key update of t skip locked
      ), ${CLOSE}
      select from closed`,
    values: [now, new Date(now.getTime() - GRACE_MS), limit],
  })
  return rowCount ?? 0
}

/** Closes a locked, open attempt whose grace period is over, at its deadline (product 6.7.11). */
export async function closeAtDeadline(
  client: Client,
  attempt: Attempt,
  now: Date,
): Promise<Attempt> {
  const at = attempt.deadlineAt
  await closeAttempt(client, attempt.id, { at, reason: 'deadline', bySubmit: false }, now)
  return { ...attempt, submittedAt: at, submitReason: 'deadline' }
}
