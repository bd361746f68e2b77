import { parentPort, workerData } from 'node:worker_threads'
import type { FileProblem } from '../../question-files.ts'
import { QuestionFileError } from './question.ts'
import { readQuestions, type Told } from './read-questions.ts'
import type { Importable, LeftOut, Review } from './review.ts'

/*
 * The thread in which a file is read (read-apart.ts). It hands its answer over in pieces, each when the one
 * before is taken: a long one at once would keep the other thread from its work.
 */

/** What the thread says. */
export type Said =
  | { problem: FileProblem }
  | { head: Omit<Review, 'importable' | 'leftOut'> }
  | { importable: Importable[] }
  | { leftOut: LeftOut[] }
  | 'done'

/** Questions in a piece. */
const PIECE = 50

const { bytes, told } = workerData as { bytes: Uint8Array; told: Told }

function* tell(): Generator<Said> {
  let read: Review
  try {
    read = readQuestions(bytes, told)
  } catch (error) {
    if (!(error instanceof QuestionFileError)) throw error
    yield { problem: error.problem }
    return
  }
  const { importable, leftOut, ...head } = read
  yield { head }
  for (let at = 0; at < importable.length; at += PIECE) {
    yield { importable: importable.slice(at, at + PIECE) }
  }
  for (let at = 0; at < leftOut.length; at += PIECE) {
    yield { leftOut: leftOut.slice(at, at + PIECE) }
  }
  yield 'done'
}

const pieces = tell()
// Whatever comes means: the next one.
parentPort?.on('message', () => {
  const { value, done } = pieces.next()
  if (done) parentPort?.close()
  else parentPort?.postMessage(value)
})
