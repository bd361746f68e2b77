import { OPTION_LETTERS, type OptionLetter } from '../../../platform/option-letters.ts'
import {
  type FileNotice,
  type FileProblem,
  type LeftOutReason,
  type Notice,
  QUESTION_FILE_BYTES,
  type TableStart,
} from '../../questions/question-files.ts'
import type { Form } from '../../questions/two-forms.ts'
import { LONGEST } from '../../questions/written-question.ts'

/** What a reader may take: more is refused with a sentence (product 7.2.9). */
export const LIMITS = {
  fileBytes: QUESTION_FILE_BYTES,
  /** of all files in a zip together */
  unpackedBytes: 20_000_000,
  zipEntries: 2_000,
  /** unpacked over packed */
  zipRatio: 100,
  xmlDepth: 64,
  xmlElements: 300_000,
  questions: 5_000,
}

export interface FoundOption {
  text: string
  /** percent of the points that choosing it gives; below 0 takes some away */
  credit: number
  feedback: string
}

/** A question as its file has it, whatever its kind; texts are plain, never HTML. */
export interface FoundQuestion {
  /** 'line 12', 'row 9', 'items/q1.xml, line 3' */
  place: string
  stem: string
  options: FoundOption[]
  explanation: string
  /** of the file's own order of things: the last part of its path; '' where it has none */
  category: string
  /** of the test's two forms, the one that asks it; left out: both, or the file knows no forms */
  form?: Form
  /** what its reader found that keeps it out; what holds for all formats is found in review.ts */
  flaw: LeftOutReason | null
  notices: Notice[]
}

/** What a reader makes of a file. */
export interface Found {
  questions: FoundQuestion[]
  notices: FileNotice[]
  /** of a table */
  table?: TableStart
}

/** A question that can be imported: four options, one of them right. */
export interface Question {
  question: string
  options: Record<OptionLetter, string>
  answer: OptionLetter
  explanation: string
  /** why an option is right or wrong, of those of which the file says it */
  why: Partial<Record<OptionLetter, string>>
  /** left out: both forms ask it */
  form?: Form
}

/** What a question says afterwards, in one text: of all of it, then of each option (product 7.9.34). */
export function wholeExplanation({
  explanation,
  why,
}: Pick<Question, 'explanation' | 'why'>): string {
  const ofOptions = OPTION_LETTERS.flatMap((letter) =>
    why[letter] ? `${letter}: ${why[letter]}` : [],
  )
  return [explanation, ...ofOptions]
    .filter((part) => part !== '')
    .join('\n')
    .slice(0, LONGEST.explanation)
}

/** A file that is not read at all. */
export class QuestionFileError extends Error {
  readonly problem: FileProblem
  /** of a table whose columns nobody has named: how it begins */
  readonly table: TableStart | null
  constructor(problem: FileProblem, table: TableStart | null = null) {
    super(problem)
    this.problem = problem
    this.table = table
  }
}

/** A question that its format's reader could not make anything of. */
export function flawedQuestion(place: string, flaw: LeftOutReason, stem = ''): FoundQuestion {
  return { place, stem, options: [], explanation: '', category: '', flaw, notices: [] }
}

/** Errors: QuestionFileError when a file has too many. */
export function requireFewQuestions(count: number): void {
  if (count > LIMITS.questions) throw new QuestionFileError('too_many_questions')
}
