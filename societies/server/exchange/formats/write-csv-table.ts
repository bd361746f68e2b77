import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { FORM_COLUMN, ITEM_COLUMNS } from '../../authoring/assessment-file.ts'
import type { Question } from '../question.ts'

/**
 * Questions as `load --items` takes them (product 7.2.1); a further column has explanations, where there
 * are any, and one has the form that asks a question, where the test has two.
 */
export function writeCsvTable(questions: readonly Question[]): string {
  const hasExplanations = questions.some(({ explanation }) => explanation !== '')
  const hasForms = questions.some(({ form }) => form)
  return writeCsv(
    [
      ...ITEM_COLUMNS,
      ...(hasForms ? [FORM_COLUMN] : []),
      ...(hasExplanations ? ['Explanation'] : []),
    ],
    questions.map(({ question, options, answer, explanation, form }, index) => [
      index + 1,
      question,
      ...OPTION_LETTERS.map((letter) => options[letter]),
      answer,
      ...(hasForms ? [form ?? ''] : []),
      ...(hasExplanations ? [explanation] : []),
    ]),
  )
}
