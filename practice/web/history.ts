import { localDay } from '../../platform/local-day.ts'
import { daysBefore, weekOf } from '../../platform/web/dates.ts'

/** The part of a finished test that the charts draw. */
export interface PastTest {
  completedAt: string
  percentage: number
}

/** How many tests were finished on each local day (yyyy-mm-dd) of a time zone. */
export function countByDay(tests: readonly PastTest[], timeZone: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { completedAt } of tests) {
    const day = localDay(Date.parse(completedAt), timeZone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

/** The days (yyyy-mm-dd) of the last weeks, Monday first, up to the week that `today` lies in. */
export function lastWeeks(today: string, weeks: number): string[][] {
  return Array.from({ length: weeks }, (_, index) =>
    weekOf(daysBefore(today, 7 * (weeks - 1 - index))).map(({ day }) => day),
  )
}
