import { parentPort, workerData } from 'node:worker_threads'
import { FileProblems } from '../../../../platform/server/admin-error.ts'
import type { AskedTable, FileProblem } from '../../question-files.ts'
import { parseAssessmentFile } from '../authoring/assessment-file.ts'
import { QuestionFileError } from './bytes.ts'
import { readQuestions, readSheetText } from './read-questions.ts'

const READERS = {
  questions: readQuestions,
  sheet: readSheetText,
  test: (bytes: Uint8Array) => parseAssessmentFile(Buffer.from(bytes).toString()),
}
export type Readers = typeof READERS

export interface Work {
  bytes: Uint8Array
  as: keyof Readers
  /** for a table of questions */
  asked?: AskedTable | undefined
}
type Problem = FileProblem | string[]
export type Answer = { read: ReturnType<Readers[keyof Readers]> } | { problem: Problem }

function answer({ bytes, as, asked }: Work): Answer {
  try {
    return { read: READERS[as](bytes, asked) }
  } catch (error) {
    if (error instanceof QuestionFileError) return { problem: error.problem }
    if (error instanceof FileProblems) return { problem: error.problems.slice(0, 100) }
    throw error
  }
}

parentPort?.postMessage(answer(workerData))
