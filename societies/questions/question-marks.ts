import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { listOf } from '../../platform/words.ts'
import { agrees, readNumber } from '../kit/number-shown.ts'
import { evaluateTerm } from './computed-answer.ts'
import type { Draft } from './question-content.ts'
import { quotedInstead } from './written-question.ts'

// Finds errors and hints in a question (product 7.9.5). Hints point to unclear text or clues for guessing. Errors
// block publishing, hints never do. The hints follow Haladyna, Downing and Rodriguez (2002): clues from length,
// order, words such as 'always', and options that refer to others.

export interface Mark {
  mark: string
  /** the field that shows it; left out: the options */
  field?: 'stem' | 'term'
  /** its first sentence is the title (titleAndRest) */
  text: string
  isError?: true
  /** a one-click fix */
  remedy?: { label: string; apply: (draft: Draft) => Draft }
}
type Found = readonly (Mark | false | null)[]
const marksIn = (found: Found): Mark[] => found.flatMap((one) => one || [])

/** Normalizes a text for comparison: lower case, single spaces, no period at the end. */
const normalise = (text: string): string =>
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

/** A key is much longer if it is half as long again and has this many more characters. */
const LONGER = { times: 1.5, characters: 12 }
const LONG_STEM = { times: 2, characters: 160, questions: 5 }
const SAME_WORDS = 0.9

/** Finds the marks of a single question, errors first. */
export function marksOfQuestion(question: Draft): Mark[] {
  const errors = errorsOf(question)
  const isEmpty = errors.some(({ mark }) => mark === 'empty_option')
  return isEmpty ? errors : [...errors, ...marksIn(hintsOf(question))]
}

function errorsOf(question: Draft): Mark[] {
  const { options, answer } = question
  const empty = OPTION_LETTERS.filter((letter) => options[letter].trim() === '')
  const equal = OPTION_LETTERS.filter((letter) =>
    OPTION_LETTERS.some(
      (other) => other !== letter && normalise(options[other]) === normalise(options[letter]),
    ),
  ).filter((letter) => !empty.includes(letter))
  return marksIn([
    question.question.trim() === '' && {
      mark: 'no_stem',
      field: 'stem',
      text: 'No question. Write the question.',
    },
    empty.length > 0 && {
      mark: 'empty_option',
      text: `Option ${listOf(empty)} is empty. Each question has four options.`,
    },
    equal.length > 0 && {
      mark: 'equal_options',
      text: `Options ${listOf(equal)} are the same. Change one of them.`,
    },
    answer === null && {
      mark: 'no_key',
      text: 'No key. Select the right option.',
    },
  ]).map((mark): Mark => ({ ...mark, isError: true }))
}

function hintsOf(question: Draft): Found {
  const { options, answer } = question
  const referring = OPTION_LETTERS.filter((letter) => NAMES_OPTIONS.test(options[letter].trim()))
  const negative = quietNegative(question.question)
  const absolute = OPTION_LETTERS.filter(
    (letter) => !referring.includes(letter) && ABSOLUTE.test(options[letter]),
  )
  const [word = ''] = ABSOLUTE.exec(options[absolute[0] ?? 'A']) ?? []
  return [
    computedMark(question),
    explainedMark(question),
    inOrder(options) !== null && {
      mark: 'numbers_out_of_order',
      text: 'Numbers are out of order. Other questions list them from low to high, so this one stands out.',
      remedy: {
        label: 'Sort the options (the key moves too)',
        apply: (draft) => reordered(draft, inOrder(draft.options) ?? OPTION_LETTERS),
      },
    },
    answer !== null &&
      isLongestByFar(options, answer) && {
        mark: 'longest_key',
        text: 'The key is the longest option. Candidates who guess pick the longest. Shorten it, or lengthen another one.',
      },
    referring.length > 0 && {
      mark: 'refers_to_options',
      text: `Option ${listOf(referring)} refers to the others. Candidates can guess without knowing every option. Write an independent option.`,
    },
    negative !== null && {
      mark: 'quiet_negative',
      field: 'stem',
      text: `‘${negative}’ is easily overlooked. Ask what is true, or write the word in capitals.`,
      remedy: {
        label: `Write ${negative.toUpperCase()}`,
        apply: (draft) => ({ ...draft, question: withCapitals(draft.question, negative) }),
      },
    },
    // The word is no clue if all four options or numbers have it.
    absolute.length > 0 &&
      absolute.length < 3 && {
        mark: 'absolute_words',
        text: `‘${word.toLowerCase()}’ gives option ${listOf(absolute)} away. Options with such words are usually wrong, and candidates know it.`,
      },
  ]
}

