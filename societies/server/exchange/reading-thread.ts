import { parentPort, workerData } from 'node:worker_threads'
import type { FileProblem, TableStart } from '../../questions/question-files.ts'
import { findResembling } from '../../questions/resemblance.ts'
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
  | {
      bytes: Uint8Array
      as: 'questions'
      told: Told
      /** for a page: the texts that the questions are held against; null where nobody asks */
      known: string[] | null
    }
  | { bytes: Uint8Array; as: 'sheet' }

/** What the thread says. */
export type Said =
  | { problem: FileProblem; table: TableStart | null }
  | { head: Omit<Review, 'importable' | 'leftOut'> }
  | { importable: Importable[] }
  | { leftOut: LeftOut[] }
  | { rows: SheetRow[] }
  | 'done'

/** Questions, or rows, in a piece. */
const PIECE = 50

/** What a page can show, with texts of a length that its answer can have. */
const SHOWN = { questions: 1_000, characters: 3_000_000 }

const work = workerData as Work

function* tell(): Generator<Said> {
  try {
    yield* work.as === 'sheet' ? tellSheet(work.bytes) : tellQuestions(work)
    yield 'done'
  } catch (error) {
    if (!(error instanceof QuestionFileError)) throw error
    yield { problem: error.problem, table: error.table }
  }
}

function* tellSheet(bytes: Uint8Array): Generator<Said> {
  const file = sniff(bytes)
  if (file.format !== 'xlsx') throw new QuestionFileError('unknown_format')
  const rows = readSheets(file.zip).find((sheet) => sheet.length > 0)
  if (!rows) throw new QuestionFileError('empty')
  for (let at = 0; at < rows.length; at += PIECE) yield { rows: rows.slice(at, at + PIECE) }
}

function* tellQuestions({
  bytes,
  told,
  known,
}: Extract<Work, { as: 'questions' }>): Generator<Said> {
  const read: Review = readQuestions(bytes, told)
  if (known) prepareForPage(read, known)
  const { importable, leftOut, ...head } = read
  yield { head }
  for (let at = 0; at < importable.length; at += PIECE) {
    yield { importable: importable.slice(at, at + PIECE) }
  }
  for (let at = 0; at < leftOut.length; at += PIECE) {
    yield { leftOut: leftOut.slice(at, at + PIECE) }
  }
}

/** Errors: QuestionFileError('too_much_to_show'). */
function prepareForPage({ importable, leftOut }: Review, known: string[]): void {
  const characters =
    importable.reduce((sum, one) => sum + lengthOf(one.question, Object.values(one.options)), 0) +
    leftOut.reduce((sum, { found }) => {
      return (
        sum +
        lengthOf(
          found.stem,
          found.options.map(({ text }) => text),
        )
      )
    }, 0)
  if (importable.length + leftOut.length > SHOWN.questions || characters > SHOWN.characters) {
    throw new QuestionFileError('too_much_to_show')
  }
  const found = findResembling(
    importable.map(({ question }) => question),
    known,
  )
  for (const [index, one] of importable.entries()) {
    const like = found[index]
    // 100 is for what is the same letter by letter.
    if (like) one.resembles = { at: like.at, percent: Math.floor(like.likeness * 100) }
  }
}

const lengthOf = (stem: string, options: string[]) =>
  options.reduce((sum, text) => sum + text.length, stem.length)

const pieces = tell()
// Whatever comes means: the next one.
parentPort?.on('message', () => {
  const { value, done } = pieces.next()
  if (done) parentPort?.close()
  else parentPort?.postMessage(value)
})
