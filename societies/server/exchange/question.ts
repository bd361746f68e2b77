import type { OptionLetter } from '../../../platform/option-letters.ts'
import {
  type FileNotice,
  type FileProblem,
  type LeftOutReason,
  type Notice,
  QUESTION_FILE_BYTES,
} from '../../questions/question-files.ts'
import type { Form } from '../../questions/two-forms.ts'

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
  /** what a page can show: questions, and characters of their texts */
  shownQuestions: 1_000,
  shownCharacters: 3_000_000,
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
}

/** A question as it is exported. */
export interface WrittenQuestion {
  question: string
  options: Record<OptionLetter, string>
  answer: OptionLetter
  explanation: string
  /** null: both forms ask it */
  form: Form | null
}

/** A file that is not read at all. */
export class QuestionFileError extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem)
    this.problem = problem
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

/**
 * What a file calls a group of questions, without the folders around it: 'Bonds' of '$course$/top/Exam/Bonds'.
 * A slash that belongs to a name is written twice.
 */
export function categoryOf(path: string): string {
  const parts = path
    .replaceAll('//', '\0')
    .split('/')
    .map((part) => part.replaceAll('\0', '/').trim())
    .filter((part) => part !== '' && !/^(top|\$\w+\$)$/i.test(part))
  return (parts.at(-1) ?? '').slice(0, 80)
}
