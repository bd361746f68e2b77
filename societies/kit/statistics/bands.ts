import { conditionalStandardError, LEAST_RELIABILITY, pointsApart } from './reliability.ts'
import { FIGURES_FROM } from './sample-size.ts'

/** Half of 90% of a normal population lies within so many standard deviations on either side. */
const ZONE_Z = 1.645

/** What a test's error at one score is computed from. */
interface ErrorSource {
  /** how many items count */
  items: number
  alpha: number
  kr21: number
}

/**
 * One standard error at a score, in whole points: the 2 of '18 ± 2'. At least 1: the formula gives 0 at both ends, since nobody can
 * have more than all, and not because nobody is mismeasured there.
 */
export function wholeError(total: number, { items, alpha, kr21 }: ErrorSource): number {
  return Math.max(1, Math.round(conditionalStandardError(total, items, alpha, kr21)))
}

/** Whether groups and a zone may be drawn at all. */
export function supportsGroups(people: number, alpha: number | null): boolean {
  return alpha !== null && alpha >= LEAST_RELIABILITY && people >= FIGURES_FROM
}

export interface ScoreGroup {
  /** the group's first score */
  high: number
  /** its last */
  low: number
  /** indices of candidates; in no order of merit, the test supports none within a group */
  candidates: number[]
}

/**
 * Candidates in groups, best first: from the top, a new group opens where the distance to the group's first
 * score is more than 1.96·√2·SEM, which is what two candidates must differ by.
 * @param error the test's standard error of measurement, in points
 */
export function scoreGroups(totals: readonly number[], error: number): ScoreGroup[] {
  const apart = pointsApart(error)
  const groups: ScoreGroup[] = []
  const order = totals.map((_, candidate) => candidate)
  order.sort((a, b) => (totals[b] as number) - (totals[a] as number) || a - b)
  for (const candidate of order) {
    const total = totals[candidate] as number
    const group = groups.at(-1)
    if (group && group.high - total <= apart) {
      group.low = total
      group.candidates.push(candidate)
    } else {
      groups.push({ high: total, low: total, candidates: [candidate] })
    }
  }
  return groups
}

/** Where a total stands to a cut-off: a candidate at the cut-off is above it. */
export type Standing = 'clearly-above' | 'just-above' | 'just-below' | 'clearly-below'

/**
 * The one standing of a total: within 1.645 SEM of the line, on either side, the number is not to be relied
 * on, and somebody reads the file.
 * @param error the test's standard error of measurement, in points
 */
export function standingOf(total: number, cutOff: number, error: number): Standing {
  const isNear = Math.abs(total - cutOff) <= ZONE_Z * error
  if (total >= cutOff) return isNear ? 'just-above' : 'clearly-above'
  return isNear ? 'just-below' : 'clearly-below'
}

/** Everybody's rank, from and to: people with the same total share theirs ('36 to 42'). */
export function rankRanges(totals: readonly number[]): { first: number; last: number }[] {
  const counts = new Map<number, number>()
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1)
  const ranges = new Map<number, { first: number; last: number }>()
  let above = 0
  for (const [total, count] of [...counts].sort(([a], [b]) => b - a)) {
    ranges.set(total, { first: above + 1, last: above + count })
    above += count
  }
  return totals.map((total) => ranges.get(total) as { first: number; last: number })
}
