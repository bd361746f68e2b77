import { createWriteStream, realpathSync } from 'node:fs'
import { type FileHandle, open, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { AdminError } from '../server/admin-error.ts'
import { decodeText } from '../server/csv/csv.ts'
import { PROJECT_DIR } from '../server/project-folder.ts'

const ROOT = realpathSync(PROJECT_DIR)

/** A file as the person named it: npm runs commands in the project's folder, wherever they stand. */
export function resolveFile(name: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: from } = process.env
  return path.resolve(script === 'admin' && from ? from : process.cwd(), name)
}

/** Errors: AdminError, FileProblems when it isn't UTF-8. */
export async function readTextFile(name: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(resolveFile(name))
  } catch (error) {
    throw new AdminError(`${name} can't be read (${sayWhy(error)}).`)
  }
  return decodeText(bytes)
}

/** A warning when a file with secrets lies where it may be published with the code; else null. */
export function warnOfCheckout(name: string, secrets: string): string | null {
  let file = resolveFile(name)
  try {
    file = realpathSync(file)
  } catch {
    // Not there yet: its name decides.
  }
  const relative = path.relative(ROOT, file)
  if (relative.startsWith('..') || path.isAbsolute(relative)) return null
  return `Warning: ${name} lies in Superday's own folder, from where ${secrets} could be published with its code. Please keep it elsewhere.`
}

/**
 * Makes a file that nobody else may read (mode 600) and lets `act` fill it. A file that exists is never
 * written over; when `act` fails, no half of a file stays.
 * Errors: AdminError.
 * @param options.keepOnceWritten keeps it when `act` fails after writing: the database may have taken
 * what the file tells, and passwords are told once
 */
export async function withNewFile<T>(
  name: string,
  act: (write: (content: string | Uint8Array) => Promise<void>) => Promise<T>,
  { keepOnceWritten = false }: { keepOnceWritten?: boolean } = {},
): Promise<T> {
  const file = resolveFile(name)
  const handle = await makeFile(name)
  let isWritten = false
  try {
    return await act(async (content) => {
      await handle.writeFile(content)
      await handle.sync()
      isWritten = true
    })
  } catch (error) {
    if (!(keepOnceWritten && isWritten)) await unlink(file)
    throw error
  } finally {
    await handle.close()
  }
}

/**
 * The same for what is too long to be held at once: `act` ends the stream. The file is on the disk
 * when this returns.
 * @returns what `act` returned, and the size of the file in bytes
 */
export async function withNewFileStream<T>(
  name: string,
  act: (file: Writable) => Promise<T>,
): Promise<{ result: T; bytes: number }> {
  const handle = await makeFile(name)
  try {
    // By number: the handle's own stream would keep it from being closed afterwards.
    const stream = createWriteStream('', { fd: handle.fd, autoClose: false })
    const result = await act(stream)
    await handle.sync()
    return { result, bytes: (await handle.stat()).size }
  } catch (error) {
    await unlink(resolveFile(name))
    throw error
  } finally {
    await handle.close()
  }
}

async function makeFile(name: string): Promise<FileHandle> {
  try {
    return await open(resolveFile(name), 'wx', 0o600)
  } catch (error) {
    throw new AdminError(
      (error as NodeJS.ErrnoException).code === 'EEXIST'
        ? `${name} exists already and is not written over; please choose another name.`
        : `${name} can't be made (${sayWhy(error)}).`,
    )
  }
}

/**
 * Writes an export into a new file, or to standard output when none was named: as it is into a file or
 * another program, and onto a terminal as text, in which it shows control characters.
 */
export function withOutput<T>(
  name: string | undefined,
  act: (write: (content: string | Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (name !== undefined) return withNewFile(name, act)
  return act(async (content) => {
    process.stdout.write(process.stdout.isTTY ? content : Buffer.from(content))
  })
}

function sayWhy(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'there is no such file or folder'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'you are not allowed to'
    default:
      return (error as Error).message
  }
}
