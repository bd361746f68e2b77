import { createWriteStream, realpathSync } from 'node:fs'
import { type FileHandle, open, readFile, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { AdminError } from '../server/admin-error.ts'
import { showControls } from '../server/control-characters.ts'
import { decodeText } from '../server/csv/csv.ts'
import { PROJECT_DIR } from '../server/project-folder.ts'

const ROOT = realpathSync(PROJECT_DIR)

/** Resolves a file name against the user's folder, because npm runs commands in the project's folder. */
export function resolveFile(name: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: from } = process.env
  return path.resolve(script === 'admin' && from ? from : process.cwd(), name)
}

/** Errors: AdminError, or FileProblems when the file isn't UTF-8. */
export async function readTextFile(name: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(resolveFile(name))
  } catch (error) {
    throw new AdminError(`${name} can't be read (${sayWhy(error)}).`)
  }
  return decodeText(bytes)
}

/** Returns a warning when a file with secrets is inside the checkout and may be published with the code, else null. */
export function warnOfCheckout(name: string, secrets: string): string | null {
  let file = resolveFile(name)
  try {
    file = realpathSync(file)
  } catch {
    // The file doesn't exist yet, so its name decides.
  }
  const relative = path.relative(ROOT, file)
  if (relative.startsWith('..') || path.isAbsolute(relative)) return null
  return `Warning: ${name} lies in Superday's own folder, from where ${secrets} could be published with its code. Please keep it elsewhere.`
}

/** Creates a file of mode 600 that `fill` writes. Never overwrites and never leaves half a file. Errors: AdminError. */
async function withNewFile<T>(name: string, fill: (handle: FileHandle) => Promise<T>): Promise<T> {
  const file = resolveFile(name)
  const handle = await open(file, 'wx', 0o600).catch((error) => {
    throw new AdminError(
      error.code === 'EEXIST'
        ? `${name} already exists and won't be overwritten. Please choose another name.`
        : `${name} can't be created (${sayWhy(error)}).`,
    )
  })
  try {
    return await fill(handle)
  } catch (error) {
    await unlink(file)
    throw error
  } finally {
    await handle.close()
  }
}

/** Like withNewFile, with a stream that `act` ends; the file is then synced. @returns the result of `act`, and bytes */
export function withNewFileStream<T>(
  name: string,
  act: (file: Writable) => Promise<T>,
): Promise<{ result: T; bytes: number }> {
  return withNewFile(name, async (handle) => {
    // The handle's own stream would prevent closing the handle afterwards.
    const result = await act(createWriteStream('', { fd: handle.fd, autoClose: false }))
    await handle.sync()
    return { result, bytes: (await handle.stat()).size }
  })
}

/** Writes to a new file or to standard output. A terminal gets text with control characters made visible. */
export function withOutput<T>(
  name: string | undefined,
  act: (write: (content: string | Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (name !== undefined) {
    return withNewFile(name, (handle) =>
      act(async (content) => {
        await handle.writeFile(content)
        await handle.sync()
      }),
    )
  }
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
      return 'permission denied'
    default:
      return (error as Error).message
  }
}

/** Makes control characters visible in text that is written to a stream. Bytes pass unchanged. */
export function guardStream(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  stream.write = (chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? showControls(chunk) : chunk, ...rest)
}
