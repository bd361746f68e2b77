import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { CONTENT_DIR } from '../../../../platform/server/project-folder.ts'

export const SAMPLES_DIR = path.join(CONTENT_DIR, 'assessments')

/** What demo mode loads is loaded under it. Any number that nothing else of ours locks, the same on every node. */
export const SAMPLES_LOCK = 7_201_978

export interface SampleFile {
  /** what the file's name says */
  code: string
  /** for messages: assessments/PCF.yaml */
  name: string
  text: string
}

/** The sample assessments of content/, whose keys everybody can read. */
export async function readSampleFiles(dir = SAMPLES_DIR): Promise<SampleFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    names.map(async (name) => ({
      code: path.basename(name, '.yaml'),
      name: path.join('assessments', name),
      text: await readFile(path.join(dir, name), 'utf8'),
    })),
  )
}
