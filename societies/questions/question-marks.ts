import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { agrees, readNumber } from '../kit/number-shown.ts'
import { evaluateTerm } from './computed-answer.ts'
import type { Draft } from './question-content.ts'

// What is wrong with a question, and what in it reads badly or lets somebody guess (product 7.9.5). Errors keep
// a test from opening, hints never do. After Haladyna, Downing and Rodriguez (2002): cues of length, order,
// grammar of 'always', and options that refer to others.

export const ERRORS = ['no_stem', 'empty_option', 'equal_options', 'no_key'] as const

export type Mark =
  | { mark: 'no_stem' }
  | { mark: 'empty_option'; letters: OptionLetter[] }
  | { mark: 'equal_options'; letters: OptionLetter[] }
  | { mark: 'no_key' }
  /** the key is the longest option by far */
  | { mark: 'longest_key'; letter: OptionLetter }
  | { mark: 'numbers_out_of_order' }
  /** 'all of the above', 'none of the above', 'A and B' */
  | { mark: 'refers_to_options'; letters: OptionLetter[] }
  | { mark: 'quiet_negative'; word: string }
  | { mark: 'absolute_words'; letters: OptionLetter[]; word: string }
  | { mark: 'long_stem' }
  /** numbers of the other questions, from 1 */
  | { mark: 'nearly_the_same'; numbers: number[] }
  | { mark: 'unreadable_term' }
  /** `agreeing`: the option that shows what was computed */
  | { mark: 'disagrees'; value: number; agreeing: OptionLetter | null }

/** What the whole test gives away; `of` questions. */
export type TestMark =
  | { mark: 'keys_uneven'; letter: OptionLetter; count: number; of: number }
  | { mark: 'keys_in_a_row'; letter: OptionLetter; first: number; last: number }
  | { mark: 'keys_longest'; count: number; of: number }

export const isError = ({ mark }: Mark): boolean => (ERRORS as readonly string[]).includes(mark)

/** A text as two are compared: no case, no spaces more than one, no full stop. */
export const normalise = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.\s]+$/, '')
    .trim()

const NAMES_OPTIONS =
  /\b(?:all|none|both|neither|any) of (?:the )?(?:above|these|options|others|answers)\b|^(?:both|neither|only)?\s*\(?[a-d]\)? (?:and|or|nor|&) \(?[a-d]\)?(?:\s+only)?[.]?$|\b(?:both|neither) \(?[a-d]\)? (?:and|nor) \(?[a-d]\)?(?!\w)/i
const NEGATIVE = /\b(not|except|least|false|incorrect|never)\b/
const ASKS_NEGATIVE =
  /\b(?:[Ww]hich|[Ww]hat|[Ww]ho)\b[^?]*\b(not|except|least|false|incorrect|never)\b|\b(except)\b[^?]*[?:]?$/
const ABSOLUTE =
  /\b(always|never|only|all|none|every|must|impossible|completely|entirely|guaranteed)\b/i

/** A key is longest by far from half as long again, and so many characters more. */
const LONGER = { times: 1.5, characters: 12 }
const LONG_STEM = { times: 2, characters: 160, questions: 5 }
const SAME_WORDS = 0.9

/** What holds a question alone: its errors first. */
export function marksOfQuestion(question: Draft): Mark[] {
  const { options, answer } = question
  const marks: Mark[] = []
  if (question.question.trim() === '') marks.push({ mark: 'no_stem' })
  const empty = OPTION_LETTERS.filter((letter) => options[letter].trim() === '')
  if (empty.length > 0) marks.push({ mark: 'empty_option', letters: empty })
  const equal = OPTION_LETTERS.filter(
    (letter) =>
      !empty.includes(letter) &&
      OPTION_LETTERS.some(
        (other) => other !== letter && normalise(options[other]) === normalise(options[letter]),
      ),
  )
  if (equal.length > 0) marks.push({ mark: 'equal_options', letters: equal })
  if (answer === null) marks.push({ mark: 'no_key' })
  if (empty.length > 0) return marks
  return [...marks, ...computedMarks(question), ...cueMarks(question)]
}

