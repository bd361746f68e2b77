import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { showControls } from '../../../../platform/server/control-characters.ts'
import type { reviewQuestionFile } from '../../contract-exchange.ts'
import type { LeftOutReason, Notice } from '../../question-files.ts'
import { flawOfTexts, LONGEST, normaliseStem } from '../../written-question.ts'
import type { FoundQuestion } from './question.ts'

/** A question of a file as the page shows it, with the reason why it can't be imported. */
export type ReviewedQuestion = ResponseOf<typeof reviewQuestionFile>['questions'][number]

/** Says of each question of a file whether it can be imported (product 7.2.8), in the order of the file. */
export function review(found: readonly FoundQuestion[]): ReviewedQuestion[] {
  const stems = new Set<string>()
  return found.map((one) => {
    const stem = normaliseStem(one.stem.text)
    const texts = one.options.flatMap(({ text, feedback }) => [text, feedback])
    const lost = [one.stem, one.explanation, ...texts].flatMap((text) => text?.lost ?? [])
    const reason =
      one.flaw ??
      (lost.includes('media') ? 'media' : reasonAgainst(one)) ??
      (stems.has(stem) ? 'same_question' : null)
    if (reason === null) stems.add(stem)
    return {
      place: one.place,
      question: showControls(one.stem.text),
      // Halves of right are shown as right where somebody has to choose.
      options: one.options.map(({ text, credit }) => ({
        text: showControls(text.text),
        isKey: reason === null ? isWhole(credit) : credit > 0,
      })),
      explanation: explanationOf(one),
      category: showControls((one.category ?? '').slice(0, LONGEST.topic)),
      form: one.form ?? null,
      notices: noticesOf(one, lost),
      reason,
    }
  })
}

function reasonAgainst({ stem, options }: FoundQuestion): LeftOutReason | null {
  const texts = options.map(({ text }) => text.text)
  if (texts.length === 2 && texts.every((text) => /^(true|false)$/i.test(text))) return 'other_kind'
  const right = options.filter(({ credit }) => isWhole(credit)).length
  if (right > 1) return 'several_keys'
  if (right === 0) return options.some(({ credit }) => credit > 0) ? 'several_keys' : 'no_key'
  if (options.length < OPTION_LETTERS.length) return 'too_few_options'
  if (options.length > OPTION_LETTERS.length) return 'too_many_options'
  return flawOfTexts(stem.text, texts)
}

/** Moodle writes a third of three as 33.33333. */
const isWhole = (credit: number) => credit >= 99.99

/** What the file says of the whole question, then of each option (product 7.9.34). */
function explanationOf({ explanation, options }: FoundQuestion): string {
  const ofOptions = options.map(
    ({ feedback }, at) => feedback?.text && `${String.fromCharCode(65 + at)}: ${feedback.text}`,
  )
  return showControls([explanation?.text, ...ofOptions].filter(Boolean).join('\n'))
    .slice(0, LONGEST.explanation)
    .replace(/\p{Surrogate}/gu, '')
}

function noticesOf(
  { stem, options }: FoundQuestion,
  lost: readonly (Notice | 'media')[],
): Notice[] {
  const texts = options.map(({ text }) => text.text)
  const all = new Set(lost.filter((one) => one !== 'media'))
  if (options.some(({ credit }) => credit > 0 && !isWhole(credit))) all.add('partial_credit')
  if (texts.some((text) => OTHER_OPTIONS.test(text))) all.add('refers_to_options')
  if ([stem.text, ...texts].some((text) => /\\\(|\\\[|\$\$/.test(text))) all.add('formula_source')
  return [...all]
}

const OTHER_OPTIONS =
  /\b(all|none|any|both|neither|two|some) of (the )?(above|these|others?)\b|^both [A-D] and [A-D]\b/i
