import { parentPort, workerData } from 'node:worker_threads'
import type { FileProblem } from '../../questions/question-files.ts'
import { LIMITS, QuestionFileError } from './question.ts'
import { type FileRead, readQuestions, readSheetText } from './read-questions.ts'

/** What the thread is asked for (read-apart.ts), and what it answers. */
export interface Work {
  bytes: Uint8Array
  as: 'questions' | 'sheet'
}
export type Answer =
  | { problem: FileProblem }
  | { questions: FileRead }
  | { sheet: ReturnType<typeof readSheetText> }

function answer({ bytes, as }: Work): Answer {
  try {
    if (as === 'sheet') return { sheet: readSheetText(bytes) }
    const read = readQuestions(bytes)
    requireShowable(read)
    return { questions: read }
  } catch (error) {
    if (error instanceof QuestionFileError) return { problem: error.problem }
    throw error
  }
}

/** What a page can show is also what the other thread takes over in a moment. */
function requireShowable({ questions }: FileRead): void {
  const characters = questions.reduce(
    (sum, { question, options }) =>
      options.reduce((length, { text }) => length + text.length, sum + question.length),
    0,
  )
  if (questions.length > LIMITS.shownQuestions || characters > LIMITS.shownCharacters) {
    throw new QuestionFileError('too_much_to_show')
  }
}

parentPort?.postMessage(answer(workerData as Work))
