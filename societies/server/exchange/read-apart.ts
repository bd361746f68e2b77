import { startThread } from '../../../platform/server/threads/start-thread.ts'
import type { FileProblem, TableStart } from '../../questions/question-files.ts'
import { OrganiserRefusal } from '../refusal.ts'
import type { SheetRow } from './files/sheet.ts'
import { LIMITS } from './question.ts'
import type { Told } from './read-questions.ts'
import type { Said, Work } from './reading-thread.ts'
import type { Review } from './review.ts'

/** What reading may take; `milliseconds` from start to end, of which a start takes some 500 in development. */
const THREAD = { milliseconds: 10_000, heapMegabytes: 256 }

/** Files that are read at once, and that wait for it. */
const AT_ONCE = 2
const WAITING = 10

let reading = 0
const waiting: (() => void)[] = []

/**
 * Reads a file of questions in a thread of its own, with an end to its time and memory, so that nobody who
 * is served meanwhile notices (product 7.2.9). Nothing is stored.
 * Errors: OrganiserRefusal('question_file') for a file that is not read, with what is wrong with it.
 * @param options.known for a page: texts that the questions are held against
 * @param options.signal ends the reading when nobody waits for it any more
 */
export async function readApart(
  bytes: Uint8Array,
  told: Told = {},
  {
    known = null,
    signal,
    ...limits
  }: Partial<typeof THREAD> & { known?: string[] | null; signal?: AbortSignal } = {},
): Promise<Review> {
  let read: Review | null = null
  const take = (said: Piece) => {
    if ('head' in said) read = { ...said.head, importable: [], leftOut: [] }
    else if ('importable' in said) read?.importable.push(...said.importable)
    else if ('leftOut' in said) read?.leftOut.push(...said.leftOut)
  }
  await inTurn({ bytes, as: 'questions', told, known }, limits, take, signal)
  if (!read) throw refuse('unreadable')
  return read
}

/**
 * The rows of the first filled sheet of an .xlsx, read in the same way.
 * Errors: OrganiserRefusal('question_file') for a file that is not read, with what is wrong with it.
 */
export async function readSheetApart(
  bytes: Uint8Array,
  limits: Partial<typeof THREAD> = {},
): Promise<SheetRow[]> {
  const read: SheetRow[] = []
  await inTurn({ bytes, as: 'sheet' }, limits, (said) => {
    if ('rows' in said) read.push(...said.rows)
  })
  return read
}

type Piece = Exclude<Said, 'done' | { problem: FileProblem; table: TableStart | null }>

async function inTurn(
  work: Work,
  limits: Partial<typeof THREAD>,
  take: (said: Piece) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (work.bytes.length > LIMITS.fileBytes) throw refuse('too_large')
  while (reading >= AT_ONCE) {
    if (waiting.length >= WAITING) throw refuse('busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  reading += 1
  try {
    await readInThread(work, { ...THREAD, ...limits }, take, signal)
  } finally {
    reading -= 1
    waiting.shift()?.()
  }
}

const refuse = (problem: FileProblem, table: TableStart | null = null) =>
  new OrganiserRefusal('question_file', { problem, ...(table ? { table } : {}) })

function readInThread(
  work: Work,
  limits: typeof THREAD,
  take: (said: Piece) => void,
  signal?: AbortSignal,
): Promise<void> {
  const source = new URL('./reading-thread.ts', import.meta.url)
  const worker = startThread(source, work, limits.heapMegabytes)
  const timer = setTimeout(() => finish(refuse('too_slow')), limits.milliseconds)
  const giveUp = () => finish(refuse('busy'))
  signal?.addEventListener('abort', giveUp, { once: true })
  let settle: { resolve(): void; reject(reason: unknown): void }
  const answer = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  function finish(outcome: 'done' | Error) {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    void worker.terminate()
    if (outcome instanceof Error) settle.reject(outcome)
    else settle.resolve()
  }
  worker.on('message', (said: Said) => {
    if (said === 'done') return finish('done')
    if ('problem' in said) return finish(refuse(said.problem, said.table))
    take(said)
    // Not before others had their turn.
    setImmediate(() => worker.postMessage('next'))
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    finish(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse('too_much_memory') : error),
  )
  worker.on('exit', () => finish(refuse('unreadable')))
  worker.postMessage('next')
  return answer
}
