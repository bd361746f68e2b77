import { FileProblems } from '../../../../platform/server/admin-error.ts'
import { ApiError } from '../../../../platform/server/api.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { createQuota } from '../../../../platform/server/quota.ts'
import { createLine, LineFull } from '../../../../platform/server/shares/line.ts'
import { startThread } from '../../../../platform/server/threads/start-thread.ts'
import { type AskedTable, FILE_PROBLEMS, type FileProblem } from '../../question-files.ts'
import { LIMITS } from './bytes.ts'
import type { Answer, Readers, Work } from './reading-thread.ts'

/** Limits of the import thread. `milliseconds` covers the whole run, including about 500 for startup in development. */
const THREAD = { milliseconds: 10_000, heapMegabytes: 256 }

/** Two files are read in parallel, one per society. A society waits after a long one. */
const line = createLine(2, { atOnce: 1, waiting: 10, rest: 2 })
/** Members whose files are being received or read on this node. Each file is held in memory meanwhile. */
const members = new Set<string>()

/** `society` is the one whose quota counts. `signal` aborts when no client waits anymore. */
type Options = Partial<typeof THREAD> & {
  society?: string
  signal?: AbortSignal
  asked?: AskedTable
}

export function refuseFile(problem: FileProblem): ApiError {
  const more = { problem }
  return problem === 'busy'
    ? new ApiError(429, 'reading_busy', FILE_PROBLEMS.busy, { more, retryAfterSeconds: 30 })
    : new ApiError(422, 'question_file', FILE_PROBLEMS[problem], { more })
}

/**
 * Limits members to one file at a time and 300 a day, before any byte of the file is received. Slow uploads don't
 * take a place in the queue. Errors: 429 reading_already, too_many.
 */
export function createFileTurns(dependencies: AppDependencies) {
  const files = createQuota(dependencies, {
    name: 'question-files',
    limit: 300,
    sentence: 'You have uploaded too many files today.',
  })
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    if (members.has(userId)) {
      const sentence = 'Another file of yours is still being read. Please wait.'
      throw new ApiError(429, 'reading_already', sentence, { retryAfterSeconds: 5 })
    }
    members.add(userId)
    try {
      await files.take(userId)
      return await work()
    } finally {
      members.delete(userId)
    }
  }
}

/** Reads a file of questions without storing it. Errors: those of readFileApart. */
export const readApart = (bytes: Uint8Array, options: Options = {}) =>
  readFileApart('questions', bytes, options)

/**
 * Reads a file in a separate thread with limits on time and memory, so other requests don't wait (product 7.2.9). It
 * reads questions, a test's YAML, or a list of people as text, with tabs from an .xlsx (7.10.4). Errors: FileProblems
 * of a test; 422 question_file, 429 reading_busy, 408 caller_gone.
 */
export async function readFileApart<As extends keyof Readers>(
  as: As,
  bytes: Uint8Array,
  options: Options,
): Promise<ReturnType<Readers[As]>> {
  if (bytes.length > LIMITS.fileBytes) throw refuseFile('too_large')
  const { society = '', signal } = options
  const isGone = () => signal?.aborted === true
  const work = () => readInThread({ bytes, as, asked: options.asked }, { ...THREAD, ...options })
  const answer = await line({ share: society, isGone }, work).catch((error) => {
    throw error instanceof LineFull ? refuseFile('busy') : error
  })
  if ('read' in answer) return answer.read as ReturnType<Readers[As]>
  const { problem } = answer
  throw Array.isArray(problem) ? new FileProblems(problem) : refuseFile(problem)
}

function readInThread(work: Work, options: typeof THREAD & Options): Promise<Answer> {
  const source = new URL('./reading-thread.ts', import.meta.url)
  const worker = startThread(source, work, options.heapMegabytes)
  return new Promise<Answer>((resolve, reject) => {
    const endWith = (problem: FileProblem) => resolve({ problem })
    const timer = setTimeout(endWith, options.milliseconds, 'too_slow')
    const giveUp = () => endWith('busy')
    options.signal?.addEventListener('abort', giveUp, { once: true })
    worker.on('message', resolve)
    worker.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? endWith('too_much_memory') : reject(error),
    )
    worker.on('exit', () => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', giveUp)
      endWith('unreadable')
    })
  }).finally(() => worker.terminate())
}
