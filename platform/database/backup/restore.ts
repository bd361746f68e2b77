import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AdminError } from '../../server/admin-error.ts'
import { applyMigrations, listMigrations, MIGRATION_LOCK, readSchemaVersion } from '../migrate.ts'
import { fingerprintOf } from '../secret-key.ts'
import { columnsOf, listTables, nameOf, withClient } from './backup.ts'
import { type BackupHeader, readBackup } from './backup-file.ts'

// Restores a backup (backup.ts) in one transaction.

export interface KeyCheck {
  /** the server's SECRET_KEY; null if there is none yet */
  secretKey: Buffer | null
  /** restores without the data's key, and drops the rows that are useless without it */
  anyKey?: boolean
}

/** Reads a whole backup without a database. Errors: AdminError when it can't be restored. */
export async function checkBackup(file: string, key: KeyCheck): Promise<BackupHeader> {
  return readBackup(file, sealKeyOf(key), {
    header: (header) => requireFit(header, key),
    async table(_name, _columns, rows) {
      for await (const _ of rows);
    },
  })
}

/** With --any-key, the key that made the seal isn't available. */
const sealKeyOf = ({ secretKey, anyKey }: KeyCheck) => (anyKey ? null : secretKey)

function requireFit(header: BackupHeader, { secretKey, anyKey }: KeyCheck): void {
  const migrations = listMigrations()
  const newest = migrations.at(-1)?.at ?? 0
  if (header.schema.at > newest) {
    throw new AdminError(
      `The backup was made by a newer Superday (its tables are those of ${header.schema.name}). Please restore it with that version or a newer one.`,
    )
  }
  if (!migrations.some(({ at }) => at === header.schema.at)) {
    throw new AdminError(
      `The backup has tables that this Superday version doesn't know (${header.schema.name}). Please restore it with the version that made it.`,
    )
  }
  const present = secretKey && fingerprintOf(secretKey)
  if (anyKey || present === header.keyFingerprint) return
  throw new AdminError(
    `The backup needs the SECRET_KEY with the fingerprint ${header.keyFingerprint}; ${
      present ? `the current one has ${present}` : 'there is none here'
    }. Set SECRET_KEY to it, or put your copy into DATA_DIR/secret.key. If that key is lost, --any-key restores without it. Then all users have to sign in again, guests lose access to their work, and candidates need new passwords, which their society makes under Candidates. Nothing was changed.`,
  )
}

export interface RestoreOptions extends KeyCheck {
  url: string
  file: string
  replace?: boolean
  /** ends all sessions in the backup, because some may have been ended since it was made */
  signEveryoneOut?: boolean
  now: Date
  actor: string
}

/** Restores a backup in one transaction and migrates an older one. Errors: AdminError; nothing was changed. */
export async function restoreBackup(options: RestoreOptions): Promise<BackupHeader> {
  return withClient(options.url, async (client) => {
    try {
      await client.query('begin')
      const header = await restoreRows(client, options)
      await client.query('commit')
      return header
    } catch (error) {
      throw explainRefusal(error)
    }
  })
}

async function restoreRows(client: pg.Client, options: RestoreOptions): Promise<BackupHeader> {
  let triggers: string[] = []
  const stored = new Map<string, number>()
  const header = await readBackup(options.file, sealKeyOf(options), {
    async header(found) {
      requireFit(found, options)
      await requireNobodyThere(client)
      await prepareSchema(client, found)
      await prepareTables(client, found, options.replace ?? false)
      triggers = await switchTriggersOff(client)
    },
    async table(name, columns, rows) {
      stored.set(name, await restoreTable(client, name, columns, rows))
    },
  })
  for (const { name, rows } of header.tables) {
    if (stored.get(name) !== rows) {
      throw new AdminError(
        `The backup contains ${stored.get(name)} rows of ${name}, but claims to have ${rows}. Nothing was changed; please use another backup.`,
      )
    }
  }
  await setCounters(client, header)
  for (const table of triggers) {
    await client.query(`alter table ${nameOf(table)} enable trigger user`)
  }
  await applyMigrations(client, migrationsBetween(header.schema.at, Number.POSITIVE_INFINITY))
  if (options.anyKey) await forgetKeyedRows(client)
  if (options.signEveryoneOut) await endSessions(client)
  await client.query(
    `insert into admin_actions (at, actor, action, detail) values ($1, $2, 'restore', $3)`,
    [options.now, options.actor, JSON.stringify({ createdAt: header.createdAt })],
  )
  // Otherwise the first queries would be planned for empty tables.
  for (const { name } of await listTables(client)) await client.query(`analyze ${nameOf(name)}`)
  return header
}

/** Migrations after `after`, up to and including `upTo`. */
const migrationsBetween = (after: number, upTo: number) =>
  listMigrations().filter(({ at }) => at > after && at <= upTo)

