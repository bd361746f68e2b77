import type { OptionLetter } from '../../../platform/options.ts'
import type { Form } from '../../questions/two-forms.ts'
import type { AnswerTable, TableItem, TableRow } from '../results/answer-table.ts'

/** Candidates whose scores stand on one scale: those of an assessment, or of one of its forms. */
export interface Group {
  code: string
  /** 'Form A', 'Morning' */
  name: string
  form: Form | null
  /** of the assessment's table; the rows' choices are in its order */
  items: readonly TableItem[]
  rows: readonly TableRow[]
}

/** @param form null: everybody */
export function groupOf(
  table: AnswerTable,
  { code, name, form }: Pick<Group, 'code' | 'name' | 'form'>,
): Group {
  const rows = form === null ? table.rows : table.rows.filter((row) => row.form === form)
  return { code, name, form, items: table.items, rows }
}

/** Whether an answer counts; nothing chosen never does, but where everybody has the question right. */
export const isRight = (
  { keys, isFullMarks }: Pick<TableItem, 'keys' | 'isFullMarks'>,
  choice: OptionLetter | null | undefined,
): boolean => isFullMarks || (choice != null && keys.includes(choice))

/** Right answers of a candidate over the questions of their paper that count. */
export function totalOf(items: readonly TableItem[], row: TableRow): number {
  return items.filter((item, at) => {
    const choice = row.choices[at]
    return choice !== undefined && !item.isVoid && isRight(item, choice)
  }).length
}

/** Questions that count on the paper of everybody in a group: of its form and of both. */
export const questionsOf = ({ items, form }: Group): number[] =>
  items.flatMap((item, at) => (isAskedOfAll(item, form) && !item.isVoid ? [at] : []))

const isAskedOfAll = (item: TableItem, form: Form | null): boolean =>
  item.form === null || item.form === form

/** A question that everybody of two groups was asked, by its place in each table. */
export interface SharedQuestion {
  earlier: number
  later: number
}

/**
 * The questions that link two groups: asked of everybody in both, the same in text and key, and neither void
 * nor everybody's in any. `changed`: how many of the shared ones differ.
 */
export function sharedQuestions(
  earlier: Group,
  later: Group,
): { anchors: SharedQuestion[]; changed: number } {
  const places = new Map(later.items.map(({ questionId }, at) => [questionId, at]))
  const anchors: SharedQuestion[] = []
  let changed = 0
  for (const [at, item] of earlier.items.entries()) {
    const place = places.get(item.questionId)
    const other = place === undefined ? undefined : later.items[place]
    if (place === undefined || !other) continue
    if (!isAskedOfAll(item, earlier.form) || !isAskedOfAll(other, later.form)) continue
    const counts = [item, other].every(({ isVoid, isFullMarks }) => !isVoid && !isFullMarks)
    if (counts && contentOf(item) === contentOf(other)) anchors.push({ earlier: at, later: place })
    else changed += 1
  }
  return { anchors, changed }
}

/** What makes a question the same one: its text, its options and what counts as right. */
function contentOf({ question, options, keys }: TableItem): string {
  const { A, B, C, D } = options
  return JSON.stringify([question, A, B, C, D, keys.toSorted()])
}

/** Each candidate's marks on some questions, 1 is right. @param at places in the group's table */
export function marksOf({ items, rows }: Group, at: readonly number[]): number[][] {
  return rows.map(({ choices }) =>
    at.map((place) => (isRight(items[place] as TableItem, choices[place]) ? 1 : 0)),
  )
}
