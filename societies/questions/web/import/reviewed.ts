import type { BodyOf, ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import type { importReviewed, reviewQuestionFile } from '../../contract-exchange.ts'
import { LEFT_OUT } from '../../question-files.ts'
import { flawOfTexts, LONGEST } from '../../written-question.ts'

export type FileReview = ResponseOf<typeof reviewQuestionFile>
export type Mode = BodyOf<typeof importReviewed>['mode']

/** A question of the file during the review. */
export type Draft = FileReview['questions'][number] & {
  /** its place in the review, from 0 */
  id: number
  isTicked: boolean
  /** changed in the review */
  isMended: boolean
}

/** Whether a question can be imported; one that is already in the test can replace itself. */
export const isReady = ({ reason }: Draft, mode: Mode): boolean =>
  reason === null || (reason === 'asked_already' && mode === 'replace')

/** What is still wrong with a question that is being changed, as a sentence, or null. */
export function flawOfDraft({
  question,
  options,
}: Pick<Draft, 'question' | 'options'>): string | null {
  const count = options.length
  if (count > 4) return `Every question has four options. Leave ${count - 4} out.`
  if (count < 4) return `Every question has four options. Add ${4 - count}.`
  if (options.filter(({ isKey }) => isKey).length !== 1) return 'Choose the right option.'
  const reason = flawOfTexts(
    question,
    options.map(({ text }) => text),
  )
  return reason && `${LEFT_OUT[reason].title}. ${LEFT_OUT[reason].text}`
}

export const keyOf = ({ options }: Draft): OptionLetter =>
  OPTION_LETTERS[options.findIndex(({ isKey }) => isKey)] ?? 'A'

/** A question as it is sent. */
export function writtenOf(draft: Draft): BodyOf<typeof importReviewed>['questions'][number] {
  const [A = '', B = '', C = '', D = ''] = draft.options.map(({ text }) => text)
  return {
    question: draft.question,
    options: { A, B, C, D },
    answer: keyOf(draft),
    explanation: draft.explanation.slice(0, LONGEST.explanation),
    topic: draft.category.slice(0, LONGEST.topic),
    form: draft.form,
  }
}
