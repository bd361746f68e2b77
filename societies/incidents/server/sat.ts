import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import {
  type Choice,
  marking,
  type Responses,
  type Scores,
  totalOf,
} from '../../kit/statistics/responses.ts'
import type { Form } from '../../questions/two-forms.ts'
import type { AnswerTable, TableItem, TableRow } from './answer-table.ts'

export type { Form }

/** The input for statistics: one form's candidates and questions. */
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

/** Returns the test's forms; empty if all candidates have the same questions. */
export function formsOf({ items }: Pick<AnswerTable, 'items'>): Form[] {
  return (['A', 'B'] as const).filter((form) => items.some((item) => item.form === form))
}

/** Reads and scores one form's candidates and questions in slices. @param form null in a test without forms */
export async function satOf(table: AnswerTable, form: Form | null): Promise<Sat> {
  const at = table.items.flatMap((item, place) =>
    form === null || item.form === null || item.form === form ? [place] : [],
  )
  const rows = table.rows.filter((row) => form === null || row.form === form)
  const responses = await responsesOf(table.items, rows, at)
  const items = at.map((place) => table.items[place] as TableItem)
  return { form, items, rows, responses, scores: await scoresOf(responses) }
}

async function scoresOf({ choices, ...rules }: Responses): Promise<Scores> {
  const { items, mark } = marking(rules)
  const right = await mapInSlices(choices, mark)
  return { right, items, totals: right.map(totalOf) }
}

/** Returns the same candidates, with one question scored differently. */
export async function satUnder(sat: Sat, item: TableItem): Promise<Sat> {
  const items = sat.items.map((one) => (one.id === item.id ? item : one))
  const responses = { choices: sat.responses.choices, ...rulesOf(items) }
  return { ...sat, items, responses, scores: await scoresOf(responses) }
}

/** Converts the choices for some questions to statistics input. @param at the questions' positions in the table */
export async function responsesOf(
  items: readonly TableItem[],
  rows: readonly TableRow[],
  at: readonly number[],
): Promise<Responses> {
  const choices = await mapInSlices(rows, (row) =>
    at.map((place) => (row.choices[place] ? choiceOf(row.choices[place]) : null)),
  )
  return { choices, ...rulesOf(at.map((place) => items[place] as TableItem)) }
}

const choiceOf = (letter: OptionLetter) => OPTION_LETTERS.indexOf(letter) as Choice

function rulesOf(items: readonly TableItem[]): Omit<Responses, 'choices'> {
  const where = (is: (item: TableItem) => boolean) =>
    items.flatMap((item, index) => (is(item) ? [index] : []))
  return {
    keys: items.map(({ keys }) => keys.map(choiceOf)),
    voidItems: where(({ isVoid }) => isVoid),
    fullMarksItems: where(({ isFullMarks }) => isFullMarks),
  }
}

/** Returns each form separately, so that each candidate is in exactly one. */
export async function eachForm(table: AnswerTable): Promise<Sat[]> {
  const forms = formsOf(table)
  const sats: Sat[] = []
  // Forms are processed sequentially, so that only one form's slices run at a time.
  for (const form of forms.length === 0 ? [null] : forms) sats.push(await satOf(table, form))
  return sats
}

/** Returns points by attempt, each scored on the candidate's own form. */
export function pointsOf(forms: readonly Sat[]): Map<string, number> {
  return new Map(
    forms.flatMap(({ rows, scores }) =>
      rows.map(({ attemptId }, index) => [attemptId, scores.totals[index] as number]),
    ),
  )
}
