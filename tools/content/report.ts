import { OPTION_LETTERS } from '../../platform/options.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { readNumber } from '../../societies/number-shown.ts'
import type { CheckedCell } from './check.ts'
import { isWorded } from './check-item.ts'

/** Whether the options of an item are numbers in order, so that its key has a rank. */
export const isNumeric = (question: ContentQuestion): boolean =>
  !isWorded(question) && OPTION_LETTERS.every((letter) => readNumber(question.options[letter]))

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

/**
 * What the bank is like, as two tables for REVIEW.md: a line a cell with hardness, key ranks, expressions of
 * mistakes and sources; and the terms of the trade.
 * @param termsMissing terms that occur nowhere
 */
export function tablesOf(
  cells: readonly CheckedCell[],
  terms: number,
  termsMissing: readonly string[],
): string[] {
  const lines = [
    '| cell | items | hardness, 1 to 5 | lowest and highest | numeric keys by rank, % | wrong numbers reckoned | with a source |',
    '|---|---|---|---|---|---|---|',
  ]
  for (const { file, questions: all } of cells) {
    const questions = all.filter(({ retired }) => !retired)
    const judged = questions.flatMap(({ hardness }) => hardness ?? [])
    const mean = judged.reduce((sum, one) => sum + one, 0) / (judged.length || 1)
    const ranks = ranksOf(questions)
    const numeric = ranks.reduce((sum, one) => sum + one, 0)
    const shares = ranks.map((count) => Math.round((100 * count) / (numeric || 1)))
    const reckoned = questions.filter(isNumeric).filter(isReckoned).length
    lines.push(
      `| ${file.category}, ${file.difficulty} | ${questions.length} | ${judged.length === questions.length ? mean.toFixed(2) : `${mean.toFixed(2)} of ${judged.length}`} | ${Math.min(...judged)} and ${Math.max(...judged)} | ${shares.join(', ')} | ${reckoned} of ${numeric} | ${questions.filter(({ source }) => source).length} |`,
    )
  }
  const missing = termsMissing.length > 0 ? `: ${termsMissing.join(', ')} nowhere` : ''
  return [
    ...lines,
    '',
    `Terms of the trade: ${terms - termsMissing.length} of ${terms} occur${missing}.`,
  ]
}
