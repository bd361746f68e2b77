import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunningPostgres } from '../../platform/database/embedded/start.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { buildServer, SERVER_FILE } from '../../tools/build-server.mjs'
import { freePort } from '../../tools/free-port.mjs'
import { type CallOptions, call, type Reply } from './http.ts'

/** A preload for tests that distinguish retained memory from uncollected garbage. */
export const COLLECTS_GARBAGE = path.join(import.meta.dirname, 'collects-garbage.mjs')

const START_LIMIT_MS = 60_000

/** The built product in a separate process, with its embedded PostgreSQL as durable as in production. */
export interface Product {
  url: string
  databaseUrl: string
  dataDir: string
  /** connections for the test */
  db: pg.Pool
  process: ChildProcess
  /** the server's output so far */
  log(): string
  /** the server's resident memory in MB, without PostgreSQL */
  residentMb(): number
  /** triggers the server's garbage collection; only with COLLECTS_GARBAGE as preload */
  collectGarbage(): void
  call(method: string, route: string, options?: CallOptions): Promise<Reply>
  stop(): Promise<void>
}

/**
 * Starts the product like `npm start`, without rate limits unless RATE_LIMITS is given.
 * @param options.preload a module that is loaded before the server
 */
export async function startProduct({
  environment = {},
  preload,
}: {
  environment?: Record<string, string>
  preload?: string
} = {}): Promise<Product> {
  await buildServer()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-hostile-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    ...process.env,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    PUBLIC_URL: 'http://localhost:3000',
    ...environment,
    PORT: String(port),
  }
  const child = spawn(
    process.execPath,
    [...(preload ? ['--import', preload] : []), SERVER_FILE, 'demo'],
    { cwd: PROJECT_DIR, env: settings, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null
  try {
    await until(() => {
      if (!isAlive()) throw new Error(`the server did not start: ${output}`)
      return output.includes('Superday is ready')
    }, START_LIMIT_MS)
  } catch (error) {
    if (isAlive()) {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    }
    await rm(dataDir, { recursive: true, force: true })
    throw error
  }
  const databaseUrl = environment.DATABASE_URL ?? (await findRunningPostgres(dataDir)) ?? ''
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  db.on('error', () => {})
  return {
    url,
    databaseUrl,
    dataDir,
    db,
    process: child,
    log: () => output,
    residentMb: () => readResidentMb(child.pid ?? 0),
    collectGarbage: () => void child.kill('SIGUSR2'),
    call: (method, route, more) => call(url, method, route, more),
    stop: async () => {
      await db.end()
      if (isAlive()) {
        child.kill('SIGTERM')
        await new Promise((resolve) => child.once('exit', resolve))
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The secret key of a data folder, in the format of SECRET_KEY. */
export const readSecretKey = (dataDir: string) =>
  readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim()

function readResidentMb(pid: number): number {
  const file = `/proc/${pid}/status`
  const match = /VmRSS:\s+(\d+) kB/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '')
  return Math.round(Number(match?.[1] ?? 0) / 1024)
}

/** Waits until something is true. Errors: after the limit, and any error of the check. */
async function until(isTrue: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain`)
    await sleep(50)
  }
}

/** Prints a figure next to its limit. */
export function tell(name: string, figure: string | number): void {
  process.stdout.write(`hostile: ${name} = ${figure}\n`)
}
