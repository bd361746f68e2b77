import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { PROJECT_DIR } from '../server/project-folder.ts'
import { connectToPrimary } from './addresses.ts'

/** Any number that nothing else of ours locks; the same on every node. */
export const MIGRATION_LOCK = 7_201_975

const MIGRATIONS_DIR = path.join(PROJECT_DIR, 'platform', 'database', 'migrations')

/**
 * Brings the schema up to date. Nodes that start together wait for one another on an advisory lock,
 * so each migration runs once.
 */
export async function migrateDatabase(url: string): Promise<void> {
  // One connection of its own: an advisory lock belongs to the connection that took it.
  const client = await connectToPrimary(url)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), {
      migrationsFolder: MIGRATIONS_DIR,
    })
  } finally {
    // Ending the connection releases the lock, also after an error.
    await client.end()
  }
}

export interface Migration {
  name: string
  /** its place in the order: milliseconds since 1970 */
  at: number
  hash: string
  statements: string[]
}

/** All that this program knows, in their order. */
export function listMigrations(migrationsDir = MIGRATIONS_DIR): Migration[] {
  const journal = JSON.parse(
    readFileSync(path.join(migrationsDir, 'meta', '_journal.json'), 'utf8'),
  ) as { entries: { tag: string }[] }
  return readMigrationFiles({ migrationsFolder: migrationsDir }).map((file, index) => ({
    name: journal.entries[index]?.tag ?? '',
    at: file.folderMillis,
    hash: file.hash,
    statements: file.sql,
  }))
}

/** The newest migration of a database, as its place in the order; null where none was ever run. */
export async function readSchemaVersion(client: Pick<pg.Client, 'query'>): Promise<number | null> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (!rows[0]?.exists) return null
  const { rows: newest } = await client.query<{ at: string | null }>(
    'select max(created_at) as at from drizzle.__drizzle_migrations',
  )
  return newest[0]?.at ? Number(newest[0].at) : null
}

/**
 * Runs migrations in the transaction that the client is in, and notes them as migrateDatabase does:
 * a restore brings an older backup up to date in the one transaction in which its rows come.
 */
export async function applyMigrations(
  client: Pick<pg.Client, 'query'>,
  migrations: readonly Migration[],
): Promise<void> {
  if (migrations.length === 0) return
  await client.query(`create schema if not exists drizzle`)
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  for (const { hash, at, statements } of migrations) {
    for (const statement of statements) await client.query(statement)
    await client.query(
      'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
      [hash, at],
    )
  }
}
