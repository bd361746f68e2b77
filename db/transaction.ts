import type pg from 'pg'
import { type Database, isUnanswered } from './database.ts'

/** Runs something in one transaction on one connection. */
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
    // A server that doesn't answer would let the rollback wait as long again.
    if (isUnanswered(error)) client.release(true)
    // A connection that can't even roll back is thrown away.
    else await rollBack(client)
    throw error
  }
}

function rollBack(client: pg.PoolClient): Promise<void> {
  return client.query('rollback').then(
    () => client.release(),
    (broken) => client.release(broken),
  )
}
