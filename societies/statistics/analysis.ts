import { type Difficulty, difficulty } from './difficulty.ts'
import { correlationInterval, discrimination } from './discrimination.ts'
import type { Interval } from './moments.ts'
import { type ItemFlag, itemFlags, type OptionTable, optionTable } from './option-table.ts'
import { type Reliability, reliabilityOf } from './reliability.ts'
import { columnOf, type Responses, type Scores, score } from './responses.ts'

export interface ItemAnalysis {
  /** of the responses, from 0 */
  item: number
  difficulty: Difficulty
  /** item-rest correlation; null where everybody or nobody had it right */
  discrimination: number | null
  discriminationInterval: Interval | null
  options: OptionTable
  flags: ItemFlag[]
}

export interface TestAnalysis {
  /** null where totals do not vary, or there are fewer than two items or people */
  reliability: Reliability | null
  /** those that count, in the order of the test's table */
  items: ItemAnalysis[]
}

/**
 * Everything that one form's answers say of the test and its items, computed anew each time; null where nobody
 * sat. Most of it means nothing in a small group: `sample-size.ts` has the limits.
 */
export function analyse(responses: Responses): TestAnalysis | null {
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
  const r = discrimination(scores, column)
  return {
    item: options.item,
    difficulty: difficulty(marks),
    discrimination: r,
    discriminationInterval: r === null ? null : correlationInterval(r, marks.length),
    options,
    flags: itemFlags(options),
  }
}
