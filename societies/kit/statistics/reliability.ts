import { standardDeviation, variance } from './moments.ts'
import { FIGURES_FROM, type Scores } from './responses.ts'

/** 95% of a normal population are within so many standard deviations. */
const Z_95 = 1.96
/** 90% are within so many. */
const Z_90 = 1.645
/** What a test should reach for its purpose: to choose whom to invite. */
export const GOOD_RELIABILITY = 0.8
/** Below it no candidate is ranked by the test. */
export const LEAST_RELIABILITY = 0.5

/**
 * KR-20 (Kuder and Richardson 1937), which is Cronbach's α for items that are right or wrong: how much of the
 * differences between totals would come back with other items of the same kind. Items that everybody answered alike
 * stay in k; some programs drop them silently and print another number.
 * Null with fewer than two items or people, or where all totals are the same. Can be negative.
 */
export function kr20({ right, items, totals }: Scores): number | null {
  const k = items.length
  if (k < 2 || totals.length < 2) return null
  const ofTotals = variance(totals)
  if (!(ofTotals > 0)) return null
  const n = totals.length
  // Marks are 0 or 1, so a count of the right ones gives an item's variance.
  const counts = new Uint32Array(k)
  for (const marks of right) {
    for (const [column, mark] of marks.entries()) counts[column] = (counts[column] as number) + mark
  }
  const ofItems = counts.reduce((sum, count) => sum + (count * (n - count)) / (n * (n - 1)), 0)
  return (k / (k - 1)) * (1 - ofItems / ofTotals)
}

export interface Reliability {
  kr20: number
  /** standard error of measurement, s·√(1 − α) points: how far a total is from itself on other items, on average */
  error: number
}

/** Null as `kr20`. */
export function reliabilityOf(scores: Scores): Reliability | null {
  const alpha = kr20(scores)
  if (alpha === null) return null
  return { kr20: alpha, error: standardDeviation(scores.totals) * Math.sqrt(1 - alpha) }
}

/**
 * The one margin of error that pages, candidates and reports read: 1.645 standard errors (90% of scores on other items
 * are within it) in whole points, and at least 1.
 */
export const marginOf = (error: number): number => Math.max(1, Math.round(Z_90 * error))

/** By more than how many points two candidates must differ before one can be called better: 1.96·√2·SEM. */
export const pointsApart = (error: number): number => Z_95 * Math.SQRT2 * error

/** Items of the same kind that reach .80 (Spearman 1910, Brown 1910); null where length does not help. */
export function itemsNeeded(items: number, alpha: number): number | null {
  if (alpha <= 0) return null
  const factor = (GOOD_RELIABILITY * (1 - alpha)) / (alpha * (1 - GOOD_RELIABILITY))
  // 32.000000000000004 questions are 32.
  return Math.ceil(items * factor - 1e-9)
}

/** Whether candidates may be put in groups, and errors of scores shown. */
export const supportsGroups = (people: number, alpha: number): boolean =>
  alpha >= LEAST_RELIABILITY && people >= FIGURES_FROM

export interface ScoreGroup {
  /** the group's first score */
  high: number
  /** its last */
  low: number
  /** indices of candidates; in no order of merit, the test supports none within a group */
  candidates: number[]
}

/**
 * Candidates in groups, best first: from the top, a new group opens where the distance to the group's first score is
 * more than 1.96·√2·SEM, which is what two candidates must differ by.
 * @param error the test's standard error of measurement, in points
 */
export function scoreGroups(totals: readonly number[], error: number): ScoreGroup[] {
  const apart = pointsApart(error)
  const groups: ScoreGroup[] = []
  const order = [...totals.entries()].sort(([at, a], [other, b]) => b - a || at - other)
  for (const [candidate, total] of order) {
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

/** Where a total is in relation to a cut score: a candidate at the cut score is above it. */
export type Standing = 'clearly-above' | 'just-above' | 'just-below' | 'clearly-below'

/** Within the margin of the cut score the number is not to be relied on. */
export function standingOf(total: number, cutOff: number, margin: number): Standing {
  const isNear = Math.abs(total - cutOff) <= margin
  if (total >= cutOff) return isNear ? 'just-above' : 'clearly-above'
  return isNear ? 'just-below' : 'clearly-below'
}

/** Each candidate's rank, from and to: people with the same total share theirs ('36 to 42'). */
export function rankRanges(totals: readonly number[]): { first: number; last: number }[] {
  const sorted = [...totals].sort((a, b) => b - a)
  const ranges = new Map<number, { first: number; last: number }>()
  for (const [at, total] of sorted.entries()) {
    ranges.set(total, { first: ranges.get(total)?.first ?? at + 1, last: at + 1 })
  }
  return totals.map((total) => ranges.get(total) as { first: number; last: number })
}
