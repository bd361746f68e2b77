import type { OptionLetter } from '../../platform/options.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { MAX_VIOLATIONS } from '../violations.ts'

// What a whole room does in the same moment (product 9.8.4, 10.7.5): start, save, submit. Each is one
// statement for all calls of a round. A call that is not as usual in every respect (refused, late,
// repeated, in another window, locked by an organiser) is left out of it, answered with null, and goes the
// long way of routes.ts, answers.ts and events.ts, which knows every case and its words.

/** Where a call comes from, as it is kept beside verifications, starts and take-overs. */
export interface Origin {
  userId: string
  address: string
  agent: string | null
}

/** Which attempt a call means: the caller has shown nothing of it yet but a token. */
export interface Seat {
  code: string
  /** SHA-256 of the candidate token */
  tokenHash: Buffer | null
  userId: string
  windowId: string
}

interface StartCall extends Seat {
  /** item ids in this candidate's order */
  paper: readonly number[]
  origin: Origin
}

interface SaveCall extends Seat {
  /** each question once */
  choices: readonly { questionId: number; choice: OptionLetter; revision: number }[]
  lastEvent: number
}

interface QuietCall extends Seat {
  /** of a kind that never counts */
  event: { id: number; kind: string; at: number; detail?: object | undefined }
}

/** Each function answers null when the call has to go the long way; nothing was changed then. */
export interface Room {
  /** The first start of an attempt. */
  start(call: StartCall): Promise<{ id: string; deadlineAt: Date } | null>
  /** Choices made in time. @returns the revision stored now for each question sent */
  save(call: SaveCall): Promise<{ questionId: number; revision: number }[] | null>
  /** A complete test, handed in in time. */
  submit(call: Seat): Promise<{ id: string; submittedAt: Date } | null>
  /** An event that never counts. @returns strikes so far */
  note(call: QuietCall): Promise<{ violations: number } | null>
}

/** The calls of a round as a relation; further columns follow. */
const CALLS = 'unnest($2::int[], $3::text[], $4::bytea[], $5::uuid[], $6::text[]'
const CALLS_COLUMNS = 'n, assessment, token_hash, user_id, window_id'

/** The candidate that a call's token stands for, as requireCandidate finds it. */
const CANDIDATES_OF_CALLS = `
  join candidate_tokens k on k.token_hash = calls.token_hash and k.user_id = calls.user_id
  join candidates c on c.id = k.candidate_id and c.assessment = calls.assessment and c.revoked_at is null`

// The attempts of the calls that run and belong to the calling window, locked as a single save locks them.
// One that somebody else holds just now is left out, so that nobody waits for another's attempt.
const ATTEMPTS_OF_CALLS = `${CANDIDATES_OF_CALLS}
  join attempts t on t.candidate_id = c.id and t.window_id = calls.window_id`
const IS_RUNNING = 't.submitted_at is null and t.deadline_at > $1'
const LOCKED = 'for no key update of t skip locked'