function isLongestByFar(options: Draft['options'], key: OptionLetter): boolean {
  const lengthOf = (letter: OptionLetter) => options[letter].trim().length
  const longest = Math.max(...OPTION_LETTERS.filter((letter) => letter !== key).map(lengthOf))
  const length = lengthOf(key)
  return length >= longest * LONGER.times && length - longest >= LONGER.characters
}

/** Finds a negating word that is easy to miss; null if it is in capitals. */
function quietNegative(stem: string): string | null {
  // The last sentence asks the question.
  const sentences = stem.trim().split(/(?<=[.!?])\s+/)
  const found = ASKS_NEGATIVE.exec(sentences.at(-1) ?? '')
  return found ? (NEGATIVE.exec(found[0])?.[0] ?? null) : null
}

function withCapitals(stem: string, word: string): string {
  const at = stem.lastIndexOf(word)
  return at < 0 ? stem : stem.slice(0, at) + word.toUpperCase() + stem.slice(at + word.length)
}

/** Sorts four numeric options by value; null if they already are in order or aren't all numbers. */
function inOrder(options: Draft['options']): OptionLetter[] | null {
  const shown = OPTION_LETTERS.map((letter) => ({ letter, number: readNumber(options[letter]) }))
  const unit = shown[0]?.number?.unit
  if (shown.some(({ number }) => number === null || number.unit !== unit)) return null
  const sorted = shown.toSorted((a, b) => (a.number?.value ?? 0) - (b.number?.value ?? 0))
  const letters = sorted.map(({ letter }) => letter)
  return letters.join('') === OPTION_LETTERS.join('') ? null : letters
}

/**
 * Reorders the options and moves the key with them.
 * @param letters as inOrder returns them
 */
function reordered(question: Draft, letters: readonly OptionLetter[]): Draft {
  const [A, B, C, D] = letters.map((letter) => question.options[letter])
  const { answer } = question
  const options = { A, B, C, D } as Draft['options']
  return {
    ...question,
    options,
    answer: answer && (OPTION_LETTERS[letters.indexOf(answer)] ?? null),
  }
}

/** Finds the options that match the formula's value; null without a valid formula. */
export function agreeingOptions({
  compute,
  options,
}: Pick<Draft, 'compute' | 'options'>): { value: number; letters: OptionLetter[] } | null {
  const value = compute ? evaluateTerm(compute) : null
  if (value === null) return null
  const letters = OPTION_LETTERS.filter((letter) => {
    const shown = readNumber(options[letter])
    // Authors enter a percentage as either 0.08 or 8.
    const isPercent = shown && /%|percent/.test(shown.unit)
    return shown && (agrees(value, shown) || (isPercent && agrees(value * 100, shown)))
  })
  return { value, letters }
}

function computedMark(question: Draft): Mark | null {
  const { answer, compute } = question
  if (!compute?.trim()) return null
  const found = agreeingOptions(question)
  if (!found) {
    const text =
      'The computed answer can’t be read. Write an expression such as 1.25 / 1.10. Don’t use commas in numbers.'
    return { mark: 'unreadable_term', field: 'term', text }
  }
  if (answer !== null && found.letters.includes(answer)) return null
  const [agreeing] = found.letters
  const which = agreeing ? `option ${agreeing}` : 'not among the options'
  const text = `The key differs from the computed answer. The expression gives ${shownValue(found.value)}, which is ${which}.`
  const mark: Mark = { mark: 'disagrees', field: 'term', text }
  if (!agreeing) return mark
  const apply = (draft: Draft) => ({ ...draft, answer: agreeing })
  return { ...mark, remedy: { label: `Make ${agreeing} the key`, apply } }
}

function explainedMark({ options, answer, explanation }: Draft): Mark | null {
  if (answer === null || !explanation) return null
  const texts = OPTION_LETTERS.map((letter) => options[letter])
  const place = quotedInstead(explanation, texts, OPTION_LETTERS.indexOf(answer))
  if (place === null) return null
  const text = `The explanation quotes option ${OPTION_LETTERS[place]}. The key is ${answer}. Check which one is right.`
  return { mark: 'other_explained', text }
}

/** '1.1364', '12,500' */
export const shownValue = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 6 })

