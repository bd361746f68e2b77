import type { Exhibit } from '../../platform/exhibit.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'

/** Characters of a question's parts; those of stem and options as an imported file may have (product 7.2.9). */
export const CONTENT_LIMITS = {
  question: 5_000,
  option: 1_000,
  explanation: 5_000,
  topic: 60,
}

/** A question as its author writes it; each version of it is kept (product 7.9.8). */
export interface QuestionContent {
  question: string
  options: Record<OptionLetter, string>
  answer: OptionLetter
  explanation: string | null
  topic: string | null
  /** a term whose value is the right answer, such as 1.25 / 1.10 */
  compute: string | null
  exhibit: Exhibit | null
}

/** What of a question is changed by itself, in the order of the page. */
export const QUESTION_FIELDS = [
  'question',
  ...OPTION_LETTERS,
  'answer',
  'compute',
  'explanation',
  'topic',
  'exhibit',
] as const
export type QuestionField = (typeof QUESTION_FIELDS)[number]

/** A question under the hands of its author: a new one has no key yet. */
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

const isOption = (field: QuestionField): field is OptionLetter =>
  (OPTION_LETTERS as readonly string[]).includes(field)

function fieldOf(content: Draft, field: QuestionField): unknown {
  return isOption(field) ? content.options[field] : content[field]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields in which two versions of a question differ. */
export function changedFields(before: Draft, after: Draft): QuestionField[] {
  return QUESTION_FIELDS.filter((field) => !isSame(fieldOf(before, field), fieldOf(after, field)))
}
