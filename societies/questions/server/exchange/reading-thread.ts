import { parentPort, workerData } from 'node:worker_threads'
import type { FileProblem } from '../../question-files.ts'
import { QuestionFileError } from './bytes.ts'
import { readQuestions, readSheetText } from './read-questions.ts'

const READERS = { questions: readQuestions, sheet: readSheetText }
export type Readers = typeof READERS

export interface Work {
  bytes: Uint8Array
  as: keyof Readers
}
export type Answer = { read: ReturnType<Readers[keyof Readers]> } | { problem: FileProblem }

function answer({ bytes, as }: Work): Answer {
  try {
    return { read: READERS[as](bytes) }
  } catch (error) {
    if (error instanceof QuestionFileError) return { problem: error.problem }
    throw error
  }
}

parentPort?.postMessage(answer(workerData))
