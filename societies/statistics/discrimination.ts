import { correlation, type Interval } from './moments.ts'
import { columnOf, restTotals, type Scores } from './responses.ts'

/** 95% of a normal population lie within so many standard deviations. */
const Z = 1.96

/**
 * Corrected item-rest correlation: Pearson's r between an item's marks and the total on all other items.
 * Null where everybody or nobody had it right. With the item left in the total every item looks better than it
 * is, the more so the shorter the test.
 * @param column of the scores, from 0
 */
export function discrimination(scores: Scores, column: number): number | null {
  return correlation(columnOf(scores.right, column), restTotals(scores, column))
}

/**
 * The 95% interval of a correlation (Fisher 1921): tanh(atanh r ± 1.96/√(n − 3)). Null below four people.
 * @param of how many people
 */
export function correlationInterval(r: number, of: number): Interval | null {
  if (of < 4) return null
  const half = Z / Math.sqrt(of - 3)
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}
