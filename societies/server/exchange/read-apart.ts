import { ApiError } from '../../../platform/server/api.ts'
import { startThread } from '../../../platform/server/threads/start-thread.ts'
import { FILE_PROBLEMS, type FileProblem } from '../../questions/question-files.ts'
import { LIMITS } from './question.ts'
import type { FileRead } from './read-questions.ts'
import type { Answer, Work } from './reading-thread.ts'

/** What reading may take; `milliseconds` from start to end, of which a start takes some 500 in development. */
const THREAD = { milliseconds: 10_000, heapMegabytes: 256 }

/** Files that are read at once, and that wait for it. */
const AT_ONCE = 2
const WAITING = 10

let reading = 0
const waiting: (() => void)[] = []

/** A file that is not read, as the API says it. */
export function refuseFile(problem: FileProblem): ApiError {
  const more = { problem }
  return problem === 'busy'
    ? new ApiError(429, 'reading_busy', FILE_PROBLEMS.busy, { more, retryAfterSeconds: 30 })
    : new ApiError(422, 'question_file', FILE_PROBLEMS[problem], { more })
}

/**
 * Reads a file of questions in a thread of its own, with an end to its time and memory, so that nobody else
 * waits for it (product 7.2.9). Nothing is stored.
 * Errors: 422 question_file, 429 reading_busy.
 * @param options.signal ends the reading when nobody waits for it any more
 */
export async function readApart(bytes: Uint8Array, options: Options = {}): Promise<FileRead> {
  const answer = await inTurn({ bytes, as: 'questions' }, options)
  if ('questions' in answer) return answer.questions
  throw refuseFile('unreadable')
}

/**
 * The first filled sheet of an .xlsx as text with tabs between its cells, read in the same way: then it is shown
 * and fixed like anything that was pasted (product 7.10.4).
 * Errors: 422 question_file, 429 reading_busy.
 */
export async function readSheetApart(
  bytes: Uint8Array,
): Promise<{ text: string; oddCells: number }> {
  const answer = await inTurn({ bytes, as: 'sheet' }, {})
  if ('sheet' in answer) return answer.sheet
  throw refuseFile('unreadable')
}

type Options = Partial<typeof THREAD> & { signal?: AbortSignal | undefined }

async function inTurn(work: Work, options: Options): Promise<Answer> {
  if (work.bytes.length > LIMITS.fileBytes) throw refuseFile('too_large')
  while (reading >= AT_ONCE) {
    if (waiting.length >= WAITING) throw refuseFile('busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  reading += 1
  try {
    return await readInThread(work, { ...THREAD, ...options })
  } finally {
    reading -= 1
    waiting.shift()?.()
  }
}

function readInThread(
  work: Work,
  { milliseconds, heapMegabytes, signal }: typeof THREAD & Options,
): Promise<Answer> {
  const worker = startThread(new URL('./reading-thread.ts', import.meta.url), work, heapMegabytes)
  return new Promise<Answer>((resolve, reject) => {
    const refuse = (problem: FileProblem) => reject(refuseFile(problem))
    const timer = setTimeout(() => refuse('too_slow'), milliseconds)
    const giveUp = () => refuse('busy')
    signal?.addEventListener('abort', giveUp, { once: true })
    worker.on('message', (said: Answer) =>
      'problem' in said ? refuse(said.problem) : resolve(said),
    )
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse('too_much_memory') : reject(error),
    )
    worker.on('exit', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      refuse('unreadable')
    })
  }).finally(() => worker.terminate())
}
