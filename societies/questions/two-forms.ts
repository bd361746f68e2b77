import { describePublicationError, listed } from '../publication.ts'

// A test in two forms (product 7.19): a question is asked by A, by B, or by both, and what both ask is how the
// forms are compared.

export const FORMS = ['A', 'B'] as const
export type Form = (typeof FORMS)[number]

/** A question's place in the forms; null: both ask it. */
export interface Placed {
  form: Form | null
}

export interface FormCounts {
  /** questions that a candidate with the form answers */
  A: number
  B: number
  /** that both ask */
  common: number
}

/** How many questions each form has; null for a test in one form. */
export function countForms(questions: readonly Placed[]): FormCounts | null {
  if (questions.every(({ form }) => form === null)) return null
  const of = (form: Form | null) => questions.filter((one) => one.form === form).length
  const common = of(null)
  return { A: of('A') + common, B: of('B') + common, common }
}

export const isUneven = (counts: FormCounts | null): counts is FormCounts =>
  counts !== null && counts.A !== counts.B

/** 'Form A has 12 questions and form B 13; both need as many.' */
export const describeUneven = ({ A, B }: Pick<FormCounts, Form>): string =>
  describePublicationError({ kind: 'uneven_forms', A, B })

/** 'Two forms of 24 questions, 10 in common, dealt at random'; null for a test in one form. */
export function describeForms(counts: FormCounts | null): string | null {
  if (!counts) return null
  const size = counts.A === counts.B ? `${counts.A}` : `${counts.A} and ${counts.B}`
  return `Two forms of ${size} questions, ${counts.common} in common, dealt at random`
}

/** Questions in common that carry a comparison: the larger of both (findings of linking at 15 to 150 people). */
const COMMON = { fewest: 8, share: 0.2 }
export const commonWanted = (questions: number): number =>
  Math.max(COMMON.fewest, Math.ceil(questions * COMMON.share))

/** What makes a comparison of the forms weak; it never stops anything. */
export type FormHint =
  | { hint: 'few_common'; common: number; wanted: number }
  /** topics of which no question is in common */
  | { hint: 'topics_missing'; topics: string[] }
  /** how many of the common ones nobody has answered before */
  | { hint: 'difficulty_unknown'; count: number; common: number }

/**
 * @param isKnown whether it is known how hard a question is; left out where the reader has no way to know
 */
export function hintsOfForms<Q extends Placed & { topic: string | null }>(
  questions: readonly Q[],
  isKnown?: (question: Q) => boolean,
): FormHint[] {
  const counts = countForms(questions)
  if (!counts) return []
  const hints: FormHint[] = []
  const wanted = commonWanted(Math.max(counts.A, counts.B))
  if (counts.common < wanted) hints.push({ hint: 'few_common', common: counts.common, wanted })
  const common = questions.filter(({ form }) => form === null)
  const covered = new Set(common.flatMap(({ topic }) => topic ?? []))
  const missing = new Set(
    questions.flatMap(({ topic }) => topic ?? []).filter((topic) => !covered.has(topic)),
  )
  if (common.length > 0 && missing.size > 0) {
    hints.push({ hint: 'topics_missing', topics: [...missing].sort() })
  }
  const unknown = isKnown ? common.filter((one) => !isKnown(one)).length : 0
  if (unknown > 0) hints.push({ hint: 'difficulty_unknown', count: unknown, common: common.length })
  return hints
}

/** The same in a sentence. */
export function describeFormHint(hint: FormHint): string {
  switch (hint.hint) {
    case 'few_common':
      return `The forms have ${hint.common === 1 ? 'one question' : `${hint.common} questions`} in common; to compare them, ${hint.wanted} are needed.`
    case 'topics_missing':
      return `Of ${listed(hint.topics)} no question is in common, so there the forms cannot be compared.`
    case 'difficulty_unknown':
      return hint.count === hint.common
        ? 'How hard the common questions are is not known: none was asked before.'
        : `How hard ${hint.count} of the ${hint.common} common questions are is not known: nobody was asked them before.`
  }
}

/** The numbers that questions have on a form's paper, before it is shuffled; null for one that it does not ask. */
export function numbersOn(form: Form | null, questions: readonly Placed[]): (number | null)[] {
  let number = 0
  return questions.map((one) => {
    if (form !== null && one.form !== null && one.form !== form) return null
    number += 1
    return number
  })
}
