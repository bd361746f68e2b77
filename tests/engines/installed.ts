import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** The first installed program of a list, by path or name, or null. */
export function findProgram(...names: (string | undefined)[]): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const places = names.flatMap((name) => {
    if (!name) return []
    return name.includes('/') ? [name] : folders.map((folder) => path.join(folder, name))
  })
  return places.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
