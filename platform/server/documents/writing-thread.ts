import { parentPort, workerData } from 'node:worker_threads'
import { type Leaf, writePdf } from './pdf.ts'
import { type Sheet, writeWorkbook } from './workbook.ts'

export type Writing =
  | { as: 'pdf'; leaves: Leaf[]; title: string; madeAt: Date }
  | { as: 'workbook'; sheets: Sheet[]; madeAt: Date }

const work = workerData as Writing
const written = Uint8Array.from(
  work.as === 'pdf'
    ? await writePdf(work.leaves, work)
    : await writeWorkbook(work.sheets, work.madeAt),
)
parentPort?.postMessage(written, [written.buffer as ArrayBuffer])
