import { type Difficulty, difficulty } from './difficulty.ts'
import { correlationInterval, discrimination } from './discrimination.ts'
import { type Interval, mean, median, quantile, standardDeviation } from './moments.ts'
import {
  type Direction,
  directionOf,
  type ItemFlag,
  itemFlags,
  type OptionTable,
  optionTable,
} from './option-table.ts'
import { quintiles } from './quintiles.ts'
import { feldtInterval, kr20, kr21, standardError } from './reliability.ts'
import { columnOf, type Responses, type Scores, score } from './responses.ts'

export interface ItemAnalysis {
  /** of the responses, from 0 */
  item: number
  difficulty: Difficulty
  /** item-rest correlation; null where everybody or nobody had it right */
  discrimination: number | null
  discriminationInterval: Interval | null
  direction: Direction
  /** share right by fifths, the weakest first */
  quintiles: number[]
  options: OptionTable
  flags: ItemFlag[]
}

export interface Reliability {
  kr20: number
  interval: Interval
  kr21: number
  /** standard error of measurement, in points */
  error: number
}

export interface TestAnalysis {
  people: number
  scores: Scores
  low: number
  high: number
  mean: number
  median: number
  quartiles: Interval
  /** standard deviation of the totals; 0 of one candidate */
  deviation: number
  /** null where totals do not vary, or there are fewer than two items or people */
  reliability: Reliability | null
  /** those that count, in the order of the test's table */
  items: ItemAnalysis[]
}

/**
 * Everything that one form's answers say of the test and its items, computed anew each time; null where nobody
 * sat. What of it may be shown to whom, `mayBeSaid` decides: most of it means nothing in a small group.
 */
export function analyse(responses: Responses): TestAnalysis | null {
  const scores = score(responses)
  const { totals } = scores
  if (totals.length === 0) return null
  const deviation = totals.length > 1 ? standardDeviation(totals) : 0
  return {
    people: totals.length,
    scores,
    low: quantile(totals, 0),
    high: quantile(totals, 1),
    mean: mean(totals),
    median: median(totals),
    quartiles: { low: quantile(totals, 0.25), high: quantile(totals, 0.75) },
    deviation,
    reliability: reliabilityOf(scores, deviation),
    items: scores.items.map((_, column) => analyseItem(responses, scores, column)),
  }
}

function analyseItem(responses: Responses, scores: Scores, column: number): ItemAnalysis {
  const marks = columnOf(scores.right, column)
  const options = optionTable(responses, scores, column)
  const r = discrimination(scores, column)
  return {
    item: options.item,
    difficulty: difficulty(marks),
    discrimination: r,
    discriminationInterval: r === null ? null : correlationInterval(r, marks.length),
    direction: directionOf(options),
    quintiles: quintiles(marks, scores.totals),
    options,
    flags: itemFlags(options),
  }
}

function reliabilityOf(scores: Scores, deviation: number): Reliability | null {
  const [alpha, lower] = [kr20(scores), kr21(scores)]
  if (alpha === null || lower === null) return null
  return {
    kr20: alpha,
    interval: feldtInterval(alpha, scores.totals.length, scores.items.length),
    kr21: lower,
    error: standardError(deviation, alpha),
  }
}
