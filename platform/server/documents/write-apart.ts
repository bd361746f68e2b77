import { createLine, LineFull } from '../shares/line.ts'
import { startThread } from '../threads/start-thread.ts'
import type { Writing } from './writing-thread.ts'

/** Limits of one document: 300 documents in one file take about 2 s. */
const THREAD = { milliseconds: 180_000, heapMegabytes: 512 }
/** One file is written at a time, and societies take turns. */
const line = createLine(1, { waiting: 5 })

/** Writes a document in a thread, in a society's queue. Errors: LineFull, also when it takes too long; caller_gone. */
export function writeApart(
  work: Writing,
  share: string,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const isGone = () => signal?.aborted === true
  return line({ share, isGone }, () => writeInThread(work, signal))
}

function writeInThread(work: Writing, signal?: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const source = new URL('./writing-thread.ts', import.meta.url)
    const worker = startThread(source, work, THREAD.heapMegabytes)
    const giveUp = () => settle(() => reject(new LineFull()))
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
