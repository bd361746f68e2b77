import { standardDeviation, variance } from './moments.ts'
import { FIGURES_FROM, type Scores } from './responses.ts'

/** 95% of a normal distribution is within this many standard deviations. */
const Z_95 = 1.96
/** 90% of a normal distribution is within this many standard deviations. */
const Z_90 = 1.645
/** The reliability a test should reach to decide whom to invite. */
export const GOOD_RELIABILITY = 0.8
/** Below this reliability, candidates aren't ranked. */
export const LEAST_RELIABILITY = 0.5

/**
 * KR-20 (Kuder and Richardson 1937), which is Cronbach's α for right or wrong items: the share of the variance of
 * totals that similar items would reproduce. Items that all candidates answered alike count in k. Some programs drop
 * them silently and report another value. Null with fewer than two items or people, or if all totals are equal. Can be
 * negative.
 */
export function kr20({ right, items, totals }: Scores): number | null {
  const k = items.length
  if (k < 2 || totals.length < 2) return null
  const ofTotals = variance(totals)
  if (!(ofTotals > 0)) return null
  const n = totals.length
  // Marks are 0 or 1, so the count of right answers gives an item's variance.
  const counts = new Uint32Array(k)
  for (const marks of right) {
    // By index, because an iterator takes four times as long on hundreds of thousands of marks.
    for (let column = 0; column < k; column += 1) {
      counts[column] = (counts[column] as number) + (marks[column] as number)
    }
  }
  const ofItems = counts.reduce((sum, count) => sum + (count * (n - count)) / (n * (n - 1)), 0)
  return (k / (k - 1)) * (1 - ofItems / ofTotals)
}

export interface Reliability {
  kr20: number
  /** The standard error of measurement, s·√(1 − α), in points: the usual difference on other items. */
  error: number
}

/** Returns null in the same cases as `kr20`. */
export function reliabilityOf(scores: Scores): Reliability | null {
  const alpha = kr20(scores)
  if (alpha === null) return null
  return { kr20: alpha, error: standardDeviation(scores.totals) * Math.sqrt(1 - alpha) }
}

/**
 * Returns the margin of error used by pages, candidates and reports: 1.645 standard errors (90% of scores on other
 * items are within it), in whole points and at least 1.
 */
export const marginOf = (error: number): number => Math.max(1, Math.round(Z_90 * error))

/** Returns how many points two candidates must differ by before one can be called better: 1.96·√2·SEM. */
export const pointsApart = (error: number): number => Z_95 * Math.SQRT2 * error

/** Returns the number of similar items needed for .80 (Spearman 1910, Brown 1910); null if more items don't help. */
export function itemsNeeded(items: number, alpha: number): number | null {
  if (alpha <= 0) return null
  const factor = (GOOD_RELIABILITY * (1 - alpha)) / (alpha * (1 - GOOD_RELIABILITY))
  // Floating-point results such as 32.000000000000004 must count as 32.
  return Math.ceil(items * factor - 1e-9)
}

/** Whether there is enough data to group candidates and show score errors. */
export const supportsGroups = (people: number, alpha: number): boolean =>
  alpha >= LEAST_RELIABILITY && people >= FIGURES_FROM

export interface ScoreGroup {
  high: number
  low: number
  /** Indices of candidates, in no order of merit, because the test supports none within a group. */
  candidates: number[]
}

/**
 * Groups candidates, best first. A new group starts when the distance to the current group's highest score exceeds
 * 1.96·√2·SEM, the significant difference between two candidates.
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

/** A total's position relative to the cut score. A total equal to the cut score is above it. */
export type Standing = 'clearly-above' | 'just-above' | 'just-below' | 'clearly-below'

/** Classifies a total. Within the margin of the cut score, the classification isn't reliable. */
export function standingOf(total: number, cutOff: number, margin: number): Standing {
  const isNear = Math.abs(total - cutOff) <= margin
  if (total >= cutOff) return isNear ? 'just-above' : 'clearly-above'
  return isNear ? 'just-below' : 'clearly-below'
}

/** Returns each candidate's rank range. Candidates with equal totals share it ('36 to 42'). */
export function rankRanges(totals: readonly number[]): { first: number; last: number }[] {
  const sorted = [...totals].sort((a, b) => b - a)
  const ranges = new Map<number, { first: number; last: number }>()
  for (const [at, total] of sorted.entries()) {
    ranges.set(total, { first: ranges.get(total)?.first ?? at + 1, last: at + 1 })
  }
  return totals.map((total) => ranges.get(total) as { first: number; last: number })
}
