import type { BodyOf, ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import type { importReviewed, reviewQuestionFile } from '../../../contract/exchange.ts'
import { LEFT_OUT, type LeftOutReason } from '../../../questions/question-files.ts'
import { flawOfTexts, LONGEST } from '../../../questions/written-question.ts'

export type FileReview = ResponseOf<typeof reviewQuestionFile>
type Found = FileReview['questions'][number]
export type Mode = BodyOf<typeof importReviewed>['mode']

/** A question of the file while somebody looks through it. */
export interface Draft extends Found {
  /** its place in the review, from 0 */
  id: number
  isTicked: boolean
  /** somebody changed it here */
  isMended: boolean
}

/** Everything that can be imported is ticked. */
export function draftsOf(questions: readonly Found[]): Draft[] {
  return questions.map((one, id) => ({ ...one, id, isTicked: true, isMended: false }))
}

/** Whether a question can be imported; what stands in the assessment already can take its own place. */
export const isReady = ({ reason }: Draft, mode: Mode): boolean =>
  reason === null || (reason === 'asked_already' && mode === 'replace')

/** What is still wrong with a question that is being mended, as a sentence, or null. */
export function flawOfDraft({
  question,
  options,
}: Pick<Draft, 'question' | 'options'>): string | null {
  const count = options.length
  if (count > 4) return `A question here has four options. Leave ${count - 4} out.`
  if (count < 4) return `A question here has four options. Add ${4 - count}.`
  if (options.filter(({ isKey }) => isKey).length !== 1) return 'Choose the one that is right.'
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
  const [a, b, c, d] = draft.options.map(({ text }) => text)
  return {
    question: draft.question,
    options: { A: a ?? '', B: b ?? '', C: c ?? '', D: d ?? '' },
    answer: keyOf(draft),
    explanation: draft.explanation.slice(0, LONGEST.explanation),
    topic: draft.category.slice(0, LONGEST.topic),
    form: draft.form,
  }
}

/** What is left out, by reason, in the order of the reasons. */
export function byReason(
  drafts: readonly Draft[],
  mode: Mode,
): [reason: LeftOutReason, drafts: Draft[]][] {
  return (Object.keys(LEFT_OUT) as LeftOutReason[]).flatMap((reason) => {
    const those = drafts.filter((one) => one.reason === reason && !isReady(one, mode))
    return those.length > 0 ? [[reason, those]] : []
  })
}
