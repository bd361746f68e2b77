import type pg from 'pg'
import type { Database } from './database.ts'

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
    // A connection that can't even roll back is thrown away.
    await client.query('rollback').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}
