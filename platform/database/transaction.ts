import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'

export async function inTransaction<T>(
  db: Database,
  act: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await db.$client.connect()
  try {
    await client.query('begin')
    const result = await act(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // A connection that can't even roll back is discarded.
    await client.query('rollback').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}

export class RowHeld extends Error {
  constructor() {
    super('another transaction has locked the row')
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Runs a statement that locks with nowait. Errors: RowHeld. */
export async function orHeld<T>(locking: Promise<T>): Promise<T> {
  try {
    return await locking
  } catch (error) {
    throw (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE ? new RowHeld() : error
  }
}

/** Milliseconds to wait before retrying a row that another transaction holds. */
const HELD_PAUSES_MS = [10, 30, 80, 200, 400]

/** Runs a transaction that uses orHeld, and retries it while the row is held. Errors: RowHeld, after about 1 s. */
export async function whenFree<T>(
  db: Database,
  act: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (const pauseMs of HELD_PAUSES_MS) {
    try {
      return await inTransaction(db, act)
    } catch (error) {
      if (!(error instanceof RowHeld)) throw error
      await wait(pauseMs)
    }
  }
  return inTransaction(db, act)
}
