import { copyFileSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { giveToFolderOwner } from './private-files.ts'

const limitBytes = 4 * 1024 * 1024
const checkEveryMs = 30_000

/** Opens the file that the server's messages go to. The server writes to it by itself, so that
 * messages cost the app nothing and the last ones survive the app. The caller closes it. */
export function openServerLog(path: string): number {
  const isNew = !existsSync(path)
  const file = openSync(path, 'a', 0o600)
  if (isNew) giveToFolderOwner(path)
  return file
}

/** Keeps the file and the one before it (.1) at some 4 MB each. Returns what stops it. */
export function limitServerLog(path: string): () => void {
  const check = () => {
    try {
      if (statSync(path).size <= limitBytes) return
      // Emptied in place: the server appends, and goes on writing to this very file.
      copyFileSync(path, `${path}.1`)
      truncateSync(path, 0)
    } catch {
      // A full disk must not end the app; the next check tries again.
    }
  }
  check()
  const timer = setInterval(check, checkEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

export function sizeOfServerLog(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** What the server wrote after the given size in bytes. */
export function readServerLog(path: string, from: number): string {
  try {
    return readFileSync(path).subarray(from).toString('utf8')
  } catch {
    return ''
  }
}
