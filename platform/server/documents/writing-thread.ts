import { parentPort, workerData } from 'node:worker_threads'
import { createPdf, type Leaf } from './pdf.ts'
import { type Cell, createWorkbook, type Sheet, type SheetHead } from './workbook.ts'
import type { Writer } from './writer.ts'

/** Leaves and rows are made while the thread writes, a few at a time. */
export type Writing =
  | { as: 'pdf'; leaves: Iterable<Leaf>; title: string; madeAt: Date }
  | { as: 'workbook'; sheets: Sheet[]; madeAt: Date }

export type Start =
  | { as: 'pdf'; title: string; madeAt: Date }
  | { as: 'workbook'; heads: SheetHead[]; madeAt: Date }
/** A document, a row, or null after a sheet's last row. */
export type Part = Leaf | readonly Cell[] | null

const start = workerData as Start
const writer = (
  start.as === 'pdf' ? await createPdf(start) : createWorkbook(start.heads, start.madeAt)
) as Writer<Part>

// One list of parts after another: each is written when the previous one is.
let writing: Promise<unknown> = Promise.resolve()
parentPort?.on('message', (parts: readonly Part[] | 'end') => {
  writing = writing.then(() => (parts === 'end' ? finish() : write(parts)))
})

async function write(parts: readonly Part[]): Promise<void> {
  for (const part of parts) await writer.add(part)
  parentPort?.postMessage('more')
}

async function finish(): Promise<void> {
  const written = Uint8Array.from(await writer.end())
  parentPort?.postMessage(written, [written.buffer as ArrayBuffer])
}
