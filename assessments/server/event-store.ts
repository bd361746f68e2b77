import type pg from 'pg'
import { fieldLists } from '../../platform/database/database.ts'
import { MAX_VIOLATIONS, type RecordedEvent } from '../violations.ts'
import type { Seat } from './candidate-store.ts'
import { ATTEMPTS_OF_CALLS, CALLS, CALLS_COLUMNS, forEachSeat, IS_RUNNING } from './seat-calls.ts'

type Client = Pick<pg.Pool, 'query'>

/** Maximum stored page events per attempt (product 6.8.15). */
export const EVENTS_LIMIT = 5_000

export interface Origin {
  userId: string
  address: string
  agent: string | null
}

/** Records that an organizer counted a late answer (product 6.8.10). */
export async function recordAcceptedAnswer(
  client: Client,
  { id, candidateId, startedAt }: { id: string; candidateId: string; startedAt: Date },
  detail: { event: number; questionId: number; choice: string },
  now: Date,
): Promise<void> {
  await client.query({
    name: 'record-accepted-answer',
    text: `
      insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
      values ($1, $2, 'late_accepted', $3, $4, $5)`,
    values: [candidateId, id, now.getTime() - startedAt.getTime(), JSON.stringify(detail), now],
  })
}

export interface PageEvent {
  id: number
  kind: string
  detail?: object | undefined
}

/** Stores the rows of `noted` by event number. Already stored numbers change nothing. */
const KEEP_NOTED = `
  insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail,
    is_violation, user_id, received_at)
  select candidate_id, id, kind, window_id, number, at_ms, detail, is_violation, user_id, $1
  from noted order by number
  on conflict (attempt_id, window_id, number) do nothing`

/** Stores page events whose effect was already decided in order. The attempt is locked. */
export async function storeEvents(
  client: Client,
  attempt: { id: string; candidateId: string },
  { windowId, userId }: Seat,
  events: readonly (PageEvent & RecordedEvent)[],
  now: Date,
): Promise<void> {
  await client.query({
    name: 'store-events',
    text: `
      with noted as (
        select $2::uuid as candidate_id, $3::uuid as id, $4::text as window_id, $5::uuid as user_id, events.*
        from unnest($6::int[], $7::text[], $8::bigint[], $9::jsonb[], $10::boolean[])
          as events (number, kind, at_ms, detail, is_violation)
      )
      ${KEEP_NOTED}`,
    values: [
      now,
      attempt.candidateId,
      attempt.id,
      windowId,
      userId,
      ...fieldLists(events, 'id', 'kind', 'atMs'),
      events.map(({ detail }) => (detail ? JSON.stringify(detail) : null)),
      events.map(({ isViolation }) => isViolation),
    ],
  })
}

export interface QuietCall extends Seat {
  /** Of kinds that never count. `at` is in milliseconds since their window opened. */
  events: readonly (PageEvent & { at: number })[]
}

// Times are clamped one after another, as clampEventTime in assessments/violations.ts does. A reopened attempt with all
// its strikes is skipped, because its next event closes it.
const STORE_QUIET = `
  with open as (
    select calls.n, calls.window_id, calls.user_id, t.id, t.candidate_id, w.violations, past.previous_ms,
      extract(epoch from w.opened_at - t.started_at) * 1000 as offset_ms,
      extract(epoch from $1::timestamptz - t.started_at) * 1000 as elapsed_ms
    from ${CALLS}) as calls(${CALLS_COLUMNS})
    ${ATTEMPTS_OF_CALLS}
    cross join lateral (
      select opened_at, attempt_strikes(t.id) as violations from attempt_windows w
      where w.attempt_id = t.id and w.window_id = t.window_id limit 1
    ) w
    cross join lateral (
      select count(*) as count, coalesce(max(at_ms), 0) as previous_ms
      from attempt_events e where e.attempt_id = t.id and e.number is not null
    ) past
    where ${IS_RUNNING} and w.violations < ${MAX_VIOLATIONS} and past.count < ${EVENTS_LIMIT}
  ), noted as (
    select candidate_id, id, kind, window_id, number, detail, false as is_violation, user_id,
      round(least(greatest(offset_ms + max(at) over (partition by n order by number), previous_ms),
        greatest(elapsed_ms, previous_ms))) as at_ms
    from open join unnest($7::int[], $8::int[], $9::text[], $10::float8[], $11::jsonb[])
      as sent(n, number, kind, at, detail) using (n)
  ), kept as (${KEEP_NOTED})
  select n, violations from open`

/** Stores events that never count. @returns strikes so far, or null for a call that needs storeEvents */
export async function storeQuietEvents(
  client: Client,
  calls: readonly QuietCall[],
  now: Date,
): Promise<({ violations: number } | null)[]> {
  const sent = calls.flatMap(({ events }, n) => events.map((event) => ({ n, ...event })))
  const rows = await forEachSeat<{ n: number; violations: number }>(
    client,
    'quiet-round',
    STORE_QUIET,
    now,
    calls,
    [
      sent.map(({ n }) => n),
      sent.map(({ id }) => id),
      sent.map(({ kind }) => kind),
      sent.map(({ at }) => at),
      sent.map(({ detail }) => (detail ? JSON.stringify(detail) : null)),
    ],
  )
  return rows.map(([row]) => row ?? null)
}

