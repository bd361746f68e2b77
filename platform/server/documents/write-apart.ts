import { createLine, LineFull } from '../shares/line.ts'
import { takeSlice } from '../shares/slices.ts'
import { startThread } from '../threads/start-thread.ts'
import type { Part, Start, Writing } from './writing-thread.ts'

/** Limits of one file: 1,000 documents, or a workbook of 500,000 rows, take about 5 s. */
const THREAD = { milliseconds: 90_000, heapMegabytes: 512 }
/** Lists of parts that are sent ahead, so that the thread never waits for the next one. */
const AHEAD = 2
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
    const worker = startThread(source, startOf(work), THREAD.heapMegabytes)
    const giveUp = () => settle(() => reject(new LineFull()))
    const timer = setTimeout(giveUp, THREAD.milliseconds)
    signal?.addEventListener('abort', giveUp, { once: true })
    function settle(how: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      void worker.terminate()
      how()
    }
    const parts = partsOf(work)
    let isSent = false
    function send(): void {
      if (isSent) return
      try {
        // Each list is made in its own turn of the event loop, when the thread has asked for it.
        const next = takeSlice(parts)
        isSent = next.length === 0
        worker.postMessage(isSent ? 'end' : next)
      } catch (error) {
        settle(() => reject(error))
      }
    }
    for (let n = 0; n < AHEAD; n += 1) send()
    worker.on('message', (written: 'more' | Uint8Array) =>
      written === 'more' ? send() : settle(() => resolve(written)),
    )
    worker.on('error', (error) => settle(() => reject(error)))
    worker.on('exit', () => settle(() => reject(new Error('the writing thread ended early'))))
  })
}

function startOf(work: Writing): Start {
  const { as, madeAt } = work
  if (as === 'pdf') return { as, title: work.title, madeAt }
  return { as, heads: work.sheets.map(({ rows: _, ...head }) => head), madeAt }
}

function* partsOf(work: Writing): Generator<Part> {
  if (work.as === 'pdf') return yield* work.leaves
  for (const { rows } of work.sheets) {
    yield* rows
    yield null
  }
}
