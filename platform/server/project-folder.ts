import { existsSync } from 'node:fs'
import path from 'node:path'

/** The folder of package.json, whether the sources or build/server.js run. */
export const PROJECT_DIR = findProject(import.meta.dirname)

export const CONTENT_DIR = path.join(PROJECT_DIR, 'content')

function findProject(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findProject(path.dirname(folder))
}
