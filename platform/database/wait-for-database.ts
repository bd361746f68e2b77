import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../server/log.ts'
import { isDatabaseUnavailable, openDatabase } from './database.ts'
import { DatabaseStartError, describePooler, isPoolersRefusal } from './pooler.ts'

/** How long a start waits: longer than a PostgreSQL takes to restart, shorter than people look on. */
const LIMIT_MS = 60_000
const PAUSE_MS = 500
/** How often the log says what is waited for, milliseconds. */
const TELL_EVERY_MS = 5_000

/**
 * Returns when the database answers. In a deploy, or after a power cut, nodes and database come up in any
 * order; whoever asks a node meanwhile finds nobody listening, which is what 'not ready' looks like.
 * Errors: DatabaseStartError when it hasn't answered for limitMs, and at once when waiting can't help: a
 * wrong password, a database that doesn't exist.
 */
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
      const reason = describeReason(error)
      if (isPoolersRefusal(error)) throw new DatabaseStartError(describePooler(reason))
      if (!mayPass(error)) throw new DatabaseStartError(`DATABASE_URL does not work: ${reason}.`)
      if (performance.now() - begunAt + PAUSE_MS > limitMs) {
        throw new DatabaseStartError(
          `The database of DATABASE_URL has not answered for ${limitMs / 1000} seconds: ${reason}. Is it running, and is the address right?`,
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

/** A socket's file (ENOENT) is made when the server starts. */
function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error as { code?: unknown }).code === 'ENOENT'
}

function describeReason(error: unknown): string {
  // A name with several addresses fails once for each, and then has no words of its own.
  const errors = error instanceof AggregateError ? error.errors : [error]
  return errors.map((one) => (one instanceof Error && one.message) || String(one)).join(', ')
}
