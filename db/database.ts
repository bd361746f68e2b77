import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import * as schema from './schema.ts'

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool }

/**
 * A pool on a PostgreSQL of version 15 or later.
 * @param options.max connections at most
 * @param options.onError told when an idle connection dies; queries fail by themselves
 */
export function openDatabase(
  url: string,
  options: { max?: number; onError?: (error: Error) => void } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 20,
    // A full pool is back-pressure, not a reason to hang: the caller hears 503.
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'superday',
    options: '-c timezone=UTC -c statement_timeout=15000',
  })
  // Without a listener a dropped idle connection would end the process.
  pool.on('error', options.onError ?? (() => {}))
  return drizzle(pool, { schema })
}

/** Whether an error says that the database is away or full, not that the query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = (current as { code?: unknown }).code
    if (typeof code === 'string') {
      // 08: connection exceptions, 53: out of resources, 57P: shut down or starting, 57014: timed out
      if (/^(08|53)...$|^57P0\d$|^57014$/.test(code)) return true
      if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code))
        return true
    }
    if (/Connection terminated|timeout exceeded when trying to connect/.test(current.message)) {
      return true
    }
  }
  return false
}
