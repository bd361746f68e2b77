import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file of mode 600 atomically, even in a power cut. If root writes it, the folder's owner gets it. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  giveToFolderOwner(temporary)
  renameSync(temporary, path)
}

/** `sudo npm start` in a user's folder must not leave files that the user can't read afterwards. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}

/** Syncs a folder's entries to disk. Windows has no such call. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
