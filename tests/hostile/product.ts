import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { findRunningPostgres } from '../../platform/database/embedded/start.ts'
import { buildServer } from '../../tools/build-server.mjs'
import { freePort } from '../../tools/free-port.mjs'
import { Stage } from '../faults/full-length/stage.ts'
import { type CallOptions, call, type Reply } from './http.ts'

/** A preload for tests that distinguish retained memory from uncollected garbage. */
export const COLLECTS_GARBAGE = path.join(import.meta.dirname, 'collects-garbage.mjs')

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
  const stage = await Stage.open()
  const dataDir = path.join(stage.folder, 'data')
  const more = { preload, environment: { PUBLIC_URL: 'http://localhost:3000', ...environment } }
  const node = await stage
    .startWithEmbedded(dataDir, await freePort(), more)
    .catch(async (error) => {
      await stage.close()
      throw error
    })
  const databaseUrl = environment.DATABASE_URL ?? (await findRunningPostgres(dataDir)) ?? ''
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  db.on('error', () => {})
  stage.atEnd(() => db.end())
  return {
    ...{ url: node.url, databaseUrl, dataDir, db, process: node.process, log: node.output },
    residentMb: () => readResidentMb(node.process.pid ?? 0),
    collectGarbage: () => void node.process.kill('SIGUSR2'),
    call: (method, route, options) => call(node.url, method, route, options),
    stop: () => stage.close(),
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

/** Prints a figure next to its limit. */
export function tell(name: string, figure: string | number): void {
  process.stdout.write(`hostile: ${name} = ${figure}\n`)
}
