import type { Client } from '../action.ts'

/** By attempt, then by item: milliseconds. An attempt of which nothing is known is left out. */
export type LookedTimes = ReadonlyMap<string, ReadonlyMap<number, number>>

/**
 * How long each closed attempt looked at each question (product 6.6.9, 7.18.14): the most that a window told,
 * added over its windows, and never more than the attempt lasted. Pages tell it themselves: it is good for a
 * median, and proves nothing of anybody.
 */
export async function readLookedTimes(client: Client, code: string): Promise<LookedTimes> {
  const { rows } = await client.query<{ attemptId: string; item: number; ms: number }>(
    `with told as (
       select e.attempt_id, look.item, max(look.ms) as ms
       from attempts a join attempt_events e on e.attempt_id = a.id
       cross join lateral (
         select (pair->>0)::int as item, (pair->>1)::float8 as ms from jsonb_array_elements(e.dwell) pair
       ) look
       where a.assessment = $1 and not a.is_demo and a.submitted_at is not null
         and e.dwell is not null
       -- A submit says of no window that it was its own: it was the newest one's.
       group by e.attempt_id, look.item, coalesce(e.window_id, (
         select w.window_id from attempt_windows w
         where w.attempt_id = e.attempt_id and w.opened_at <= e.received_at
         order by w.opened_at desc limit 1))
     )
     select told.attempt_id as "attemptId", told.item,
       least(sum(told.ms), extract(epoch from a.submitted_at - a.started_at)::float8 * 1000) as ms
     from told join attempts a on a.id = told.attempt_id
     group by told.attempt_id, told.item, a.submitted_at, a.started_at`,
    [code],
  )
  const times = new Map<string, Map<number, number>>()
  for (const { attemptId, item, ms } of rows) {
    const own = times.get(attemptId) ?? new Map<number, number>()
    times.set(attemptId, own.set(item, ms))
  }
  return times
}

/** By closed attempt: the ids of its questions, in the order of its own paper. */
export async function readPapers(
  client: Client,
  code: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await client.query<{ id: string; paper: number[] }>(
    `select id, paper from attempts
     where assessment = $1 and not is_demo and submitted_at is not null`,
    [code],
  )
  return new Map(rows.map(({ id, paper }) => [id, paper]))
}
