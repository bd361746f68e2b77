import type pg from 'pg'
import {
  listMigrations,
  type Migration,
  readSchemaVersion,
} from '../../../platform/database/migrate.ts'
import { countOf } from '../../../platform/words.ts'
import { type Finding, look, mend, well } from './finding.ts'

/** The oldest PostgreSQL that every statement of ours runs on. */
const OLDEST_MAJOR = 15
/** Of one node: its pool, its pulse, and one for a command. */
const CONNECTIONS_OF_A_NODE = 22

type Client = Pick<pg.Pool, 'query'>

/** Version, durability, rights, room for connections and the migrations. */
export async function lookAtDatabase(client: Client): Promise<Finding[]> {
  return [
    ...(await lookAtServer(client)),
    ...(await lookAtMigrations(client)),
    ...(await lookAtMails(client)),
  ]
}

async function lookAtServer(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{
    name: string
    version: string
    major: number
    encoding: string
    fsync: string
    synchronous_commit: string
    full_page_writes: string
    connections: number
    may_create: boolean
    bytes: string
  }>(`
    select current_database() as name, current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as connections,
      has_database_privilege(current_database(), 'create')
        and has_schema_privilege('public', 'create') as may_create,
      pg_database_size(current_database()) as bytes`)
  const [server] = rows
  if (!server) throw new Error('the server said nothing of itself')
  const findings: Finding[] = []
  findings.push(
    server.major < OLDEST_MAJOR
      ? mend(`PostgreSQL ${server.version} is too old: Superday needs ${OLDEST_MAJOR} or later.`)
      : well(
          `PostgreSQL ${server.version} answers; the database ${server.name} holds ${Math.ceil(Number(server.bytes) / 1e6)} MB.`,
        ),
  )
  if (server.encoding !== 'UTF8') {
    findings.push(
      mend(
        `The database stores text as ${server.encoding}, which has no room for all names. Make a new one with encoding UTF8 and restore a backup into it.`,
      ),
    )
  }
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => server[name] === 'off',
  )
  if (off.length > 0) {
    findings.push(
      mend(
        `PostgreSQL runs with ${off.join(' and ')} off: a power cut may lose answers that were acknowledged, or the database. Set it to on.`,
      ),
    )
  }
  if (!server.may_create) {
    findings.push(
      mend(
        "This user may not make tables here, so the next version can't bring the database up to date. Make the user its owner: alter database … owner to …",
      ),
    )
  }
  if (server.connections < CONNECTIONS_OF_A_NODE) {
    findings.push(
      mend(
        `PostgreSQL gives ${server.connections} connections, and one node may open ${CONNECTIONS_OF_A_NODE}: raise max_connections.`,
      ),
    )
  } else {
    findings.push(
      well(
        `Its ${server.connections} connections are enough for ${countOf(Math.floor(server.connections / CONNECTIONS_OF_A_NODE), 'node')}.`,
      ),
    )
  }
  return findings
}

async function lookAtMigrations(client: Client): Promise<Finding[]> {
  const known = listMigrations()
  const newest = known.at(-1)
  const version = await readSchemaVersion(client)
  if (!newest) throw new Error('this program has no migrations')
  if (version === null) {
    return [well('The database is empty: the first start makes its tables.')]
  }
  if (version > newest.at) {
    return [
      mend(
        'The database was brought up to date by a newer Superday than this one. Run that version, or restore the backup of before.',
      ),
    ]
  }
  const { rows } = await client.query<{ at: string }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  )
  const applied = new Set(rows.map(({ at }) => Number(at)))
  const missing = known.filter(({ at }) => at <= version && !applied.has(at))
  if (missing.length > 0) {
    return [
      mend(
        `The database has later migrations, but not ${missing.map(({ name }) => name).join(', ')}. Restore a backup into an empty database: this one was changed by hand.`,
      ),
    ]
  }
  const ahead = known.filter(({ at }) => at > version)
  if (ahead.length > 0) {
    return [
      look(
        `${countOf(ahead.length, 'migration waits', 'migrations wait')} (${ahead.map(({ name }) => name).join(', ')}): the next start runs ${ahead.length === 1 ? 'it' : 'them'}. Make a backup first. ${sayWhoServes(ahead)}`,
      ),
    ]
  }
  return [well(`The tables are up to date (${newest.name}).`)]
}

/** Whether nodes of the version before may serve meanwhile (decision 047). */
function sayWhoServes(ahead: readonly Migration[]): string {
  const unbearable = ahead.find(({ live }) => !live.isLive)
  return unbearable
    ? `Stop every node before: ${unbearable.name} cannot run beside one, because ${unbearable.live.words}.`
    : 'Other nodes may go on serving.'
}

/** Mails that a running node should have handed over. */
async function lookAtMails(client: Client): Promise<Finding[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.mails') is not null as exists",
  )
  if (!found[0]?.exists) return []
  const { rows } = await client.query<{ waiting: string; reason: string | null }>(`
    select count(*) as waiting, max(last_error) as reason from mails
    where closed_at is null and priority = 0 and created_at < clock_timestamp() - interval '10 minutes'`)
  const waiting = Number(rows[0]?.waiting ?? 0)
  if (waiting === 0) return []
  return [
    look(
      `${countOf(waiting, 'mail has', 'mails have')} waited for more than ten minutes${rows[0]?.reason ? ` (${rows[0].reason})` : ': does a node run?'}`,
    ),
  ]
}
