import pg from 'pg'
import { connectToPrimary } from '../addresses.ts'

// The database as backup and restore see it: one connection, and the tables that it holds.

/** What a server does not do: a table may take longer than its statements may. */
const SESSION_SETTINGS = `
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set lock_timeout = '10s';
  set timezone = 'UTC';
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'`

/**
 * One connection to a database, for as long as `act` takes. What is left open ends with it.
 * Errors: those of the connection and of `act`.
 */
export async function withClient<T>(
  url: string,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(url, { application_name: 'superday-backup' })
  try {
    await client.query(SESSION_SETTINGS)
    return await act(client)
  } finally {
    // Also the end of a transaction that is still open, and of a COPY that nobody reads any more.
    await client.end()
  }
}

const quote = pg.escapeIdentifier
/** A table by its quoted name, for a statement. */
export const nameOf = (table: string) => `public.${quote(table)}`
/** Columns by their quoted names, for a statement. */
export const columnsOf = (columns: string[]) => columns.map(quote).join(', ')

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