export function createRoom({ db, now, log }: AppDependencies): Room {
  /**
   * Runs a statement for a round. It has no name, so that it is planned each time, by what the tables hold
   * now: a kept plan of an empty table read all of ten thousand attempts for each round.
   * @returns for each call its rows
   */
  async function forEachCall<Row extends { n: number }>(
    text: string,
    calls: readonly Seat[],
    more: readonly unknown[],
  ): Promise<Row[][]> {
    const { rows } = await db.$client.query<Row>({
      text,
      values: [
        now(),
        calls.map((_, n) => n),
        calls.map(({ code }) => code),
        calls.map(({ tokenHash }) => tokenHash),
        calls.map(({ userId }) => userId),
        calls.map(({ windowId }) => windowId),
        ...more,
      ],
    })
    const rowsOf: Row[][] = calls.map(() => [])
    for (const row of rows) rowsOf[row.n]?.push(row)
    return rowsOf
  }

  return {
    start: inRounds(log, async (calls) => {
      const rows = await forEachCall<{ n: number; id: string; deadlineAt: Date }>(START, calls, [
        calls.map(({ paper }) => `{${paper.join(',')}}`),
        calls.map(({ origin }) => origin.address),
        calls.map(({ origin }) => origin.agent),
      ])
      return rows.map(([row]) => row ?? null)
    }),

    save: inRounds(log, async (calls) => {
      const sent = calls.flatMap(({ choices }, n) => choices.map((choice) => ({ n, ...choice })))
      const rows = await forEachCall<{
        n: number
        questionId: number | null
        revision: number | null
      }>(SAVE, calls, [
        calls.map(({ lastEvent }) => lastEvent),
        sent.map(({ n }) => n),
        sent.map(({ questionId }) => questionId),
        sent.map(({ choice }) => choice),
        sent.map(({ revision }) => revision),
      ])
      return rows.map((own) => {
        if (own.length === 0) return null
        return own.flatMap(({ questionId, revision }) =>
          questionId === null || revision === null ? [] : [{ questionId, revision }],
        )
      })
    }),

    submit: inRounds(log, async (calls) => {
      const rows = await forEachCall<{ n: number; id: string; submittedAt: Date }>(
        SUBMIT,
        calls,
        [],
      )
      return rows.map(([row]) => row ?? null)
    }),

    note: inRounds(log, async (calls) => {
      const rows = await forEachCall<{ n: number; violations: number }>(NOTE, calls, [
        calls.map(({ event }) => event.id),
        calls.map(({ event }) => event.kind),
        calls.map(({ event }) => event.at),
        calls.map(({ event }) => (event.detail ? JSON.stringify(event.detail) : null)),
      ])
      return rows.map(([row]) => row ?? null)
    }),
  }
}

// The candidate's row is locked: an organiser may be giving extra time in this very moment. Of two windows
// that start in the same round the second goes the long way and takes over.
const START = `
  with allowed as (
    select calls.*, c.id as candidate_id, c.is_demo,
      $1::timestamptz + make_interval(secs => a.duration_seconds + c.extra_seconds) as deadline_at
    from ${CALLS}, $7::text[], $8::text[], $9::text[]) as calls(${CALLS_COLUMNS}, paper, address, agent)
    ${CANDIDATES_OF_CALLS}
    join assessments a on a.code = c.assessment
    where (a.opens_at is null or a.opens_at <= $1) and (a.closes_at is null or a.closes_at >= $1)
      and not exists (select from attempts t where t.candidate_id = c.id)
    for share of c skip locked
  ), first as (
    select distinct on (candidate_id) * from allowed order by candidate_id, n
  ), made as (
    insert into attempts (id, assessment, candidate_id, user_id, paper, started_at, deadline_at,
      window_id, is_demo)
    select gen_random_uuid(), assessment, candidate_id, user_id, paper::int[], $1, deadline_at,
      window_id, is_demo from first
    on conflict (assessment, candidate_id) do nothing
    returning id, candidate_id, deadline_at
  ), opened as (
    insert into attempt_windows (attempt_id, window_id, opened_at, user_id, address, agent)
    select id, window_id, $1, user_id, address, agent from made join first using (candidate_id)
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, address,
      agent, received_at)
    select candidate_id, id, 'started', window_id, 0, user_id, address, agent, $1
    from made join first using (candidate_id)
  )
  select n, id, made.deadline_at as "deadlineAt" from made join first using (candidate_id)`

