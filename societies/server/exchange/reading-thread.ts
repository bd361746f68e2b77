import { parentPort, workerData } from 'node:worker_threads'
import type { FileProblem } from '../../question-files.ts'
import { readSheets, type SheetRow } from './files/sheet.ts'
import { sniff } from './files/sniff.ts'
import { QuestionFileError } from './question.ts'
import { readQuestions, type Told } from './read-questions.ts'
import type { Importable, LeftOut, Review } from './review.ts'

/*
 * The thread in which a file is read (read-apart.ts). It hands its answer over in pieces, each when the one
 * before is taken: a long one at once would keep the other thread from its work.
 */

/** What the thread is asked for: a file's questions, or the rows of a spreadsheet. */
export type Work =
  | { bytes: Uint8Array; as: 'questions'; told: Told }
  | { bytes: Uint8Array; as: 'sheet' }

/** What the thread says. */
export type Said =
  | { problem: FileProblem }
  | { head: Omit<Review, 'importable' | 'leftOut'> }
  | { importable: Importable[] }
  | { leftOut: LeftOut[] }
  | { rows: SheetRow[] }
  | 'done'

/** Questions, or rows, in a piece. */
const PIECE = 50

const work = workerData as Work

function* tell(): Generator<Said> {
  try {
    yield* work.as === 'sheet' ? tellSheet(work.bytes) : tellQuestions(work.bytes, work.told)
    yield 'done'
  } catch (error) {
    if (!(error instanceof QuestionFileError)) throw error
    yield { problem: error.problem }
  }
}

function* tellSheet(bytes: Uint8Array): Generator<Said> {
  const file = sniff(bytes)
  if (file.format !== 'xlsx') throw new QuestionFileError('unknown_format')
  const rows = readSheets(file.zip).find((sheet) => sheet.length > 0)
  if (!rows) throw new QuestionFileError('empty')
  for (let at = 0; at < rows.length; at += PIECE) yield { rows: rows.slice(at, at + PIECE) }
}

function* tellQuestions(bytes: Uint8Array, told: Told): Generator<Said> {
  const read: Review = readQuestions(bytes, told)
  const { importable, leftOut, ...head } = read
  yield { head }
  for (let at = 0; at < importable.length; at += PIECE) {
    yield { importable: importable.slice(at, at + PIECE) }
  }
  for (let at = 0; at < leftOut.length; at += PIECE) {
    yield { leftOut: leftOut.slice(at, at + PIECE) }
  }
}

const pieces = tell()
// Whatever comes means: the next one.
parentPort?.on('message', () => {
  const { value, done } = pieces.next()
  if (done) parentPort?.close()
  else parentPort?.postMessage(value)
})
