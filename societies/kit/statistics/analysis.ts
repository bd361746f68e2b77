import { correlation, type Interval, sum } from './moments.ts'
import { type ItemFlag, itemFlags, type OptionTable, optionTable } from './option-table.ts'
import { type Reliability, reliabilityOf } from './reliability.ts'
import { columnOf, type Responses, restTotals, type Scores, score } from './responses.ts'

export interface ItemAnalysis {
  /** of the responses, from 0 */
  item: number
  /** how many had it right, and the interval of their share */
  difficulty: { right: number; of: number; interval: Interval }
  /** item-rest correlation; null where everybody or nobody had it right */
  discrimination: number | null
  discriminationInterval: Interval | null
  options: OptionTable
  flags: ItemFlag[]
}

/**
 * Everything that one form's answers say about the test and its items; null where nobody sat. Most of it means nothing
 * in a small group: `sample-size.ts` has the limits.
 * @returns reliability: null where totals do not vary, or there are fewer than two items or people; items: those that
 *   count, in the order of the test's table
 */
export function analyse(
  responses: Responses,
): { reliability: Reliability | null; items: ItemAnalysis[] } | null {
  const scores = score(responses)
  if (scores.totals.length === 0) return null
  return {
    reliability: reliabilityOf(scores),
    items: scores.items.map((_, column) => analyseItem(responses, scores, column)),
  }
}

function analyseItem(responses: Responses, scores: Scores, column: number): ItemAnalysis {
  const marks = columnOf(scores.right, column)
  const options = optionTable(responses, scores, column)
  const right = sum(marks)
  const r = discrimination(scores, column)
  return {
    item: options.item,
    difficulty: { right, of: marks.length, interval: wilsonInterval(right, marks.length) },
    discrimination: r,
    discriminationInterval: r === null ? null : correlationInterval(r, marks.length),
    options,
    flags: itemFlags(options),
  }
}

/** 95% of a normal population lie within this many standard deviations; of a correlation two digits are enough. */
const Z = 1.959963984540054

/**
 * The 95% interval of a share (Wilson 1927): it never leaves 0 to 1, and is no single point for 12 out of 12.
 * @param of at least 1
 */
export function wilsonInterval(successes: number, of: number): Interval {
  const p = successes / of
  const shrink = 1 + Z ** 2 / of
  const centre = (p + Z ** 2 / (2 * of)) / shrink
  const half = (Z * Math.sqrt((p * (1 - p)) / of + Z ** 2 / (4 * of ** 2))) / shrink
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

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
  const half = 1.96 / Math.sqrt(of - 3)
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}
