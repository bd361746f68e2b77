import type pg from 'pg'
import { GRACE_MS } from '../deadline.ts'
import type { Seat } from './candidate-store.ts'

// Calls that a room makes at the same moment (product 9.8.4, 10.7.5) share one statement, which finds each call's
// candidate and attempt here. An unusual call (rejected, repeated, from another window, locked elsewhere) is skipped:
// nothing changes for it, and its result is null.

/** Milliseconds between the starts of two batches. A call in a large batch costs a tenth of an unbatched one. */
export const ROUND_EVERY_MS = 40

/** The calls as a relation. The bracket stays open for more columns. $1 is now. */
export const CALLS = 'unnest($2::int[], $3::text[], $4::bytea[], $5::uuid[], $6::text[]'
export const CALLS_COLUMNS = 'n, assessment, token_hash, user_id, window_id'

/** Finds the candidate of a call's token as findSeated does, for use in a subselect. */
export const CANDIDATE_OF_CALL = `
  from candidate_tokens k
  join candidates c on c.id = k.candidate_id`
export const IS_CANDIDATE_OF_CALL = `k.token_hash = calls.token_hash and k.user_id = calls.user_id
  and c.assessment = calls.assessment and c.revoked_at is null`

/** Locks the attempts of the calls' windows and accounts and skips locked ones. Each lookup uses an index. */
export const ATTEMPTS_OF_CALLS = `
  cross join lateral (
    select t.*
    ${CANDIDATE_OF_CALL}
    join attempts t on t.candidate_id = c.id
    where ${IS_CANDIDATE_OF_CALL} and t.window_id = calls.window_id and t.user_id = calls.user_id
    for no key update of t skip locked
  ) t`
export const IS_RUNNING = '(t.submitted_at is null and t.deadline_at > $1)'
/** Running, or in the standard grace period. Longer ones are checked unbatched (product 6.7.8, 6.7.12). */
export const IS_TAKEN = `(t.submitted_at is null and t.deadline_at + ${GRACE_MS} * interval '1 ms' > $1)`

/** Stores the number of each window's last event, as the calls in `open` report it, so that missing events show. */
export const REPORTED = `
  reported as (
    update attempt_windows w set last_event = latest.last_event
    from (select id, window_id, max(last_event) as last_event from open group by id, window_id) latest
    cross join lateral (
      select o.ctid from attempt_windows o
      where o.attempt_id = latest.id and o.window_id = latest.window_id and o.last_event < latest.last_event
      limit 1
    ) found
    where w.ctid = found.ctid and w.last_event < latest.last_event
  )`

/** Total viewing time of a question in the calling window (product 6.6.9). */
export interface Dwell {
  item: number
  ms: number
}

/** SQL for the viewing times of each call in `open` (n, paper): looks (n, dwell). @param first of three parameters */
export const looksOfCalls = (first: number) => `
  looks as (
    select open.n, jsonb_agg(jsonb_build_array(item, ms) order by item) as dwell
    from open join unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::int[]) as look(n, item, ms) using (n)
    where item = any (open.paper)
    group by open.n
  )`

/** The three parameters of `looksOfCalls`. Each question of a call appears once, with its longest time. */
export function looksColumns(calls: readonly { dwell: readonly Dwell[] }[]): number[][] {
  const looks = calls.flatMap(({ dwell }, n) => {
    const longest = new Map<number, number>()
    for (const { item, ms } of dwell) longest.set(item, Math.max(ms, longest.get(item) ?? 0))
    return [...longest].map(([item, ms]) => ({ n, item, ms }))
  })
  return [looks.map(({ n }) => n), looks.map(({ item }) => item), looks.map(({ ms }) => ms)]
}

/**
 * Runs a statement for many calls at once. `more` are values from $7 on. The plan is cached by `name` and must serve
 * ten thousand candidates, so each subselect finds one row by an index (round-reads.test.ts).
 */
export async function forEachSeat<Row extends { n: number }>(
  client: Pick<pg.Pool, 'query'>,
  name: string,
  text: string,
  now: Date,
  calls: readonly Seat[],
  more: readonly unknown[],
): Promise<Row[][]> {
  const { rows } = await client.query<Row>({
    name,
    text,
    values: [
      now,
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
