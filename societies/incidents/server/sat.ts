import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { type Choice, type Responses, type Scores, score } from '../../kit/statistics/responses.ts'
import type { Form } from '../../questions/two-forms.ts'
import type { AnswerTable, TableItem, TableRow } from './answer-table.ts'

export type { Form }

/** What statistics are calculated from: one form's candidates and questions. */
export interface Sat {
  form: Form | null
  items: TableItem[]
  rows: TableRow[]
  responses: Responses
  scores: Scores
}

export const letterOf = (choice: Choice): OptionLetter => OPTION_LETTERS[choice] as OptionLetter

export const shownItem = ({
  id,
  questionId,
  topic,
  form,
  position: item,
  ...shown
}: TableItem) => ({
  item,
  ...shown,
})

/** The forms that a test has; none where all candidates have the same questions. */
export function formsOf({ items }: Pick<AnswerTable, 'items'>): Form[] {
  return (['A', 'B'] as const).filter((form) => items.some((item) => item.form === form))
}

/** One form's candidates and questions. @param form null in a test without forms */
export function satOf(table: AnswerTable, form: Form | null): Sat {
  const at = table.items.flatMap((item, place) =>
    form === null || item.form === null || item.form === form ? [place] : [],
  )
  const rows = table.rows.filter((row) => form === null || row.form === form)
  const responses = responsesOf(table.items, rows, at)
  const items = at.map((place) => table.items[place] as TableItem)
  return { form, items, rows, responses, scores: score(responses) }
}

/** What candidates chose in some questions, as statistics take it. @param at the questions' places in the table */
export function responsesOf(
  items: readonly TableItem[],
  rows: readonly TableRow[],
  at: readonly number[],
): Responses {
  const asked = at.map((place) => items[place] as TableItem)
  const choiceOf = (letter: OptionLetter) => OPTION_LETTERS.indexOf(letter) as Choice
  const where = (is: (item: TableItem) => boolean) =>
    asked.flatMap((item, index) => (is(item) ? [index] : []))
  return {
    choices: rows.map(({ choices }) =>
      at.map((place) => (choices[place] ? choiceOf(choices[place]) : null)),
    ),
    keys: asked.map(({ keys }) => keys.map(choiceOf)),
    voidItems: where(({ isVoid }) => isVoid),
    fullMarksItems: where(({ isFullMarks }) => isFullMarks),
  }
}

/** Each form by itself, so that each candidate is in one. */
export function eachForm(table: AnswerTable): Sat[] {
  const forms = formsOf(table)
  return forms.length === 0 ? [satOf(table, null)] : forms.map((form) => satOf(table, form))
}

/** Points by attempt, each candidate's on their own form. */
export function pointsOf(table: AnswerTable): Map<string, number> {
  return new Map(
    eachForm(table).flatMap(({ rows, scores }) =>
      rows.map(({ attemptId }, index) => [attemptId, scores.totals[index] as number]),
    ),
  )
}
