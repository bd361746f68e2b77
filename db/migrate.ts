import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

/** Any number that nothing else of ours locks; the same on every node. */
const MIGRATION_LOCK = 7_201_975

/**
 * Brings the schema up to date. Nodes that start together wait for one another on an advisory lock,
 * so each migration runs once.
 */
export async function migrateDatabase(url: string): Promise<void> {
  // One connection of its own: an advisory lock belongs to the connection that took it.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), {
      migrationsFolder: path.join(import.meta.dirname, '..', 'db', 'migrations'),
    })
  } finally {
    // Ending the connection releases the lock, also after an error.
    await client.end()
  }
}
