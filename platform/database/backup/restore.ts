import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AdminError } from '../../server/admin-error.ts'
import { applyMigrations, listMigrations, MIGRATION_LOCK, readSchemaVersion } from '../migrate.ts'
import { fingerprintOf } from '../secret-key.ts'
import { columnsOf, listTables, nameOf, withClient } from './backup.ts'
import { type BackupHeader, readBackup } from './backup-file.ts'

// The way back of a backup (backup.ts), in one transaction: all of it or nothing.

export interface KeyCheck {
  /** the SECRET_KEY with which the server will run; null where there is none yet */
  secretKey: Buffer | null
  /** restores without the key that the data needs, and leaves out what nothing can be done with */
  anyKey?: boolean
}

/** Reads a backup to its end without a database. Errors: AdminError when it can't be restored. */
export async function checkBackup(file: string, key: KeyCheck): Promise<BackupHeader> {
  return readBackup(file, sealKeyOf(key), {
    header: (header) => requireFit(header, key),
    async table(_name, _columns, rows) {
      for await (const _ of rows);
    },
  })
}

/** Under --any-key the seal was made with a key that is not here. */
const sealKeyOf = ({ secretKey, anyKey }: KeyCheck) => (anyKey ? null : secretKey)

function requireFit(header: BackupHeader, { secretKey, anyKey }: KeyCheck): void {
  const migrations = listMigrations()
  const newest = migrations.at(-1)?.at ?? 0
  if (header.schema.at > newest) {
    throw new AdminError(
      `The backup was made by a newer Superday (its tables are those of ${header.schema.name}): please restore it with that version or a newer one.`,
    )
  }
  if (!migrations.some(({ at }) => at === header.schema.at)) {
    throw new AdminError(
      `The backup has tables of a version that this Superday does not know (${header.schema.name}): please restore it with the version that made it.`,
    )
  }
  const present = secretKey && fingerprintOf(secretKey)
  if (anyKey || present === header.keyFingerprint) return
  throw new AdminError(
    `The backup needs the SECRET_KEY with the fingerprint ${header.keyFingerprint}; ${
      present ? `the present one has ${present}` : 'there is none here'
    }. Set SECRET_KEY to it, or put your copy into DATA_DIR/secret.key. If that key is lost: --any-key restores without it. Then everybody has to sign in again, guests cannot come back to what they did, and candidates need new passwords, which their society makes under Candidates. Nothing was changed.`,
  )
}

export interface RestoreOptions extends KeyCheck {
  url: string
  file: string
  replace?: boolean
  /** ends all sessions of the backup: those that were ended since it was made would be alive again */
  signEveryoneOut?: boolean
  now: Date
  actor: string
}

/** Restores a backup in one transaction and brings an older one up to date. Errors: AdminError; nothing was changed. */
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
        `The backup holds ${stored.get(name)} rows of ${name} and says that it has ${rows}. Nothing was changed; please use another backup.`,
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

/** Migrations behind one place in the order, up to and with another. */
const migrationsBetween = (after: number, upTo: number) =>
  listMigrations().filter(({ at }) => at > after && at <= upTo)

/** A running server holds keys and questions in memory, and would write between the rows. */
async function requireNobodyThere(client: pg.Client): Promise<void> {
  // A server that starts now waits until this transaction is over.
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'superday' and pid <> pg_backend_pid()`,
  )
  if (rows[0]?.count) {
    throw new AdminError(
      'Superday is running on this database: please stop every node first. Nothing was changed.',
    )
  }
}

/** Brings the database to the version of the backup. */
async function prepareSchema(client: pg.Client, { schema }: BackupHeader): Promise<void> {
  const version = await readSchemaVersion(client)
  if (version === null && (await listTables(client)).length > 0) {
    throw new AdminError(
      "The database holds tables that are not Superday's: please restore into a database of its own. Nothing was changed.",
    )
  }
  if (version !== null && version > schema.at) {
    throw new AdminError(
      `The backup is older (its tables are those of ${schema.name}) than the tables that are in this database. Please restore it into a new database on which no Superday was started yet (another DATA_DIR, or createdb): it is brought up to date there. Nothing was changed.`,
    )
  }
  await applyMigrations(client, migrationsBetween(version ?? 0, schema.at))
}

/** Rows that a start puts there by itself, and a restore may write over; null for every row. */
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
    ...tables.filter((name) => !held.delete(name)), // here and not in the backup
    ...held, // in the backup and not here
  ]
  if (others.length > 0) {
    throw new AdminError(
      `The backup and the database have different tables: ${others.join(', ')}. Please restore into a database of its own. Nothing was changed.`,
    )
  }
  // Nobody reads or writes until the end, also not who began before.
  await client.query(`lock table ${tables.map(nameOf).join(', ')} in access exclusive mode`)
  if (!replace) await requireEmpty(client, tables)
  await emptyTables(client, tables)
}

/** Only those with rows: emptying is new files on the disk for each table and index. */
async function emptyTables(client: pg.Client, tables: string[]): Promise<void> {
  const full: string[] = []
  for (const table of tables) {
    const { rowCount } = await client.query(`select from ${nameOf(table)} limit 1`)
    if (rowCount) full.push(table)
  }
  // What refers to them is emptied with them; all of it is replaced anyway.
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
      `The database is not empty: ${full.join(', ')}. Please restore into a new one; --replace deletes first all that is in this one. Nothing was changed.`,
    )
  }
}

/** Triggers check new rows against others, which may not be there yet; checks and foreign keys hold all the same. */
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

/** @returns how many rows were stored. Errors: AdminError for rows that the database refuses. */
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
    // 22: no such value, 23: a constraint, 42: no such column
    if (!/^(22|23|42)...$/.test(code ?? '')) throw error
    throw new AdminError(
      `The database refuses the rows of ${table}: ${message}. Nothing was changed; please use another backup.`,
    )
  }
}

/** In the transaction, which setval is not. */
async function setCounters(client: pg.Client, { counters }: BackupHeader): Promise<void> {
  for (const { table, column, next } of counters) {
    const { rows } = await client.query<{ sequence: string }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [nameOf(table), column],
    )
    await client.query(`alter sequence ${rows[0]?.sequence} restart with ${BigInt(next)}`)
  }
}

/** What only the lost key can read: a server with another one starts, and makes its own. */
async function forgetKeyedRows(client: pg.Client): Promise<void> {
  await endSessions(client)
  await client.query('delete from signing_keys')
}

/** Refresh tokens are made of the session's row; candidate tokens hang on it and go with it. */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query('delete from recovery_tokens')
  await client.query('delete from sessions')
}

function explainRefusal(error: unknown): unknown {
  // lock_not_available: another program reads or writes these tables.
  return (error as { code?: unknown }).code === '55P03'
    ? new AdminError(
        'Another program works in the tables of this database; please end it first. Nothing was changed.',
      )
    : error
}