function cueMarks({ question, options, answer }: Draft): Mark[] {
  const marks: Mark[] = []
  if (inOrder(options) !== null) marks.push({ mark: 'numbers_out_of_order' })
  if (answer !== null && isLongestByFar(options, answer)) {
    marks.push({ mark: 'longest_key', letter: answer })
  }
  const referring = OPTION_LETTERS.filter((letter) => NAMES_OPTIONS.test(options[letter].trim()))
  if (referring.length > 0) marks.push({ mark: 'refers_to_options', letters: referring })
  const negative = quietNegative(question)
  if (negative) marks.push({ mark: 'quiet_negative', word: negative })
  const absolute = OPTION_LETTERS.filter(
    (letter) => !referring.includes(letter) && ABSOLUTE.test(options[letter]),
  )
  // In all four, or in numbers, it tells nobody anything.
  if (absolute.length > 0 && absolute.length < 3) {
    const word = ABSOLUTE.exec(options[absolute[0] as OptionLetter])?.[0] ?? ''
    marks.push({ mark: 'absolute_words', letters: absolute, word: word.toLowerCase() })
  }
  return marks
}

function isLongestByFar(options: Draft['options'], key: OptionLetter): boolean {
  const others = OPTION_LETTERS.filter((letter) => letter !== key).map(
    (letter) => options[letter].trim().length,
  )
  const longest = Math.max(...others)
  const { length } = options[key].trim()
  return length >= longest * LONGER.times && length - longest >= LONGER.characters
}

/** The word that turns a question round and is easily read over; null where it stands in capitals. */
function quietNegative(stem: string): string | null {
  // The sentence that asks is the last one.
  const asking =
    stem
      .trim()
      .split(/(?<=[.!?])\s+/)
      .at(-1) ?? ''
  const found = ASKS_NEGATIVE.exec(asking)
  return found ? (NEGATIVE.exec(found[0])?.[0] ?? null) : null
}

/** The stem with the word that turns it round in capitals. */
export function withCapitals(stem: string, word: string): string {
  const at = stem.lastIndexOf(word)
  return at < 0 ? stem : stem.slice(0, at) + word.toUpperCase() + stem.slice(at + word.length)
}

/**
 * The letters of four options that are numbers, from the lowest to the highest; null where they stand so
 * already, or are not all numbers of one kind.
 */
export function inOrder(options: Draft['options']): OptionLetter[] | null {
  const shown = OPTION_LETTERS.map((letter) => ({ letter, number: readNumber(options[letter]) }))
  const unit = shown[0]?.number?.unit
  if (shown.some(({ number }) => number === null || number.unit !== unit)) return null
  const sorted = shown.toSorted((a, b) => (a.number?.value ?? 0) - (b.number?.value ?? 0))
  const letters = sorted.map(({ letter }) => letter)
  return letters.join('') === OPTION_LETTERS.join('') ? null : letters
}

/** The options in another order, and the key along with them. @param letters as inOrder gives them */
export function reordered<D extends Draft>(question: D, letters: readonly OptionLetter[]): D {
  const options = Object.fromEntries(
    OPTION_LETTERS.map((letter, n) => [letter, question.options[letters[n] as OptionLetter]]),
  ) as Draft['options']
  const answer =
    question.answer === null
      ? null
      : (OPTION_LETTERS[letters.indexOf(question.answer)] as OptionLetter)
  return { ...question, options, answer }
}

/** The options that show what a term comes to; null where there is no term, or none that can be read. */
export function agreeingOptions(
  question: Pick<Draft, 'compute' | 'options'>,
): { value: number; letters: OptionLetter[] } | null {
  const value = question.compute ? evaluateTerm(question.compute) : null
  if (value === null) return null
  const letters = OPTION_LETTERS.filter((letter) => {
    const shown = readNumber(question.options[letter])
    // A percentage is computed as 0.08 as often as 8.
    return shown && (agrees(value, shown) || (isPercent(shown.unit) && agrees(value * 100, shown)))
  })
  return { value, letters }
}

const isPercent = (unit: string) => unit.includes('%') || unit.includes('percent')

function computedMarks(question: Draft): Mark[] {
  if (!question.compute?.trim()) return []
  const found = agreeingOptions(question)
  if (!found) return [{ mark: 'unreadable_term' }]
  if (question.answer !== null && found.letters.includes(question.answer)) return []
  return [{ mark: 'disagrees', value: found.value, agreeing: found.letters[0] ?? null }]
}

/** What of a stem is compared with others: read once, since every question is held against every other. */
interface Stem {
  text: string
  words: string[]
}

const stemOf = (question: string): Stem => {
  const text = normalise(question)
  return { text, words: (text.match(/[\p{L}]+|\d[\d.,]*/gu) ?? []).sort() }
}

