import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { FileProblem, TableStart } from '../../questions/question-files.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { LIMITS } from './question.ts'
import type { Told } from './read-questions.ts'
import type { Asked, Said } from './reading-thread.ts'
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
  if (bytes.length > LIMITS.fileBytes) throw refuse('too_large')
  while (reading >= AT_ONCE) {
    if (waiting.length >= WAITING) throw refuse('busy')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  reading += 1
  try {
    return await readInThread({ bytes, told, known }, { ...THREAD, ...limits }, signal)
  } finally {
    reading -= 1
    waiting.shift()?.()
  }
}

const refuse = (problem: FileProblem, table: TableStart | null = null) =>
  new OrganiserRefusal('question_file', { problem, ...(table ? { table } : {}) })

function readInThread(asked: Asked, limits: typeof THREAD, signal?: AbortSignal): Promise<Review> {
  const worker = new Worker(...threadOf(asked, limits))
  const timer = setTimeout(() => finish(refuse('too_slow')), limits.milliseconds)
  const giveUp = () => finish(refuse('busy'))
  signal?.addEventListener('abort', giveUp, { once: true })
  let settle: { resolve(review: Review): void; reject(reason: unknown): void }
  const answer = new Promise<Review>((resolve, reject) => {
    settle = { resolve, reject }
  })
  function finish(outcome: Review | Error) {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    void worker.terminate()
    if (outcome instanceof Error) settle.reject(outcome)
    else settle.resolve(outcome)
  }
  let read: Review | null = null
  worker.on('message', (said: Said) => {
    if (said === 'done') return finish(read ?? refuse('unreadable'))
    if ('problem' in said) return finish(refuse(said.problem, said.table))
    if ('head' in said) read = { ...said.head, importable: [], leftOut: [] }
    else if ('importable' in said) read?.importable.push(...said.importable)
    else read?.leftOut.push(...said.leftOut)
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

/** The thread's file: the source beside this one, or what tools/build-server.mjs made of it. */
function threadOf(
  asked: Asked,
  { heapMegabytes }: typeof THREAD,
): ConstructorParameters<typeof Worker> {
  const options: WorkerOptions = {
    workerData: asked,
    // Nothing of the environment, where secrets are.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 32 },
  }
  if (!import.meta.url.endsWith('.ts')) {
    return [new URL('./reading-thread.js', import.meta.url), options]
  }
  // A thread does not inherit how its parent reads TypeScript.
  const source = new URL('./reading-thread.ts', import.meta.url).href
  const tsx = import.meta.resolve('tsx/esm/api')
  const start = `import(${JSON.stringify(tsx)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}) })`
  return [start, { ...options, eval: true }]
}
