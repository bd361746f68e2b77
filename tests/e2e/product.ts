import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { serve } from '@hono/node-server'
import pg from 'pg'
import pino from 'pino'
import { createApp } from '../../app/server/app.ts'
import { beat } from '../../assessments/server/pulse.ts'
import { startSweep } from '../../assessments/server/sweep.ts'
import { loadBrainteasers } from '../../daily/server/brainteasers.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { loadSpokenPrompts } from '../../practice/server/aloud/spoken-content.ts'
import { loadContent } from '../../practice/server/content/content.ts'
import { freePort } from '../../tools/free-port.mjs'
import { insertUser } from '../rig/insert-user.ts'
import { dependenciesOf } from '../rig/rig.ts'
import { makeDataFolder } from '../setup/data-folder.ts'

/** A running product with its own database. */
export interface Product {
  /** the address for the browser */
  url: string
  /** the product's own address, without a proxy in between */
  directUrl: string
  db: Database
  dependencies: AppDependencies
  secretKey: Buffer
  log: pino.Logger
  /** errors in the server's log */
  errors: string[]
  clock: {
    /** how far the server's clock is ahead of the device's */
    offsetMs: number
    now(): Date
    /** Moves the server's clock forward, as if the service had been up all the time. */
    move(ms: number): Promise<void>
  }
  /** stops responding (connections are refused) and comes back on the same port */
  stop(): Promise<void>
  start(): Promise<void>
  /** stops it for good */
  end(): Promise<void>
  /** responds instead of the product, as another version would; null if it doesn't */
  inPlace: ((path: string) => Promise<Response> | null) | null
}

export interface Account {
  email: string
  password: string
}

/** Stores an account with a session. @returns the session, as the auth client keeps it */
export const signUp = ({ dependencies }: Product, account: Account) =>
  insertUser(dependencies, account)

export interface Databases {
  /** Copies the loaded database. @returns the copy's address */
  copy(): Promise<string>
  stop(): Promise<void>
}

/** Starts PostgreSQL with a database that contains all content, for products to copy. */
export async function startDatabases(): Promise<Databases & { url: string }> {
  const dataDir = await makeDataFolder('superday-e2e-')
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  await migrateDatabase(postgres.url)
  const db = openDatabase(postgres.url)
  await loadContent(db)
  await loadSpokenPrompts(db)
  await loadBrainteasers(db)
  await db.$client.end()
  return {
    url: postgres.url,
    copy: () => copyDatabase(postgres.url),
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Copies the database that `url` names. @returns the copy's address */
export async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url)
  const template = copy.pathname.slice(1)
  copy.pathname = `/e2e_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: url.replace(/[^/]*$/, 'postgres') })
  await admin.connect()
  await admin.query(
    `create database ${copy.pathname.slice(1)} template ${template} strategy file_copy`,
  )
  await admin.end()
  return copy.href
}

/**
 * Starts the product on a free port.
 * @param databaseUrl of its own database, with the content loaded
 * @param through a proxy for the browser: returns its address for the product's port; default: none
 */
export async function startProduct(
  databaseUrl: string,
  through?: { urlTo(port: number): string },
): Promise<Product> {
  const db = openDatabase(databaseUrl)
  const port = await freePort()
  const url = through?.urlTo(port) ?? `http://localhost:${port}`
  const secretKey = randomBytes(32)
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const clock: Product['clock'] = {
    offsetMs: 0,
    now: () => new Date(Date.now() + clock.offsetMs),
    async move(ms) {
      // The service counts as away after five silent seconds.
      for (let left = ms; left > 0; left -= 4_000) {
        clock.offsetMs += Math.min(left, 4_000)
        await beat(db.$client, clock.now())
      }
    },
  }
  const { now } = clock
  // Without newsMs, which is the product's own here.
  const { newsMs: _, ...usual } = dependenciesOf(db)
  const dependencies: AppDependencies = {
    ...usual,
    ...{ now, secretKey, publicUrl: url, log },
    // A minute of a simulated crowd in three seconds.
    simulationSpeed: 20,
    webDir: path.join(import.meta.dirname, '..', '..', 'dist'),
  }
  const app = createApp(dependencies)
  let server: ReturnType<typeof serve> | undefined
  const product: Product = {
    url,
    directUrl: `http://localhost:${port}`,
    db,
    dependencies,
    secretKey,
    log,
    errors,
    clock,
    inPlace: null,
    start: () =>
      new Promise((resolve) => {
        const answer = async (request: Request) => {
          const { pathname } = new URL(request.url)
          const response = await (product.inPlace?.(pathname) ?? app.fetch(request))
          // Node would send the device's time.
          response.headers.set('Date', now().toUTCString())
          return response
        }
        server = serve({ fetch: answer, port, hostname: '127.0.0.1' }, () => resolve())
      }),
    stop: () =>
      new Promise((resolve) => {
        server?.close(() => resolve())
        if (server && 'closeAllConnections' in server) server.closeAllConnections()
      }),
    async end() {
      await sweep.stop()
      await product.stop()
      await db.$client.end()
    },
  }
  await product.start()
  const sweep = startSweep({ db, now, log })
  return product
}
