import { describePublicationError } from '../kit/assessment-state.ts'

// A test with two forms (product 7.19). Each question is in form A, in form B, or in both.

export const FORMS = ['A', 'B'] as const
export type Form = (typeof FORMS)[number]

/** A question's form; null: both. */
export interface Placed {
  form: Form | null
}

export interface FormCounts {
  /** number of questions on the form */
  A: number
  B: number
  /** number of questions on both */
  common: number
}

/** Counts the questions of each form; null for a test with one form. */
export function countForms(questions: readonly Placed[]): FormCounts | null {
  const of = (form: Form | null) => questions.filter((one) => one.form === form).length
  const common = of(null)
  if (common === questions.length) return null
  return { A: of('A') + common, B: of('B') + common, common }
}

export const isUneven = (counts: FormCounts | null): counts is FormCounts =>
  counts !== null && counts.A !== counts.B

/** 'Form A has 12 questions and form B 13; both need the same number.' */
export const describeUneven = ({ A, B }: Pick<FormCounts, Form>): string =>
  describePublicationError({ kind: 'uneven_forms', A, B })

/** 'Two forms of 24 questions, 10 in common, dealt at random'; null for a test in one form. */
export function describeForms(counts: FormCounts | null): string | null {
  if (!counts) return null
  const size = counts.A === counts.B ? `${counts.A}` : `${counts.A} and ${counts.B}`
  return `Two forms of ${size} questions, ${counts.common} in common, dealt at random`
}

/** Numbers the questions on a form before shuffling; null for those that it doesn't have. */
export function numbersOn(form: Form | null, questions: readonly Placed[]): (number | null)[] {
  let number = 0
  return questions.map((one) => (form && one.form && one.form !== form ? null : ++number))
}