/** Twice the common words over all words of both, each as often as it occurs. */
function likeness(one: Stem, other: Stem): number {
  if (one.text === other.text) return one.text === '' ? 0 : 1
  const all = one.words.length + other.words.length
  if ((2 * Math.min(one.words.length, other.words.length)) / all < SAME_WORDS) return 0
  let common = 0
  for (let a = 0, b = 0; a < one.words.length && b < other.words.length; ) {
    const left = one.words[a] as string
    const right = other.words[b] as string
    if (left === right) common += 1
    if (left <= right) a += 1
    if (right <= left) b += 1
  }
  return (2 * common) / all
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0

/** The marks of each question, those that come from the others too; in the questions' order. */
export function marksOfQuestions(questions: readonly Draft[]): Mark[][] {
  const stems = questions.map(({ question }) => stemOf(question))
  return questions.map((question, index) => marksAmong(question, index, stems))
}

/**
 * The marks of one question while it is written.
 * @param index its place among the others; behind them all for a new one
 */
export function marksWhileWriting(
  question: Draft,
  index: number,
  questions: readonly Draft[],
): Mark[] {
  const stems = questions.map((other) => stemOf(other.question))
  stems[index] = stemOf(question.question)
  return marksAmong(question, index, stems)
}

function marksAmong(question: Draft, index: number, stems: readonly Stem[]): Mark[] {
  const marks = marksOfQuestion(question)
  const mine = stems[index] as Stem
  const same = stems.flatMap((stem, at) =>
    at !== index && likeness(mine, stem) >= SAME_WORDS ? [at + 1] : [],
  )
  if (same.length > 0) marks.push({ mark: 'nearly_the_same', numbers: same })
  const lengths = stems.filter((_, at) => at !== index).map(({ text }) => text.length)
  const usual = median(lengths.sort((a, b) => a - b))
  const { length } = mine.text
  if (
    lengths.length >= LONG_STEM.questions - 1 &&
    length > LONG_STEM.characters &&
    length > usual * LONG_STEM.times
  ) {
    marks.push({ mark: 'long_stem' })
  }
  return marks
}

/** From how many questions on the balance of keys says anything. */
const BALANCED_FROM = 12
const RUN_OF_KEYS = 5
const SHARES = { fewest: 0.1, most: 0.4, longest: 0.5 }

/** What the keys of the whole test give away: nothing while there are few questions. */
export function marksOfTest(questions: readonly Draft[]): TestMark[] {
  const keyed = questions.filter(({ answer }) => answer !== null)
  const marks: TestMark[] = runsOfKeys(questions)
  if (keyed.length < BALANCED_FROM) return marks
  const counts = OPTION_LETTERS.map((letter) => ({
    letter,
    count: keyed.filter(({ answer }) => answer === letter).length,
  })).sort((a, b) => b.count - a.count)
  const of = keyed.length
  const [most] = counts
  const fewest = counts.at(-1)
  if (most && most.count > of * SHARES.most) marks.push({ mark: 'keys_uneven', of, ...most })
  else if (fewest && fewest.count < of * SHARES.fewest) {
    marks.push({ mark: 'keys_uneven', of, ...fewest })
  }
  const worded = keyed.filter(({ options }) => /[a-z]{4}/i.test(Object.values(options).join(' ')))
  const longest = worded.filter(({ options, answer }) =>
    OPTION_LETTERS.every(
      (letter) =>
        letter === answer || options[letter].length < options[answer as OptionLetter].length,
    ),
  ).length
  if (worded.length >= BALANCED_FROM && longest > worded.length * SHARES.longest) {
    marks.push({ mark: 'keys_longest', count: longest, of: worded.length })
  }
  return marks
}

function runsOfKeys(questions: readonly Draft[]): TestMark[] {
  const marks: TestMark[] = []
  let first = 0
  questions.forEach(({ answer }, index) => {
    if (answer === null || questions[first]?.answer !== answer) first = index
    const isOver = questions[index + 1]?.answer !== answer
    if (answer !== null && isOver && index - first + 1 >= RUN_OF_KEYS) {
      marks.push({ mark: 'keys_in_a_row', letter: answer, first: first + 1, last: index + 1 })
    }
  })
  return marks
}

/** Whether a question has an error of its own: with one, a test is not published (product 7.9.5). */
export const isFlawed = (question: Draft): boolean => marksOfQuestion(question).some(isError)
