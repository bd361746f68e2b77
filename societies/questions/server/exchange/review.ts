import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { showControls } from '../../../../platform/server/control-characters.ts'
import type { reviewQuestionFile } from '../../contract-exchange.ts'
import type { FileNotice, LeftOutReason, Notice } from '../../question-files.ts'
import type { Form } from '../../two-forms.ts'
import { CONTENT_LIMITS, flawOfTexts, identityOf, quotedInstead } from '../../written-question.ts'
import { type PlainText, plainText } from './plain-text.ts'

/** A question of any kind as its file has it. The review applies the rules for all formats. */
export interface FoundQuestion {
  /** 'line 12', 'row 9', 'items/q1.xml, line 3' */
  place: string
  stem: PlainText
  /** `credit`: percent of the points for choosing it; negative credit subtracts points */
  options: { text: PlainText; credit: number; feedback?: PlainText | undefined }[]
  explanation?: PlainText | undefined
  /** its group in the file */
  category?: string
  /** the form that has the question; left out: both, or the file has no forms */
  form?: Form | undefined
  /** why the reader rejected it */
  flaw?: LeftOutReason | null
}

export interface Found {
  questions: FoundQuestion[]
  notices?: FileNotice[]
  unread?: string[]
  /** how a table was read; left out: the file is no table */
  table?: Table
}

type Table = NonNullable<ResponseOf<typeof reviewQuestionFile>['table']>

export const flawedQuestion = (place: string, flaw: LeftOutReason, stem = ''): FoundQuestion => ({
  place,
  stem: plainText(stem),
  options: [],
  flaw,
})

/** Gets a category's name without its folders: 'Bonds' from '$course$/top/Exam/Bonds'; '//' is a slash. */
export const categoryOf = (path: string): string =>
  path
    .replaceAll('//', '\0')
    .split('/')
    .map((part) => part.replaceAll('\0', '/').trim())
    .findLast((part) => part !== '' && !/^(top|\$\w+\$)$/i.test(part)) ?? ''

/** A question in a file as the page shows it, with the reason why it can't be imported, if any. */
export type ReviewedQuestion = ResponseOf<typeof reviewQuestionFile>['questions'][number]

/** Decides which questions in a file can be imported (product 7.2.8), in the order of the file. */
export function review(found: readonly FoundQuestion[]): ReviewedQuestion[] {
  const asking = new Set<string>()
  const areNumbered = found.every(({ stem, flaw }) => flaw || NUMBER.test(stem.text))
  return found.map((written) => {
    const one = withoutNumbers(written, areNumbered)
    const { place, stem, options, explanation, category = '', form = null, flaw } = one
    const all = [stem, explanation, ...options.flatMap(({ text, feedback }) => [text, feedback])]
    const lost = all.flatMap((text) => text?.lost ?? [])
    const asked = identityOf(
      stem.text,
      options.map(({ text }) => text.text),
    )
    const reason =
      flaw ??
      (lost.includes('media') ? 'media' : reasonAgainst(one)) ??
      (asking.has(asked) ? 'same_question' : null)
    if (reason === null) asking.add(asked)
    return {
      place,
      question: showControls(stem.text),
      // If the member has to choose, partly right options are marked as right.
      options: options.map(({ text, credit }) => ({
        text: showControls(text.text),
        isKey: reason === null ? isWhole(credit) : credit > 0,
      })),
      explanation: explanationOf(one),
      category: showControls(category.slice(0, CONTENT_LIMITS.topic)),
      form,
      notices: noticesOf(one, lost),
      reason,
    }
  })
}

const NUMBER = /^(?:q(?:uestion)?\s*)?\(?\d{1,3}[.):]\s+/i
const LETTER = /^\(?([a-j])[.):]\s+/i

/** Removes numbers from stems if all have one, and letters from options if all have one. */
function withoutNumbers(one: FoundQuestion, areNumbered: boolean): FoundQuestion {
  const letters = one.options.map(({ text }) => LETTER.exec(text.text)?.[1]?.toUpperCase())
  const areLettered =
    letters.length > 1 && letters.every((letter, at) => letter === 'ABCDEFGHIJ'[at])
  const without = (text: PlainText, sign: RegExp): PlainText => ({
    text: text.text.replace(sign, ''),
    lost: [...text.lost, 'numbering'],
  })
  return {
    ...one,
    stem: areNumbered && NUMBER.test(one.stem.text) ? without(one.stem, NUMBER) : one.stem,
    options: areLettered
      ? one.options.map((option) => ({ ...option, text: without(option.text, LETTER) }))
      : one.options,
  }
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

/** Moodle writes three thirds as 33.33333 each. */
const isWhole = (credit: number) => credit >= 99.99

/** Joins the file's feedback on the question and on each option (product 7.9.34). */
function explanationOf({ explanation, options }: FoundQuestion): string {
  const ofOptions = options.map(
    ({ feedback }, at) => feedback?.text && `${String.fromCharCode(65 + at)}: ${feedback.text}`,
  )
  return showControls([explanation?.text, ...ofOptions].filter(Boolean).join('\n'))
    .slice(0, CONTENT_LIMITS.explanation)
    .replace(/\p{Surrogate}/gu, '')
}

function noticesOf(
  { stem, options, explanation }: FoundQuestion,
  lost: readonly (Notice | 'media')[],
): Notice[] {
  const texts = options.map(({ text }) => text.text)
  const all = new Set(lost.filter((one) => one !== 'media'))
  if (options.some(({ credit }) => credit > 0 && !isWhole(credit))) all.add('partial_credit')
  if (texts.some((text) => OTHER_OPTIONS.test(text))) all.add('refers_to_options')
  const key = options.findIndex(({ credit }) => isWhole(credit))
  if (explanation && key >= 0 && quotedInstead(explanation.text, texts, key) !== null) {
    all.add('other_explained')
  }
  if ([stem.text, ...texts].some((text) => /\\\(|\\\[|\$\$/.test(text))) all.add('formula_source')
  return [...all]
}

const OTHER_OPTIONS =
  /\b(all|none|any|both|neither|two|some) of (the )?(above|these|others?)\b|^both [A-D] and [A-D]\b/i
