import { kr20 } from '../../statistics/reliability.ts'
import { score } from '../../statistics/responses.ts'
import { FIGURES_FROM } from '../../statistics/sample-size.ts'
import {
  guessThresholds,
  isRapid,
  LEAST_SOLUTION_PACE,
  outOfTime,
  solutionPace,
  type TimesMs,
} from '../../statistics/times.ts'
import type { LookedTimes } from './looked-times.ts'
import type { Sat } from './sat.ts'

/** By candidate and question of the form; an attempt of which nothing was told has no times at all. */
export function timesOf({ rows, items }: Sat, looked: LookedTimes): TimesMs {
  return rows.map(({ attemptId }) => {
    const own = looked.get(attemptId)
    return items.map(({ id }) => (own ? (own.get(id) ?? 0) : null))
  })
}

/** What the times say of the test as a whole (product 7.18.14). */
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
  const { choices, ...rest } = sat.responses
  const serious = { ...rest, choices: choices.filter((_, index) => isSerious(index)) }
  return {
    timed,
    pace:
      timed < FIGURES_FROM
        ? null
        : { notSerious, without: notSerious > 0 ? kr20(score(serious)) : null },
    outOfTime: sat.rows.length < FIGURES_FROM ? null : ends,
  }
}
