import { parentPort, workerData } from 'node:worker_threads'
import { zipSync } from 'fflate'
import { type Leaf, writePdf } from './pdf.ts'
import { type Sheet, writeWorkbook } from './workbook.ts'

/** What the thread is asked for (write-apart.ts). */
export type Writing =
  /** all of them in one file */
  | { as: 'pdf'; leaves: Leaf[]; title: string; madeAt: Date }
  /** a file each, named */
  | { as: 'zip'; files: { name: string; leaf: Leaf }[]; madeAt: Date }
  | { as: 'workbook'; sheets: Sheet[]; madeAt: Date }

async function write(work: Writing): Promise<Uint8Array> {
  switch (work.as) {
    case 'pdf':
      return writePdf(work.leaves, work)
    case 'workbook':
      return writeWorkbook(work.sheets, work.madeAt)
    case 'zip': {
      const { madeAt } = work
      const files: Record<string, Uint8Array> = {}
      for (const { name, leaf } of work.files) {
        files[name] = await writePdf([leaf], { title: leaf.title, madeAt })
      }
      // They are packed already.
      return zipSync(files, { level: 0, mtime: madeAt })
    }
  }
}

const written = Uint8Array.from(await write(workerData as Writing))
parentPort?.postMessage(written, [written.buffer as ArrayBuffer])
