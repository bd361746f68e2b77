import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import type {
  Encoding,
  FileNotice,
  LeftOutReason,
  Notice,
  ReadFormat,
  TableStart,
} from '../../questions/question-files.ts'
import { flawOfTexts, normaliseStem } from '../../questions/written-question.ts'
import type { Found, FoundQuestion, Question } from './question.ts'

export interface Importable extends Question {
  place: string
  /** the file's category, where it has one */
  topic?: string
  notices: Notice[]
  /** what its file calls right is told of another question too: which, and how much alike they are, in percent */
  resembles?: { at: number; percent: number }
}

export interface LeftOut {
  place: string
  reason: LeftOutReason
  /** how its text begins */
  excerpt: string
  /** as far as it was read, for whoever mends it */
  found: FoundQuestion
}

/** What a file holds, before anything is stored (product 7.2.7). */
export interface Review {
  format: ReadFormat
  /** null for files that say it themselves */
  encoding: Encoding | null
  notices: FileNotice[]
  /** of a table */
  table: TableStart | null
  /** both in the order of the file */
  importable: Importable[]
  leftOut: LeftOut[]
}

/** Characters of an explanation, or of what one option says; it is for who checks the question. */
const EXPLANATION_CHARACTERS = 2_000
const EXCERPT_CHARACTERS = 80

/** Parts what can be imported from what can not (product 7.2.8). */
export function review(found: Found, file: Pick<Review, 'format' | 'encoding'>): Review {
  const importable: Importable[] = []
  const leftOut: LeftOut[] = []
  const stems = new Set<string>()
  for (const one of found.questions) {
    const stem = normaliseStem(one.stem)
    const reason = reasonAgainst(one) ?? (stems.has(stem) ? 'same_question' : null)
    if (reason) {
      leftOut.push({ place: one.place, reason, excerpt: excerptOf(one.stem), found: one })
    } else {
      stems.add(stem)
      importable.push(makeQuestion(one))
    }
  }
  return { ...file, notices: found.notices, table: found.table ?? null, importable, leftOut }
}

/** Takes out what is there already, and samples, whose keys everybody can read. */
export function withoutKnown(
  before: Review,
  known: { inAssessment: ReadonlySet<string>; samples: ReadonlySet<string> },
): Review {
  const reasonOf = ({ question }: Importable): LeftOutReason | null => {
    const stem = normaliseStem(question)
    if (known.samples.has(stem)) return 'sample'
    return known.inAssessment.has(stem) ? 'asked_already' : null
  }
  const leftOut = before.importable.flatMap((one) => {
    const reason = reasonOf(one)
    return reason
      ? [{ place: one.place, reason, excerpt: excerptOf(one.question), found: asFound(one) }]
      : []
  })
  return {
    ...before,
    importable: before.importable.filter((one) => reasonOf(one) === null),
    leftOut: [...before.leftOut, ...leftOut],
  }
}

function reasonAgainst({ stem, options, flaw }: FoundQuestion): LeftOutReason | null {
  if (flaw) return flaw
  const texts = options.map(({ text }) => text)
  if (isTrueFalse(texts)) return 'true_false'
  const right = options.filter(({ credit }) => isWhole(credit)).length
  if (right > 1) return 'several_keys'
  if (right === 0) return options.some(({ credit }) => credit > 0) ? 'several_keys' : 'no_key'
  if (options.length < OPTION_LETTERS.length) return 'too_few_options'
  if (options.length > OPTION_LETTERS.length) return 'too_many_options'
  return flawOfTexts(stem, texts)
}

/** A question that can be imported, as its reader had it. */
function asFound(one: Importable): FoundQuestion {
  const { place, question, options, answer, explanation, topic, why, notices, form } = one
  return {
    ...(form ? { form } : {}),
    ...{ place, stem: question, explanation, category: topic ?? '', notices, flaw: null },
    options: OPTION_LETTERS.map((letter) => ({
      text: options[letter],
      credit: letter === answer ? 100 : 0,
      feedback: why[letter] ?? '',
    })),
  }
}

/** Moodle writes a third of three as 33.33333. */
const isWhole = (credit: number) => credit >= 99.99

const isTrueFalse = (texts: readonly string[]) =>
  texts.length === 2 && texts.every((text) => /^(true|false)$/i.test(text))

function makeQuestion(found: FoundQuestion): Importable {
  const letterOf = (index: number) => OPTION_LETTERS[index] ?? 'A'
  const explanationOf = (text: string) =>
    showControls(text)
      .replace(/\p{Surrogate}/gu, '')
      .slice(0, EXPLANATION_CHARACTERS)
  return {
    place: found.place,
    question: found.stem,
    options: Object.fromEntries(
      found.options.map(({ text }, index) => [letterOf(index), text]),
    ) as Question['options'],
    answer: letterOf(found.options.findIndex(({ credit }) => isWhole(credit))),
    explanation: explanationOf(found.explanation),
    ...(found.category === '' ? {} : { topic: explanationOf(found.category) }),
    ...(found.form ? { form: found.form } : {}),
    why: Object.fromEntries(
      found.options.flatMap(({ feedback }, index) =>
        feedback === '' ? [] : [[letterOf(index), explanationOf(feedback)]],
      ),
    ),
    notices: noticesOf(found),
  }
}

function noticesOf({ stem, options, notices }: FoundQuestion): Notice[] {
  const texts = options.map(({ text }) => text)
  const all = new Set(notices)
  if (options.some(({ credit }) => credit > 0 && !isWhole(credit))) all.add('partial_credit')
  if (
    texts.some((text) =>
      /\b(all|none|any|both|neither|two|some) of (the )?(above|these|others?)\b|^both [A-D] and [A-D]\b/i.test(
        text,
      ),
    )
  ) {
    all.add('refers_to_options')
  }
  if ([stem, ...texts].some((text) => /\\\(|\\\[|\$\$/.test(text))) all.add('formula_source')
  return [...all]
}

function excerptOf(stem: string): string {
  const shown = showControls(stem.slice(0, EXCERPT_CHARACTERS * 2).replace(/\s+/g, ' '))
  const letters = [...shown]
  return letters.length > EXCERPT_CHARACTERS
    ? `${letters.slice(0, EXCERPT_CHARACTERS - 1).join('')}…`
    : shown
}
