import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/start.ts'

/** Spaces, an umlaut, a quote and a dollar sign are in all folder names of these tests. */
export const tests = mkdtempSync(join(tmpdir(), `superday dätabase '$x-`))
const prepared = join(tests, 'prepared')
export const isLinux = process.platform === 'linux'
export const isRoot = process.getuid?.() === 0
export const ordinaryUser = { uid: 65_534, gid: 65_534 } // the user 'nobody'
/** Root can act as an ordinary user only if that user may read the checkout, which isn't the case in root's home. */
export const canActAsUser =
  isRoot &&
  spawnSync('test', ['-r', realpathSync('platform/database/embedded/start.ts')], {
    ...ordinaryUser,
  }).status === 0

const running = new Set<EmbeddedPostgres>()
export const apps = new Set<App>()
const sleepers = new Set<ChildProcess>()

/** Creates these tests' folders, and ends all processes they started. Call it at the top of a file. */
export function useEmbedded(): void {
  beforeAll(async () => {
    // Others may pass through, as in an ordinary folder below /srv or /home.
    chmodSync(tests, 0o755)
    writeFileSync(
      join(tests, 'app.mts'),
      `import { startEmbeddedPostgres } from ${JSON.stringify(realpathSync('platform/database/embedded/start.ts'))}
    const say = (word, value) => process.stdout.write(word + ' ' + JSON.stringify(value) + '\\n')
    try {
      const options = JSON.parse(process.argv[2])
      const database = await startEmbeddedPostgres({ ...options, log: (line) => say('LOG', line) })
      process.on('SIGINT', () => database.stop().then(() => process.exit(0)))
      say('READY', { url: database.url, clusterDir: database.clusterDir })
    } catch (error) {
      say('REFUSED', error.name + ': ' + error.message)
    }`,
    )
    await (await start(prepared)).stop()
  })

  afterEach(async () => {
    for (const app of apps) app.process.kill('SIGKILL')
    apps.clear()
    for (const sleeper of sleepers) sleeper.kill('SIGKILL')
    sleepers.clear()
    await Promise.all([...running].map((database) => database.stop()))
    running.clear()
  })

  afterAll(() => rmSync(tests, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
}

export function newDataDir(): string {
  return join(tests, randomUUID())
}

/** A data folder with a finished database. Copying takes a tenth of initdb's time. */
export function copyDataDir(dataDir = newDataDir()): string {
  execFileSync('cp', ['-a', prepared, dataDir])
  return dataDir
}

export async function start(dataDir: string, more: Partial<EmbeddedPostgresOptions> = {}) {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const database = await startEmbeddedPostgres({ dataDir, log, ...more })
  running.add(database)
  return Object.assign(database, { lines })
}

export interface App {
  process: ChildProcess
  lines: string[]
  database: { url: string; clusterDir: string }
}

/** Starts an app with a database in a separate process. Resolves when it is ready. */
export async function startApp(
  dataDir: string,
  more: { user?: { uid: number; gid: number } } = {},
): Promise<App> {
  const argument = JSON.stringify({ dataDir })
  const child = spawn(process.execPath, ['--import', 'tsx', join(tests, 'app.mts'), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // gets a process group, like each command in a terminal
    env: { ...process.env, HOME: tests, TMPDIR: tmpdir() },
    ...more.user,
  })
  const app: App = { process: child, lines: [], database: { url: '', clusterDir: '' } }
  apps.add(app)
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = '', ...rest] = line.split(' ')
    const value = JSON.parse(rest.join(' '))
    if (word === 'REFUSED') throw new Error(value)
    if (word === 'LOG') app.lines.push(value)
    if (word === 'READY') return Object.assign(app, { database: value })
  }
  throw new Error('the app ended')
}

export async function killApp(app: App): Promise<void> {
  const exited = new Promise((resolve) => app.process.once('exit', resolve))
  app.process.kill('SIGKILL')
  await exited
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function waitFor(condition: () => unknown, limitMs = 10_000): Promise<void> {
  const deadline = performance.now() + limitMs
  for (;;) {
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${condition}`)
    await sleep(20)
  }
}

export function serverPid(clusterDir: string): number {
  return Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function serverLog(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres', 'server.log'), 'utf8')
}

/** A harmless process of the same user, whose pid replaces an old server's. */
export function startSleeper(): number {
  const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' })
  sleepers.add(sleeper)
  return sleeper.pid ?? 0
}

/** Ends the shell that would end the server after its app, so that an orphan stays. */
export function endWatchdog(serverPid: number): void {
  const found = execFileSync('pgrep', ['-f', `superday-watchdog ${serverPid}$`], {
    encoding: 'utf8',
  })
  process.kill(Number(found.trim()), 'SIGKILL')
}

export function readGroup(pid: number | undefined): string {
  return execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

export function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true }).map((name) => join(dir, String(name)))
}