/** Reads only the last event per kind: reading all 5,000 took four times as long as the rest of a call. */
export async function readPageEvents(
  client: Client,
  attemptId: string,
  windowId: string,
  sent: readonly number[],
  now: Date,
): Promise<{
  recorded: RecordedEvent[]
  /** The sent numbers that this window has already used. */
  numbers: Set<number>
  recordedCount: number
  /** How many of those arrived in the last minute. */
  lastMinuteCount: number
  /** How many of those are help requests. */
  helpCount: number
}> {
  const { rows } = await client.query<RecordedEvent & { count: number; newCount: number }>({
    name: 'page-events',
    text: `
      select e.kind, e.at_ms::float8 as "atMs", e.is_violation as "isViolation", last.count,
        last.new_count as "newCount"
      from (
        select max(id) as id, count(*)::int as count,
          (count(*) filter (where received_at > $2))::int as new_count
        from attempt_events where attempt_id = $1 and number is not null
        group by kind, is_violation
      ) last join attempt_events e using (id) order by e.id`,
    values: [attemptId, new Date(now.getTime() - 60_000)],
  })
  const used = await client.query<{ number: number }>({
    name: 'used-numbers',
    text: `select number from attempt_events
      where attempt_id = $1 and window_id = $2 and number = any ($3::int[])`,
    values: [attemptId, windowId, sent],
  })
  return {
    recorded: rows.map(({ kind, atMs, isViolation }) => ({ kind, atMs, isViolation })),
    numbers: new Set(used.rows.map(({ number }) => number)),
    recordedCount: rows.reduce((sum, { count }) => sum + count, 0),
    lastMinuteCount: rows.reduce((sum, { newCount }) => sum + newCount, 0),
    helpCount: rows.find(({ kind }) => kind === 'help')?.count ?? 0,
  }
}

const ms = (instant: string) => `round(date_part('epoch', ${instant}) * 1000)`

/** A candidate c's help requests as JSON, oldest first, or null. Reading one request marks all earlier ones as read. */
export const HELP_OF_CANDIDATE = `(
  select json_agg(json_build_object('event', h.id, 'text', h.detail ->> 'text',
    'atMs', ${ms('h.received_at')}, 'readMs', (
      select ${ms('min(r.received_at)')} from attempt_events r
      where r.candidate_id = c.id and r.kind = 'help_read' and (r.detail ->> 'event')::bigint >= h.id
    )) order by h.id)
  from attempt_events h where h.candidate_id = c.id and h.kind = 'help')`

/** Records, once, that a member has read a candidate's help requests up to one. */
export async function noteHelpRead(
  client: Client,
  candidateId: string,
  event: number,
  now: Date,
): Promise<void> {
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
     select h.candidate_id, h.attempt_id, 'help_read', extract(epoch from $3::timestamptz - t.started_at) * 1000,
       jsonb_build_object('event', h.id), $3
     from attempt_events h join attempts t on t.id = h.attempt_id
     where h.candidate_id = $1 and h.id = $2 and h.kind = 'help' and not exists (
       select from attempt_events r where r.candidate_id = $1 and r.kind = 'help_read'
         and (r.detail ->> 'event')::bigint >= $2)`,
    [candidateId, event, now],
  )
}

/** Records once a minute that a page sent too many events to store (product 6.8.15). The attempt is locked. */
export async function noteFlood(
  client: Client,
  attempt: { id: string; candidateId: string; startedAt: Date },
  dropped: number,
  now: Date,
): Promise<void> {
  await client.query({
    name: 'note-flood',
    text: `
      insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
      select $1, $2, 'events_dropped', $3, $4, $5
      where not exists (select from attempt_events
        where attempt_id = $2 and kind = 'events_dropped' and received_at > $6)`,
    values: [
      attempt.candidateId,
      attempt.id,
      now.getTime() - attempt.startedAt.getTime(),
      JSON.stringify({ dropped }),
      now,
      new Date(now.getTime() - 60_000),
    ],
  })
}

/** Counts current strikes: violations that are not voided, of kinds the candidate isn't exempt from. */
export async function countStrikes(client: Client, attemptId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'count-strikes',
    text: 'select attempt_strikes($1) as count',
    values: [attemptId],
  })
  return rows[0]?.count ?? 0
}

/** Lists the same strikes in order, for the candidate. */
export async function readStrikes(
  client: Client,
  { id, startedAt }: { id: string; startedAt: Date },
): Promise<{ kind: string; key?: string; at: string }[]> {
  const { rows } = await client.query<{ kind: string; key: string | null; atMs: number }>({
    name: 'read-strikes',
    text: `select e.kind, e.detail->>'key' as key, e.at_ms::float8 as "atMs"
      from attempt_events e join candidates c on c.id = e.candidate_id
      where e.attempt_id = $1 and e.is_violation and e.voided_at is null
        and e.kind <> all (c.exempt_kinds)
      order by e.id`,
    values: [id],
  })
  return rows.map(({ kind, key, atMs }) => ({
    kind,
    ...(key === null ? {} : { key }),
    at: new Date(startedAt.getTime() + atMs).toISOString(),
  }))
}

/** Voids events with a reason (product 7.4.4). The attempts are locked. @returns those that counted */
export async function voidEvents(
  client: Client,
  eventIds: readonly number[],
  reason: string,
  now: Date,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `update attempt_events set voided_at = $2, void_reason = $3
     where id = any ($1::bigint[]) and is_violation and voided_at is null returning id::float8 as id`,
    [eventIds, now, reason],
  )
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Restores voided events. The attempts are locked. @returns those that did not count */
export async function restoreEvents(
  client: Client,
  eventIds: readonly number[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `update attempt_events set voided_at = null, void_reason = null
     where id = any ($1::bigint[]) and is_violation and voided_at is not null
     returning id::float8 as id`,
    [eventIds],
  )
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}
