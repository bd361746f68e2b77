import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { ITEM_COLUMNS } from '../../authoring/assessment-file.ts'
import type { Question } from '../question.ts'

/**
 * Questions as `load --items` takes them (product 7.2.1); a further column has explanations, where there
 * are any.
 */
export function writeCsvTable(questions: readonly Question[]): string {
  const hasExplanations = questions.some(({ explanation }) => explanation !== '')
  return writeCsv(
    [...ITEM_COLUMNS, ...(hasExplanations ? ['Explanation'] : [])],
    questions.map(({ question, options, answer, explanation }, index) => [
      index + 1,
      question,
      ...OPTION_LETTERS.map((letter) => options[letter]),
      answer,
      ...(hasExplanations ? [explanation] : []),
    ]),
  )
}
