import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { AdminError } from '../../server/admin-error.ts'
import {
  applyMigrations,
  listMigrations,
  MIGRATION_LOCK,
  type Migration,
  readSchemaVersion,
} from '../migrate.ts'
import { fingerprintOf } from '../secret-key.ts'
import { copyIn, copyOut } from './backup-copy.ts'
import { BACKUP_FORMAT, type BackupHeader, frameBackup, readBackup } from './backup-file.ts'

/*
 * Backup and restore: all tables of a database as they were at one moment, in one file
 * (backup-file.ts), and the way back in one transaction. Without SECRET_KEY, which is kept elsewhere.
 */

/** What a server does not do: a table may take longer than its statements may. */
const SESSION_SETTINGS = `
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set lock_timeout = '10s';
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'`

async function withClient<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'superday-backup' })
  client.on('error', () => {}) // the query under way rejects as well
  await client.connect()
  try {
    await client.query(SESSION_SETTINGS)
    return await act(client)
  } finally {
    // Also the end of a transaction that is still open, and of a COPY that nobody reads any more.
    await client.end()
  }
}

const quote = pg.escapeIdentifier
const nameOf = (table: string) => `public.${quote(table)}`
const columnsOf = (columns: string[]) => columns.map(quote).join(', ')

// ── What a database holds ───────────────────────────────────────────────────────────────────────

interface Table {
  name: string
  columns: string[]
  /** tables that its rows refer to */
  refersTo: string[]
}

/** Asked of the database, so that no list of ours can forget a table. Parts of extensions are left out. */
const LIST_TABLES = `
  select c.relname::text as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
      as columns,
    array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
     where f.conrelid = c.oid and f.contype = 'f' and r.oid <> c.oid) as "refersTo"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

/** The tables of ours, each behind those that its rows refer to. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(LIST_TABLES)
  return inOrderOfReference(rows)
}

function inOrderOfReference(tables: Table[]): Table[] {
  const ordered: Table[] = []
  let waiting = tables
  while (waiting.length > 0) {
    const stillWaiting = new Set(waiting.map(({ name }) => name))
    const free = waiting.filter(({ refersTo }) => !refersTo.some((name) => stillWaiting.has(name)))
    if (free.length === 0) {
      throw new Error(`These tables refer to one another in a circle: ${[...stillWaiting]}.`)
    }
    ordered.push(...free)
    waiting = waiting.filter((table) => !free.includes(table))
  }
  return ordered
}

const LIST_COUNTERS = `
  select t.relname::text as "table", a.attname::text as "column", s.oid::regclass::text as sequence
  from pg_class s
  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid
    and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  join pg_class t on t.oid = d.refobjid
  join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and t.relnamespace = 'public'::regnamespace
  order by 1, 2`

async function readCounters(client: pg.Client): Promise<BackupHeader['counters']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    LIST_COUNTERS,
  )
  const counters: BackupHeader['counters'] = []
  for (const { table, column, sequence } of rows) {
    const read = await client.query<{ next: string }>(
      `select (last_value + is_called::int)::text as next from ${sequence}`,
    )
    counters.push({ table, column, next: read.rows[0]?.next ?? '1' })
  }
  return counters
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) as count from ${nameOf(table)}`,
  )
  return Number(rows[0]?.count)
}

// ── Backup ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Writes all tables of a database, as they are at one moment, gzipped into `file`, which it ends. The
 * server goes on meanwhile; only changes of the schema wait. The audit log notes it.
 * @param secretKey the one that the database was set up with: the file gets its fingerprint
 * @param actor the operating system's user, for the audit log
 * Errors: AdminError for a database that holds no Superday, or a newer one's.
 */
