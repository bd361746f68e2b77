import type pg from 'pg'
import { openDatabase, SERVER_LIMITS, sessionSettings } from './database.ts'

/** Why a node can't start on the database of DATABASE_URL, in words for the person who started it. */
export class DatabaseStartError extends Error {}

/** How often two connections are compared: others on the pooler may hide it once. */
const ROUNDS = 3

/** @param reason what gave the pooler away */
export const describePooler = (reason: string) =>
  `DATABASE_URL leads through a connection pooler that Superday cannot work with: ${reason}. Superday pools its connections itself, and each has to be a session of PostgreSQL: give the address of PostgreSQL, or of a proxy that passes connections through, like HAProxy.`

/** Whether a pooler has refused the settings that a connection begins with: PgBouncer's words. */
export function isPoolersRefusal(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}

/**
 * Makes sure that a connection is a session of PostgreSQL. In a pooler's transaction mode it is another one
 * at each statement: the lock of the migrations would stay with whoever comes next, prepared statements be
 * missing or somebody else's, and a node that hangs keep its locks.
 * Errors: DatabaseStartError.
 */
export async function requireSessions(url: string): Promise<void> {
  const { $client: pool } = openDatabase(url, { max: 2, limits: SERVER_LIMITS })
  try {
    const one = await pool.connect()
    try {
      const other = await pool.connect()
      try {
        await requireOwnSessions(one, other)
        await requireSettings(one)
      } finally {
        other.release()
      }
    } finally {
      one.release()
    }
  } finally {
    await pool.end()
  }
}

async function requireOwnSessions(one: pg.PoolClient, other: pg.PoolClient): Promise<void> {
  const seen = [new Set<number>(), new Set<number>()] as const
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, client] of [one, other].entries()) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      seen[index as 0 | 1].add(rows[0]?.pid as number)
    }
  }
  const isShared = [...seen[0]].some((pid) => seen[1].has(pid))
  if (isShared || seen.some(({ size }) => size > 1)) {
    throw new DatabaseStartError(describePooler('two connections shared one session'))
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
    const reason = `${other.name} is ${other.setting} although ${wanted[other.name]} was asked for`
    throw new DatabaseStartError(describePooler(reason))
  }
}