/** A running server caches keys and questions, and would write while rows are restored. */
async function requireNobodyThere(client: pg.Client): Promise<void> {
  // A server that starts now waits for this transaction.
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'superday' and pid <> pg_backend_pid()`,
  )
  if (rows[0]?.count) {
    throw new AdminError(
      'Superday is running on this database. Please stop every node first. Nothing was changed.',
    )
  }
}

/** Migrates the database to the version of the backup. */
async function prepareSchema(client: pg.Client, { schema }: BackupHeader): Promise<void> {
  const version = await readSchemaVersion(client)
  if (version === null && (await listTables(client)).length > 0) {
    throw new AdminError(
      "The database has tables that aren't Superday's. Please restore into a separate database. Nothing was changed.",
    )
  }
  if (version !== null && version > schema.at) {
    throw new AdminError(
      `The backup is older (its tables are those of ${schema.name}) than the tables in this database. Please restore it into a new database on which Superday was never started (another DATA_DIR, or createdb). The restore then migrates it. Nothing was changed.`,
    )
  }
  await applyMigrations(client, migrationsBetween(version ?? 0, schema.at))
}

/** Rows that a server start inserts, and that a restore may overwrite. Null means every row. */
const MADE_BY_A_START: Record<string, string | null> = {
  bank: null,
  brainteasers: null,
  signing_keys: null,
  service_pulse: null,
  service_outages: null,
  rate_limits: null,
  questions: "source = 'content'",
  daily_brainteasers: 'brainteaser_id is not null',
  assessments: 'is_sample',
  assessment_items: 'is_sample',
  candidates: 'is_demo',
}

async function prepareTables(
  client: pg.Client,
  header: BackupHeader,
  replace: boolean,
): Promise<void> {
  const tables = (await listTables(client)).map(({ name }) => name)
  const held = new Set(header.tables.map(({ name }) => name))
  const others = [
    ...tables.filter((name) => !held.delete(name)), // only in the database
    ...held, // only in the backup
  ]
  if (others.length > 0) {
    throw new AdminError(
      `The backup and the database have different tables: ${others.join(', ')}. Please restore into a separate database. Nothing was changed.`,
    )
  }
  // No session may read or write until the end, including transactions that began earlier.
  await client.query(`lock table ${tables.map(nameOf).join(', ')} in access exclusive mode`)
  if (!replace) await requireEmpty(client, tables)
  await emptyTables(client, tables)
}

/** Skips empty tables, because TRUNCATE creates new files for each table and index. */
async function emptyTables(client: pg.Client, tables: string[]): Promise<void> {
  const full: string[] = []
  for (const table of tables) {
    const { rowCount } = await client.query(`select from ${nameOf(table)} limit 1`)
    if (rowCount) full.push(table)
  }
  // CASCADE also empties the tables that refer to these. All of them are replaced anyway.
  if (full.length > 0) await client.query(`truncate ${full.map(nameOf).join(', ')} cascade`)
}

async function requireEmpty(client: pg.Client, tables: string[]): Promise<void> {
  const full: string[] = []
  for (const table of tables) {
    const own = MADE_BY_A_START[table]
    if (own === null) continue
    const { rows } = await client.query<{ count: string }>(
      `select count(*) as count from ${nameOf(table)}${own ? ` where not (${own})` : ''}`,
    )
    if (rows[0] && rows[0].count !== '0') full.push(`${table} (${rows[0].count})`)
  }
  if (full.length > 0) {
    throw new AdminError(
      `The database is not empty: ${full.join(', ')}. Please restore into a new one, or use --replace to delete everything in this one first. Nothing was changed.`,
    )
  }
}

/** Triggers compare new rows with others, which may not exist yet. Checks and foreign keys still apply. */
async function switchTriggersOff(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  )
  for (const { name } of rows) {
    await client.query(`alter table ${nameOf(name)} disable trigger user`)
  }
  return rows.map(({ name }) => name)
}

/** @returns the number of stored rows. Errors: AdminError for rows that the database rejects. */
async function restoreTable(
  client: pg.Client,
  table: string,
  columns: string[],
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  try {
    const stored = client.query(
      copyFrom(
        `copy ${nameOf(table)} (${columnsOf(columns)}) from stdin with (format text, encoding 'UTF8')`,
      ),
    )
    await pipeline(rows, stored)
    return stored.rowCount
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // 22: invalid value; 23: a constraint; 42: no such column
    if (!/^(22|23|42)...$/.test(code ?? '')) throw error
    throw new AdminError(
      `The database rejects the rows of ${table}: ${message}. Nothing was changed; please use another backup.`,
    )
  }
}

/** setval would ignore the transaction, so this alters the sequence instead. */
async function setCounters(client: pg.Client, { counters }: BackupHeader): Promise<void> {
  for (const { table, column, next } of counters) {
    const { rows } = await client.query<{ sequence: string }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [nameOf(table), column],
    )
    await client.query(`alter sequence ${rows[0]?.sequence} restart with ${BigInt(next)}`)
  }
}

/** Deletes rows that only the lost key can read. A server with another key creates its own. */
async function forgetKeyedRows(client: pg.Client): Promise<void> {
  await endSessions(client)
  await client.query('delete from signing_keys')
}

/** Refresh tokens derive from the session row. Candidate tokens are deleted by cascade. */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query('delete from recovery_tokens')
  await client.query('delete from sessions')
}

function explainRefusal(error: unknown): unknown {
  // lock_not_available: another program uses these tables.
  return (error as { code?: unknown }).code === '55P03'
    ? new AdminError(
        'Another program is using the tables of this database. Please stop it first. Nothing was changed.',
      )
    : error
}
