import { mean, standardDeviation, variance } from './moments.ts'
import { columnOf, type Scores } from './responses.ts'

/** 95% of a normal population lie within so many standard deviations. */
const Z = 1.96
/** What a test should reach for its purpose: to choose whom to invite. */
const GOOD_RELIABILITY = 0.8
/** Below it nobody is ranked by the test. */
export const LEAST_RELIABILITY = 0.5
const FAIR_RELIABILITY = 0.65

/**
 * KR-20 (Kuder and Richardson 1937), which is Cronbach's α for items that are right or wrong: how much of the
 * differences between totals would come back with other items of the same kind. Items that everybody
 * answered alike stay in k; some programs drop them silently and print another number.
 * Null with fewer than two items or people, or where all totals are the same. Can be negative.
 */
export function kr20({ right, items, totals }: Scores): number | null {
  const k = items.length
  if (k < 2 || totals.length < 2) return null
  const ofTotals = variance(totals)
  if (!(ofTotals > 0)) return null
  let ofItems = 0
  for (let column = 0; column < k; column += 1) ofItems += variance(columnOf(right, column))
  return (k / (k - 1)) * (1 - ofItems / ofTotals)
}

/**
 * KR-21 (Kuder and Richardson 1937): what KR-20 would be if all items were equally hard; never above it.
 * Null as `kr20`.
 */
export function kr21({ items, totals }: Scores): number | null {
  const k = items.length
  if (k < 2 || totals.length < 2) return null
  const ofTotals = variance(totals, 'n')
  if (!(ofTotals > 0)) return null
  const centre = mean(totals)
  return (k / (k - 1)) * (1 - (centre * (k - centre)) / (k * ofTotals))
}

/**
 * Standard error of measurement, in points: by how much a total would differ from itself with other items of
 * the same kind, on average over everybody.
 * @param deviation the standard deviation of the totals, with n − 1
 */
export function standardError(deviation: number, alpha: number): number {
  return deviation * Math.sqrt(1 - alpha)
}

export interface Reliability {
  kr20: number
  /** standard error of measurement, in points */
  error: number
}

/** Null as `kr20`. */
export function reliabilityOf(scores: Scores): Reliability | null {
  const alpha = kr20(scores)
  return alpha === null
    ? null
    : { kr20: alpha, error: standardError(standardDeviation(scores.totals), alpha) }
}

/** Lord's (1955) standard error at one score, in points: √(x(k − x)/(k − 1)). It is 0 at both ends. */
export function lordStandardError(total: number, items: number): number {
  return Math.sqrt((total * (items - total)) / (items - 1))
}

/**
 * The standard error at one score, in points: Lord's (1955) with Keats' (1957) factor √((1 − α)/(1 − KR-21)),
 * since items differ in difficulty, so that its average agrees with the test's own.
 */
export function conditionalStandardError(
  total: number,
  items: number,
  alpha: number,
  kr21Value: number,
): number {
  return lordStandardError(total, items) * Math.sqrt((1 - alpha) / (1 - kr21Value))
}

/** By more than how many points two candidates must differ before one can be called better: 1.96·√2·SEM. */
export function pointsApart(error: number): number {
  return Z * Math.SQRT2 * error
}

/**
 * How many items of the same kind reach the wanted reliability (Spearman 1910, Brown 1910), rounded up. Null where
 * length does not help: α of 0 or less.
 */
export function itemsNeeded(items: number, alpha: number): number | null {
  if (alpha <= 0) return null
  const factor = (GOOD_RELIABILITY * (1 - alpha)) / (alpha * (1 - GOOD_RELIABILITY))
  // 32.000000000000004 questions are 32.
  return Math.ceil(items * factor - 1e-9)
}

/** What a reliability is good for. */
export function reliabilityWord(alpha: number): 'do not rank' | 'weak' | 'fair' | 'good' {
  if (alpha < LEAST_RELIABILITY) return 'do not rank'
  if (alpha < FAIR_RELIABILITY) return 'weak'
  return alpha < GOOD_RELIABILITY ? 'fair' : 'good'
}
