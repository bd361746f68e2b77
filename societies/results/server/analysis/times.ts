import type { Sat } from '../../../incidents/server/sat.ts'
import type { Client } from '../../../kit/server/action.ts'
import { kr20 } from '../../../kit/statistics/reliability.ts'
import { score } from '../../../kit/statistics/responses.ts'
import { FIGURES_FROM } from '../../../kit/statistics/sample-size.ts'
import {
  guessThresholds,
  isRapid,
  LEAST_SOLUTION_PACE,
  outOfTime,
  solutionPace,
  type TimesMs,
} from '../../../kit/statistics/times.ts'

/** By attempt, then by item: milliseconds. An attempt without any report is left out. */
export type LookedTimes = ReadonlyMap<string, ReadonlyMap<number, number>>

/**
 * How long each closed attempt looked at each question (product 6.6.9, 7.18.14): the most that a window reported,
 * added over its windows, and never more than the attempt lasted. Pages report it themselves: it is good for a
 * median, and proves nothing about a person.
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
       -- A submit names no window: it came from the newest one.
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

/** By candidate and question of the form; an attempt without any report has no times at all. */
export function timesOf({ rows, items }: Sat, looked: LookedTimes): TimesMs {
  return rows.map(({ attemptId }) => {
    const own = looked.get(attemptId)
    return items.map(({ id }) => (own ? (own.get(id) ?? 0) : null))
  })
}

/** What the times say about the test as a whole (product 7.18.14). */
export function paceOf(sat: Sat, times: TimesMs, papers: ReadonlyMap<string, readonly number[]>) {
  const thresholds = guessThresholds(times)
  const paces = times.map((row) => solutionPace(row, thresholds))
  const timed = paces.filter((pace) => pace !== null).length
  const isSerious = (index: number) => (paces[index] ?? 1) >= LEAST_SOLUTION_PACE
  const notSerious = paces.filter((_, index) => !isSerious(index)).length
  const places = new Map(sat.items.map(({ id }, index) => [id, index]))
  const ends = outOfTime(
    sat.rows.map(({ attemptId }, candidate) =>
      (papers.get(attemptId) ?? []).flatMap((id) => {
        const place = places.get(id)
        if (place === undefined) return []
        return {
          isAnswered: (sat.responses.choices[candidate]?.[place] ?? null) !== null,
          isRapid: isRapid(times[candidate]?.[place] ?? null, thresholds[place] ?? null),
        }
      }),
    ),
  )
  const choices = sat.responses.choices.filter((_, index) => isSerious(index))
  return {
    timed,
    pace:
      timed < FIGURES_FROM
        ? null
        : {
            notSerious,
            without: notSerious > 0 ? kr20(score({ ...sat.responses, choices })) : null,
          },
    outOfTime: sat.rows.length < FIGURES_FROM ? null : ends,
  }
}
