import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { AdminError, wordsOf } from '../server/admin-error.ts'
import type { Logger } from '../server/log.ts'
import { isDatabaseUnavailable, openDatabase, SERVER_LIMITS, sessionSettings } from './database.ts'

/** Why a node can't start on the database of DATABASE_URL. */
export class DatabaseStartError extends AdminError {}

/** How many times two connections are compared. Other clients of the pooler may hide it once. */
const ROUNDS = 3

/** @param reason how the pooler was detected */
const describePooler = (reason: string) =>
  `DATABASE_URL leads through a connection pooler that Superday can't work with: ${reason}. Superday pools its connections itself, and each has to be a PostgreSQL session. Use the address of PostgreSQL, or of a proxy that passes connections through, like HAProxy.`

/** Whether a pooler rejected the startup parameters. The words are PgBouncer's. */
function isPoolersRefusal(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}

/** Rejects a pooler in transaction mode: locks and prepared statements need a session. Errors: DatabaseStartError. */
export async function requireSessions(url: string): Promise<void> {
  const { $client: pool } = openDatabase(url, { max: 2, limits: SERVER_LIMITS })
  const clients: pg.PoolClient[] = []
  try {
    while (clients.length < 2) clients.push(await pool.connect())
    await requireOwnSessions(clients)
    await requireSettings(clients[0] as pg.PoolClient)
  } finally {
    for (const client of clients) client.release()
    await pool.end()
  }
}

async function requireOwnSessions(clients: readonly pg.PoolClient[]): Promise<void> {
  const sessions = new Map<pg.PoolClient, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const pid = rows[0]?.pid as number
      const isMoved = (sessions.get(client) ?? pid) !== pid
      sessions.set(client, pid)
      if (isMoved || new Set(sessions.values()).size < sessions.size) {
        throw new DatabaseStartError(describePooler('two connections shared one session'))
      }
    }
  }
}

async function requireSettings(client: pg.PoolClient): Promise<void> {
  const wanted = sessionSettings(SERVER_LIMITS)
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any ($1)',
    [Object.keys(wanted)],
  )
  const other = rows.find(({ name, setting }) => setting !== String(wanted[name]))
  if (other) {
    const reason = `${other.name} is ${other.setting} instead of ${wanted[other.name]}`
    throw new DatabaseStartError(describePooler(reason))
  }
}

/** Milliseconds that a start waits: longer than a PostgreSQL restart, but short enough for an operator to watch. */
const LIMIT_MS = 60_000
const PAUSE_MS = 500
/** Milliseconds between log messages about what the start waits for. */
const TELL_EVERY_MS = 5_000

/** Waits for a database that is starting. Errors: DatabaseStartError after limitMs, or earlier if useless. */
export async function waitForDatabase(url: string, log: Logger, limitMs = LIMIT_MS): Promise<void> {
  const { $client: pool } = openDatabase(url, { max: 1 })
  const begunAt = performance.now()
  let tellAt = begunAt
  try {
    for (;;) {
      const error = await pool.query('select 1').then(
        () => null,
        (caught: unknown) => caught,
      )
      if (!error) return
      const reason = wordsOf(error)
      if (isPoolersRefusal(error)) throw new DatabaseStartError(describePooler(reason))
      if (!mayPass(error)) throw new DatabaseStartError(`DATABASE_URL does not work: ${reason}.`)
      if (performance.now() - begunAt + PAUSE_MS > limitMs) {
        throw new DatabaseStartError(
          `The database of DATABASE_URL has not responded for ${limitMs / 1000} seconds: ${reason}. Is it running, and is the address correct?`,
        )
      }
      if (performance.now() >= tellAt) {
        log.warn({ error: reason }, 'waiting for the database')
        tellAt += TELL_EVERY_MS
      }
      await sleep(PAUSE_MS)
    }
  } finally {
    await pool.end()
  }
}

/** A socket's file is missing (ENOENT) until the server starts. */
function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error as { code?: unknown }).code === 'ENOENT'
}
