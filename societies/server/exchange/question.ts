import type { OptionLetter } from '../../../platform/options.ts'
import type { FileNotice, FileProblem, LeftOutReason, Notice } from '../../question-files.ts'

/** What a reader may take: more is refused with a sentence (product 7.2.9). */
export const LIMITS = {
  fileBytes: 5_000_000,
  /** of all files in a zip together */
  unpackedBytes: 20_000_000,
  zipEntries: 2_000,
  /** unpacked over packed */
  zipRatio: 100,
  xmlDepth: 64,
  xmlElements: 300_000,
  questions: 5_000,
  stemCharacters: 5_000,
  optionCharacters: 1_000,
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
  /** what its reader found that keeps it out; what holds for all formats is found in review.ts */
  flaw: LeftOutReason | null
  notices: Notice[]
}

/** What a reader makes of a file. */
export interface Found {
  questions: FoundQuestion[]
  notices: FileNotice[]
}

/** A question that can be imported: four options, one of them right. */
export interface Question {
  question: string
  options: Record<OptionLetter, string>
  answer: OptionLetter
  explanation: string
  /** why an option is right or wrong, of those of which the file says it */
  why: Partial<Record<OptionLetter, string>>
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
  return { place, stem, options: [], explanation: '', flaw, notices: [] }
}

/** Errors: QuestionFileError when a file has too many. */
export function requireFewQuestions(count: number): void {
  if (count > LIMITS.questions) throw new QuestionFileError('too_many_questions')
}
