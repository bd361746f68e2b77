import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { PROJECT_DIR } from '../server/project-folder.ts'

/** An arbitrary lock number, the same on every node and not used elsewhere. */
export const MIGRATION_LOCK = 7_201_975

const MIGRATIONS_DIR = path.join(PROJECT_DIR, 'platform', 'database', 'migrations')

export interface Migration {
  name: string
  /** its timestamp, which gives the order: milliseconds since 1970 */
  at: number
  hash: string
  statements: string[]
  live: LiveWord
}

const SAYS_NOTHING: LiveWord = {
  isLive: false,
  words: 'it does not say that it can',
  although: new Map(),
}

export function listMigrations(migrationsDir = MIGRATIONS_DIR): Migration[] {
  const journal = JSON.parse(
    readFileSync(path.join(migrationsDir, 'meta', '_journal.json'), 'utf8'),
  ) as { entries: { tag: string }[] }
  return readMigrationFiles({ migrationsFolder: migrationsDir }).map((file, index) => ({
    name: journal.entries[index]?.tag ?? '',
    at: file.folderMillis,
    hash: file.hash,
    statements: file.sql,
    live: readLiveWord(file.sql[0] ?? '') ?? SAYS_NOTHING,
  }))
}

/** The timestamp of a database's newest migration, or null if none ran. */
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

/** Creates the migrations table if it is missing, as Drizzle would. */
async function prepareNotes(client: Pick<pg.Client, 'query'>): Promise<void> {
  await client.query(`create schema if not exists drizzle`)
  await client.query(
    'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
}

export async function noteMigration(
  client: Pick<pg.Client, 'query'>,
  { hash, at }: Migration,
): Promise<void> {
  await client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)',
    [hash, at],
  )
}

/** Matches a migration that builds an index outside a transaction (decision 047). */
export const CONCURRENTLY = /\b(index) concurrently\b/i

/** Runs and records migrations in the client's transaction, which a restore needs. Builds indexes normally. */
export async function applyMigrations(
  client: Pick<pg.Client, 'query'>,
  migrations: readonly Migration[],
): Promise<void> {
  if (migrations.length === 0) return
  await prepareNotes(client)
  for (const migration of migrations) {
    for (const statement of migration.statements) {
      await client.query(statement.replace(CONCURRENTLY, '$1'))
    }
    await noteMigration(client, migration)
  }
}

/** What a migration declares: whether nodes of the previous version may serve while it runs and afterwards. */
export interface LiveWord {
  isLive: boolean
  /** what it adds; or the reason after 'because' */
  words: string
  /** faults (tools/migration-faults.ts) that are harmless here, each with its reason */
  although: Map<string, string>
}

/**
 * Reads the first line of a migration (decision 047). Returns null if it has none of these forms:
 *     -- live: yes, adds a nullable column to candidates
 *     -- live: yes, adds an index on messages; although index: a season has only some hundreds of rows
 *     -- live: no, because nodes of the previous version create rulings without a kind
 */
export function readLiveWord(sql: string): LiveWord | null {
  const [line = ''] = sql.split('\n', 1)
  const no = /^-- live: no, because (\S.+)$/.exec(line)
  if (no) return { isLive: false, words: no[1] as string, although: new Map() }
  const yes = /^-- live: yes, (\S.+)$/.exec(line)
  if (!yes) return null
  const [words = '', ...clauses] = (yes[1] as string).split('; although ')
  const although = new Map<string, string>()
  for (const clause of clauses) {
    const [, kind = clause, reason = ''] = /^([a-z ]+): (.+)$/.exec(clause) ?? []
    although.set(kind, reason)
  }
  return { isLive: true, words, although }
}