/** The comparable parts of a stem. They are read once, since every question is compared with every other. */
function stemOf(question: string) {
  const text = normalise(question)
  return { text, words: (text.match(/[\p{L}]+|\d[\d.,]*/gu) ?? []).sort() }
}
type Stem = ReturnType<typeof stemOf>

/** Twice the number of shared words divided by all words of both stems, with repetitions. */
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

/** Finds the marks of each question, including comparisons between questions, in the questions' order. */
export function marksOfQuestions(questions: readonly Draft[]): Mark[][] {
  const stems = questions.map(({ question }) => stemOf(question))
  return questions.map((question, index) => marksAmong(question, index, stems))
}

/**
 * Finds the marks of one question while it is being edited.
 * @param index its position; after the last for a new one
 */
export function marksWhileWriting(question: Draft, index: number, questions: readonly Draft[]) {
  const stems = questions.map((other) => stemOf(other.question))
  stems[index] = stemOf(question.question)
  return marksAmong(question, index, stems)
}

function marksAmong(question: Draft, index: number, stems: readonly Stem[]): Mark[] {
  const mine = stems[index] as Stem
  const others = stems.flatMap((stem, at) => (at === index ? [] : { stem, number: at + 1 }))
  const same = others.filter(({ stem }) => likeness(mine, stem) >= SAME_WORDS)
  const lengths = others.map(({ stem }) => stem.text.length).sort((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  const { length } = mine.text
  const isLong =
    lengths.length >= LONG_STEM.questions - 1 &&
    length > LONG_STEM.characters &&
    length > median * LONG_STEM.times
  return [
    ...marksOfQuestion(question),
    ...marksIn([
      same.length > 0 && {
        mark: 'nearly_the_same',
        field: 'stem',
        text: `Nearly the same as ${listOf(same.map(({ number }) => number))}. One may give the other away, or both test the same thing.`,
      },
      isLong && {
        mark: 'long_stem',
        field: 'stem',
        text: 'The question is twice as long as the others. It takes longer to read than the others. Cut what candidates don’t need.',
      },
    ]),
  ]
}

/** The balance of keys means something from this many questions on. */
const BALANCED_FROM = 12
const RUN_OF_KEYS = 5
const SHARES = { fewest: 0.1, most: 0.4, longest: 0.5 }

/** Describes clues in the keys of the whole test. There are none for small tests. */
export function marksOfTest(questions: readonly Draft[]): string[] {
  const keyed = questions.filter(({ answer }) => answer !== null)
  const of = keyed.length
  const found = runsOfKeys(questions)
  if (of < BALANCED_FROM) return found
  const counts = OPTION_LETTERS.map((letter) => ({
    letter,
    count: keyed.filter(({ answer }) => answer === letter).length,
  })).sort((a, b) => b.count - a.count)
  const uneven =
    counts.find(({ count }) => count > of * SHARES.most) ??
    counts.findLast(({ count }) => count < of * SHARES.fewest)
  if (uneven?.count === 0) {
    found.push(`${uneven.letter} is never the key, so candidates who guess can rule it out.`)
  } else if (uneven) {
    const { letter, count } = uneven
    found.push(
      `${letter} is the key of ${count} of ${of} questions, which helps candidates who guess.`,
    )
  }
  const worded = keyed.filter(({ options }) => /[a-z]{4}/i.test(Object.values(options).join(' ')))
  const longest = worded.filter(({ options, answer }) =>
    OPTION_LETTERS.every(
      (letter) =>
        letter === answer || options[letter].length < options[answer as OptionLetter].length,
    ),
  )
  if (worded.length >= BALANCED_FROM && longest.length > worded.length * SHARES.longest) {
    found.push(
      `The key is the longest option in ${longest.length} of ${worded.length} questions, so guessing it pays off.`,
    )
  }
  return found
}

function runsOfKeys(questions: readonly Draft[]): string[] {
  let first = 0
  return questions.flatMap(({ answer }, index) => {
    if (answer === null || questions[first]?.answer !== answer) first = index
    const isOver = questions[index + 1]?.answer !== answer
    return answer !== null && isOver && index - first + 1 >= RUN_OF_KEYS
      ? `${answer} is the key of questions ${first + 1} to ${index + 1}, which makes candidates doubt their answers.`
      : []
  })
}

/** Checks whether a question has an error of its own, which blocks publishing (product 7.9.5). */
export const isFlawed = (question: Draft): boolean => errorsOf(question).length > 0
