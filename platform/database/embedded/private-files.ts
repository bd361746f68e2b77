import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes a file of mode 600 in one step: a reader sees the old text or the new, never half of it,
 * also after a power cut. Written by root, it belongs to the owner of its folder. */
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

/** `sudo npm start` in a person's folder must leave nothing that the person cannot read afterwards. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}

/** Makes the names in a folder durable. Windows has no such call. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
