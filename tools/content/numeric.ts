import { OPTION_LETTERS } from '../../platform/options.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { readNumber } from '../../societies/kit/number-shown.ts'
import { isNumeric } from './check-item.ts'

// What is asked of items whose options are numbers (product 3.1.7).

/** Share of a cell's numeric items whose key may have each rank, in whole percent. */
const RANK_SHARE = { min: 20, max: 30 }

/** Of each rank from the lowest, how many numeric items have their key there. */
export function ranksOf(questions: readonly ContentQuestion[]): number[] {
  const numeric = questions.filter(isNumeric)
  return OPTION_LETTERS.map((letter) => numeric.filter(({ answer }) => answer === letter).length)
}

/** Whether each wrong number of an item has the expression of its mistake. */
export function isReckoned({ options, answer, wrong }: ContentQuestion): boolean {
  return OPTION_LETTERS.every(
    (letter) =>
      letter === answer || readNumber(options[letter]) === null || wrong?.[letter] !== undefined,
  )
}

/** What a cell's numeric items lack: a mistake behind each wrong number, and keys at every rank alike. */
export function checkNumeric(questions: readonly ContentQuestion[]): string[] {
  const numeric = questions.filter(isNumeric)
  const found = numeric
    .filter((question) => !isReckoned(question))
    .map(({ id }) => `${id} has a wrong number without the expression of its mistake`)
  for (const [rank, count] of ranksOf(numeric).entries()) {
    const share = Math.round((100 * count) / (numeric.length || 1))
    if (numeric.length > 0 && (share < RANK_SHARE.min || share > RANK_SHARE.max)) {
      const name = ['lowest', 'second', 'third', 'highest'][rank]
      found.push(
        `the key is the ${name} number in ${share} % of ${numeric.length}; 20 to 30 % are asked for`,
      )
    }
  }
  return found
}
