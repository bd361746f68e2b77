import { type FileProblem, QUESTION_FILE_BYTES } from '../../../question-files.ts'

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

/** A file that is not read at all. */
export class QuestionFileError extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem)
    this.problem = problem
  }
}
