import * as z from 'zod/mini'
import { type Exhibit, exhibitSchema, shownText, TABLE_LIMITS } from '../../platform/exhibit.ts'
import { OPTION_LETTERS, type OptionLetter, optionLetterSchema } from '../../platform/options.ts'
import { listOf } from '../../platform/words.ts'
import { TERM_CHARACTERS } from './computed-answer.ts'
import type { Form } from './two-forms.ts'
import { CONTENT_LIMITS } from './written-question.ts'

const text = (most: number, lines?: 'lines') => shownText(most, lines === 'lines').check(z.trim())
const option = text(CONTENT_LIMITS.option)

/** The content of a question as its author writes it. Every version is kept (product 7.9.8). */
export const contentSchema = z.strictObject({
  question: text(CONTENT_LIMITS.question, 'lines'),
  options: z.strictObject({ A: option, B: option, C: option, D: option }),
  answer: optionLetterSchema,
  explanation: z.nullable(text(CONTENT_LIMITS.explanation, 'lines')),
  topic: z.nullable(text(CONTENT_LIMITS.topic)),
  /** a formula for the right answer, such as 1.25 / 1.10 */
  compute: z.nullable(text(TERM_CHARACTERS)),
  exhibit: z.nullable(exhibitSchema),
})
export type QuestionContent = z.infer<typeof contentSchema>

export function contentOf(row: QuestionContent): QuestionContent {
  const { question, options, answer, explanation, topic, compute, exhibit } = row
  return { question, options, answer, explanation, topic, compute, exhibit }
}

export type WrittenQuestion = Pick<QuestionContent, 'question' | 'options' | 'answer'> & {
  explanation: string
  /** null: both forms have it */
  form: Form | null
}

/** A question while it is being edited. A new one has no key yet. */
export type Draft = Omit<QuestionContent, 'answer'> & { answer: OptionLetter | null }

export const EMPTY_DRAFT: Draft = {
  question: '',
  options: { A: '', B: '', C: '', D: '' },
  answer: null,
  explanation: null,
  topic: null,
  compute: null,
  exhibit: null,
}

/** The parts of a question that can change separately, in the order of the page. */
const FIELDS = [
  'question',
  ...OPTION_LETTERS,
  ...(['answer', 'compute', 'explanation', 'topic', 'exhibit'] as const),
] as const
export type QuestionField = (typeof FIELDS)[number]

export function changedFields(before: Draft, after: Draft): QuestionField[] {
  const valueIn = (content: Draft, field: QuestionField) =>
    JSON.stringify({ ...content, ...content.options }[field])
  return FIELDS.filter((field) => valueIn(before, field) !== valueIn(after, field))
}

/** Reads a pasted table: lines of cells separated by tabs. Rows are null, with a problem, if it is too large. */
export function readTable(text: string): { rows: string[][] | null; problem: string | null } {
  if (text.trim() === '') return { rows: null, problem: null }
  const lines = text.replace(/\r\n?/g, '\n').replace(/\s+$/, '').split('\n')
  const cells = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const columns = Math.max(...cells.map((row) => row.length))
  const rows = cells.map((row) => [...row, ...Array<string>(columns - row.length).fill('')])
  const longest = Math.max(...rows.flat().map((cell) => cell.length))
  const tooMany = (of: string, count: number, unit: string, most: number) =>
    count > most ? `${of} has ${count} ${unit}. It can have at most ${most}.` : null
  const problem =
    tooMany('The table', rows.length, 'rows', TABLE_LIMITS.rows) ??
    tooMany('The table', columns, 'columns', TABLE_LIMITS.columns) ??
    tooMany('A cell', longest, 'characters', TABLE_LIMITS.cellCharacters) ??
    (rows.flat().join('').length > TABLE_LIMITS.characters ? 'The table has too much text.' : null)
  return { rows: problem ? null : rows, problem }
}

export const writeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n')

/**
 * Prepares a question for formats without exhibits: tables become lines, and images become their descriptions
 * (product 7.9.47).
 */
export function withExhibitAsText(question: string, exhibit: Exhibit | null): string {
  if (exhibit === null) return question
  return exhibit.kind === 'table'
    ? [question, ...exhibit.rows.map((row) => row.join(' | '))].join('\n')
    : `${question}\n[An image that is not in this file: ${exhibit.alt.replace(/\s+/g, ' ').trim()}]`
}

/** Lists the texts that replace exhibits in a file, with the questions' numbers; empty without exhibits. */
export function exhibitsInFile(exhibits: readonly (Exhibit | null)[]): string[] {
  const sentence = (kind: Exhibit['kind'], rest: string) => {
    const numbers = exhibits.flatMap((one, index) => (one?.kind === kind ? index + 1 : []))
    if (numbers.length === 0) return []
    return numbers.length === 1
      ? `The ${kind} of question ${numbers[0]} is ${rest}.`
      : `The ${kind}s of questions ${listOf(numbers)} are ${rest}.`
  }
  return [sentence('picture', 'described in words'), sentence('table', 'written as text')].flat()
}
