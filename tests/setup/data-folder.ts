import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const IN_MEMORY = '/dev/shm'
/** Maximum bytes that a whole run's databases need. */
const NEEDED = 6 * 2 ** 30

/** A new folder for test databases, in memory if possible, which makes copying a database five times as fast. */
export async function makeDataFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join((await hasRoom()) ? IN_MEMORY : tmpdir(), prefix))
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY)
    return bavail * bsize >= NEEDED
  } catch {
    return false
  }
}