export async function writeBackup(
  { url, secretKey, now, actor }: { url: string; secretKey: Buffer; now: Date; actor: string },
  file: Writable,
): Promise<BackupHeader> {
  return withClient(url, async (client) => {
    requireKnownSchema(await readSchemaVersion(client))
    // Noted first: no copy of all data without its note in the audit log.
    await client.query(
      `insert into admin_actions (at, actor, action, detail) values ($1, $2, 'backup', '{}')`,
      [now, actor],
    )
    // One snapshot for the counts and for every table; it is taken by the first query.
    await client.query('begin isolation level repeatable read, read only')
    const schema = requireKnownSchema(await readSchemaVersion(client)) // of this snapshot
    const tables = await listTables(client)
    const header: BackupHeader = {
      superday: 'backup',
      format: BACKUP_FORMAT,
      schema: { name: schema.name, at: schema.at },
      createdAt: now.toISOString(),
      keyFingerprint: fingerprintOf(secretKey),
      tables: [],
      // Sequences know no snapshot. Read after it was taken, they are never behind its rows.
      counters: await readCounters(client),
    }
    for (const { name } of tables) {
      header.tables.push({ name, rows: await countRows(client, name) })
    }
    const parts = tables.map(({ name, columns }, index) => ({
      name,
      columns,
      rows: copyTable(client, name, columns, header.tables[index]?.rows ?? 0),
    }))
    await pipeline(frameBackup(header, parts, secretKey), createGzip(), file)
    await client.query('commit')
    return header
  })
}

function requireKnownSchema(version: number | null): Migration {
  if (version === null) throw new AdminError('The database holds no Superday: nothing to back up.')
  const known = listMigrations().find(({ at }) => at === version)
  if (!known) {
    throw new AdminError(
      'The database belongs to another version of Superday than this one: please make the backup with the one that runs on it.',
    )
  }
  return known
}

async function* copyTable(
  client: pg.Client,
  table: string,
  columns: string[],
  expected: number,
): AsyncGenerator<Buffer> {
  const rows = yield* copyOut(
    client,
    `copy ${nameOf(table)} (${columnsOf(columns)}) to stdout with (format text, encoding 'UTF8')`,
  )
  // TRUNCATE empties a table for snapshots of before too.
  if (rows !== expected) {
    throw new AdminError(
      `${table} was emptied while the backup was made (${rows} of ${expected} rows); please repeat it.`,
    )
  }
}

// ── Restore ─────────────────────────────────────────────────────────────────────────────────────

export interface KeyCheck {
  /** the SECRET_KEY with which the server will run; null where there is none yet */
  secretKey: Buffer | null
  /** restores without the key that the data needs, and leaves out what nothing can be done with */
  anyKey?: boolean
}

/**
 * Reads a backup to its end without touching a database.
 * Errors: AdminError when it is damaged, from a newer program, or needs another SECRET_KEY.
 */
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
    }. Set SECRET_KEY to it, or put your copy into DATA_DIR/secret.key. If that key is lost: --any-key restores without it. Then everybody has to sign in again, guests cannot come back to what they did, and candidates need new passwords (assessments reset). Nothing was changed.`,
  )
}

export interface RestoreOptions extends KeyCheck {
  url: string
  file: string
  /** deletes first what the database holds */
  replace?: boolean
  now: Date
  /** the operating system's user, for the audit log */
  actor: string
}

/**
 * Puts the rows of a backup into a database, in one transaction: all of it or nothing. An older backup
 * is brought up to date there, if the database has not been brought further yet.
 * Errors: AdminError, a sentence for whatever does not fit; then nothing was changed.
 */
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

/**
 * Triggers check what is new, some against rows of other tables, which need not be there yet. These rows
 * were checked when they were new. Checks and foreign keys hold all the same.
 */
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

/**
 * @returns how many rows were stored
 * Errors: AdminError for rows that the database refuses.
 */
async function restoreTable(
  client: pg.Client,
  table: string,
  columns: string[],
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  try {
    return await copyIn(
      client,
      `copy ${nameOf(table)} (${columnsOf(columns)}) from stdin with (format text, encoding 'UTF8')`,
      rows,
    )
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
  for (const table of ['recovery_tokens', 'sessions', 'signing_keys']) {
    await client.query(`delete from ${nameOf(table)}`)
  }
}

function explainRefusal(error: unknown): unknown {
  // lock_not_available: another program reads or writes these tables.
  return (error as { code?: unknown }).code === '55P03'
    ? new AdminError(
        'Another program works in the tables of this database; please end it first. Nothing was changed.',
      )
    : error
}
