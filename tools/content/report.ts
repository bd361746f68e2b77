import type { CheckedCell } from './check.ts'
import { isNumeric } from './check-item.ts'
import { isReckoned, ranksOf } from './numeric.ts'

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
