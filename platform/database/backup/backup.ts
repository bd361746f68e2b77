import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { AdminError } from '../../server/admin-error.ts'
import { listMigrations, type Migration, readSchemaVersion } from '../migrate.ts'
import { connectToPrimary } from '../primary.ts'
import { fingerprintOf } from '../secret-key.ts'
import { BACKUP_FORMAT, type BackupHeader, frameBackup } from './backup-file.ts'

/* Writes backups, which don't contain SECRET_KEY (backup-file.ts). restore.ts reads them. */

/** Bytes of a table that are read ahead of the writer. */
const READ_AHEAD_BYTES = 256 * 1024

/** Writes all tables, as of one moment, gzipped into `file`, and records it in the audit log. Errors: AdminError. */
export async function writeBackup(
  { url, secretKey, now, actor }: { url: string; secretKey: Buffer; now: Date; actor: string },
  file: Writable,
): Promise<BackupHeader> {
  return withClient(url, async (client) => {
    requireKnownSchema(await readSchemaVersion(client))
    // The audit row comes first, so that no copy of the data exists without one.
    await client.query(
      `insert into admin_actions (at, actor, action, detail) values ($1, $2, 'backup', '{}')`,
      [now, actor],
    )
    // The counts and all tables come from one snapshot, which the first query takes.
    await client.query('begin isolation level repeatable read, read only')
    const schema = requireKnownSchema(await readSchemaVersion(client))
    const tables = await listTables(client)
    const header: BackupHeader = {
      superday: 'backup',
      format: BACKUP_FORMAT,
      schema: { name: schema.name, at: schema.at },
      createdAt: now.toISOString(),
      keyFingerprint: fingerprintOf(secretKey),
      tables: [],
      // Sequences ignore snapshots. Because they are read after it, they are never behind its rows.
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
  if (version === null)
    throw new AdminError('The database has no Superday tables, so there is nothing to back up.')
  const known = listMigrations().find(({ at }) => at === version)
  if (!known) {
    throw new AdminError(
      'The database belongs to another version of Superday. Please make the backup with the version that runs on it.',
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
  const rows = client.query(
    copyTo(
      `copy ${nameOf(table)} (${columnsOf(columns)}) to stdout with (format text, encoding 'UTF8')`,
      { highWaterMark: READ_AHEAD_BYTES },
    ),
  )
  yield* rows as AsyncIterable<Buffer>
  // The row count arrives after the last row. A later statement's answer ensures that it is here.
  await client.query('')
  // TRUNCATE empties a table even for older snapshots.
  if (rows.rowCount !== expected) {
    throw new AdminError(
      `${table} was emptied during the backup (${rows.rowCount} of ${expected} rows). Please repeat it.`,
    )
  }
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

// The connection and the list of tables that backup and restore use.

/** Unlike the server, backups have no statement timeout, because copying a table may take longer. */
const SESSION_SETTINGS = `
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set lock_timeout = '10s';
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'`

/** Opens one connection for the duration of `act`. */
export async function withClient<T>(
  url: string,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(url, { application_name: 'superday-backup' })
  try {
    await client.query(SESSION_SETTINGS)
    return await act(client)
  } finally {
    // This also ends an open transaction and an abandoned COPY.
    await client.end()
  }
}

const quote = pg.escapeIdentifier
export const nameOf = (table: string) => `public.${quote(table)}`
export const columnsOf = (columns: string[]) => columns.map(quote).join(', ')

interface Table {
  name: string
  columns: string[]
  /** tables that this table's foreign keys refer to */
  refersTo: string[]
}

/** The database is asked, so that no table is forgotten. Tables of extensions are excluded. */
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

/** Lists our tables. Each comes after the tables it refers to. */
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
