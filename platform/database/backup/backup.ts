import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { AdminError } from '../../server/admin-error.ts'
import { listMigrations, type Migration, readSchemaVersion } from '../migrate.ts'
import { fingerprintOf } from '../secret-key.ts'
import { BACKUP_FORMAT, type BackupHeader, frameBackup } from './backup-file.ts'
import { columnsOf, listTables, nameOf, withClient } from './backup-tables.ts'

/*
 * All tables of a database as they were at one moment, in one file (backup-file.ts), without SECRET_KEY,
 * which is kept elsewhere. The way back is restore.ts.
 */

/** How much of a table is read ahead of the one who writes it away. */
const READ_AHEAD_BYTES = 256 * 1024

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
  const rows = client.query(
    copyTo(
      `copy ${nameOf(table)} (${columnsOf(columns)}) to stdout with (format text, encoding 'UTF8')`,
      { highWaterMark: READ_AHEAD_BYTES },
    ),
  )
  yield* rows as AsyncIterable<Buffer>
  // How many there were is said after the last of them: it is known once a later statement is answered.
  await client.query('')
  // TRUNCATE empties a table for snapshots of before too.
  if (rows.rowCount !== expected) {
    throw new AdminError(
      `${table} was emptied while the backup was made (${rows.rowCount} of ${expected} rows); please repeat it.`,
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