// The same as storeChoices of answers.ts, for many.
const SAVE = `
  with sent as (
    select * from unnest($8::int[], $9::int[], $10::text[], $11::int[])
      as sent(n, item_id, choice, revision)
  ), open as (
    select calls.n, calls.window_id, calls.user_id, calls.last_event, t.id, t.candidate_id,
      t.started_at
    from ${CALLS}, $7::int[]) as calls(${CALLS_COLUMNS}, last_event)
    ${ATTEMPTS_OF_CALLS}
    where ${IS_RUNNING}
      and not exists (select from sent where sent.n = calls.n and sent.item_id <> all (t.paper))
    ${LOCKED}
  ), newest as (
    select distinct on (open.id, item_id) open.id, item_id, choice, revision
    from open join sent using (n) order by open.id, item_id, revision desc
  ), saved as (
    insert into attempt_answers as stored (attempt_id, item_id, choice, revision, saved_at)
    select id, item_id, choice, revision, $1 from newest
    on conflict (attempt_id, item_id) do update set
      choice = case when excluded.revision > stored.revision then excluded.choice else stored.choice end,
      saved_at = case when excluded.revision > stored.revision then excluded.saved_at else stored.saved_at end,
      revision = greatest(excluded.revision, stored.revision)
    returning attempt_id, item_id, revision
  ), reported as (
    update attempt_windows w set last_event = latest.last_event
    from (select id, window_id, max(last_event) as last_event from open group by id, window_id) latest
    where w.attempt_id = latest.id and w.window_id = latest.window_id
      and w.last_event < latest.last_event
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, user_id, received_at)
    select open.candidate_id, open.id, 'saved', open.window_id,
      extract(epoch from $1::timestamptz - open.started_at) * 1000, choices.detail, open.user_id, $1
    from open join (
      select n, jsonb_agg(jsonb_build_array(item_id, choice, revision)) as detail from sent group by n
    ) choices using (n)
  )
  select open.n, saved.item_id as "questionId", saved.revision
  from open left join sent using (n)
    left join saved on saved.attempt_id = open.id and saved.item_id = sent.item_id`

// The same as closeAttempt of attempts.ts, for many who have answered everything.
const SUBMIT = `
  with open as (
    select calls.n, t.id
    from ${CALLS}) as calls(${CALLS_COLUMNS})
    ${ATTEMPTS_OF_CALLS}
    where ${IS_RUNNING}
      and cardinality(t.paper) = (select count(*) from attempt_answers a where a.attempt_id = t.id)
    ${LOCKED}
  ), closed as (
    update attempts t set submitted_at = $1, submit_reason = 'candidate', closed_by_submit = true
    from (select distinct id from open) ready where t.id = ready.id
    returning t.id, t.candidate_id, t.started_at, t.user_id
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, user_id, received_at)
    select candidate_id, id, 'submitted', extract(epoch from $1::timestamptz - started_at) * 1000,
      '{"reason": "candidate"}', user_id, $1 from closed
  )
  select n, id, $1::timestamptz as "submittedAt" from open join closed using (id)`

// The time is clamped as clampEventTime of assessments/violations.ts does. Whoever has all strikes and was let
// in again goes the long way: the next event decides.
const NOTE = `
  with open as (
    select calls.*, t.id, t.candidate_id, attempt_strikes(t.id) as violations,
      extract(epoch from w.opened_at - t.started_at) * 1000 as offset_ms,
      extract(epoch from $1::timestamptz - t.started_at) * 1000 as elapsed_ms,
      (select coalesce(max(at_ms), 0) from attempt_events e
       where e.attempt_id = t.id and e.number is not null) as previous_ms
    from ${CALLS}, $7::int[], $8::text[], $9::float8[], $10::jsonb[])
      as calls(${CALLS_COLUMNS}, number, kind, at, detail)
    ${ATTEMPTS_OF_CALLS}
    join attempt_windows w on w.attempt_id = t.id and w.window_id = t.window_id
    where ${IS_RUNNING} and attempt_strikes(t.id) < ${MAX_VIOLATIONS}
    ${LOCKED}
  ), event as (
    insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail,
      user_id, received_at)
    select candidate_id, id, kind, window_id, number,
      round(least(greatest(offset_ms + at, previous_ms), greatest(elapsed_ms, previous_ms))), detail,
      user_id, $1
    from open
    on conflict (attempt_id, window_id, number) do nothing
  )
  select n, violations from open`
