import { startThread } from '../threads/start-thread.ts'
import type { Writing } from './writing-thread.ts'

/** What writing may take: 300 documents in one file take some 2 s. */
const THREAD = { milliseconds: 180_000, heapMegabytes: 512 }
/** Files that are written at once, and that wait for it. */
const AT_ONCE = 1
const WAITING = 20

let writing = 0
const waiting: (() => void)[] = []

/** Too many wait, or one takes too long: nothing was written. */
export class WritingBusy extends Error {}

/** Writes a document in a thread, one after the other. Errors: WritingBusy. `signal` ends the writing. */
export async function writeApart(work: Writing, signal?: AbortSignal): Promise<Uint8Array> {
  while (writing >= AT_ONCE) {
    if (waiting.length >= WAITING) throw new WritingBusy()
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  writing += 1
  try {
    return await writeInThread(work, signal)
  } finally {
    writing -= 1
    waiting.shift()?.()
  }
}

function writeInThread(work: Writing, signal?: AbortSignal): Promise<Uint8Array> {
  if (signal?.aborted) return Promise.reject(new WritingBusy())
  return new Promise((resolve, reject) => {
    const source = new URL('./writing-thread.ts', import.meta.url)
    const worker = startThread(source, work, THREAD.heapMegabytes)
    const giveUp = () => settle(() => reject(new WritingBusy()))
    const timer = setTimeout(giveUp, THREAD.milliseconds)
    signal?.addEventListener('abort', giveUp, { once: true })
    function settle(how: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      void worker.terminate()
      how()
    }
    worker.on('message', (written: Uint8Array) => settle(() => resolve(written)))
    worker.on('error', (error) => settle(() => reject(error)))
    worker.on('exit', () => settle(() => reject(new Error('the writing thread ended early'))))
  })
}
