import type pg from 'pg'
import {
  listMigrations,
  type Migration,
  readSchemaVersion,
} from '../../../platform/database/migrate.ts'
import { countOf } from '../../../platform/words.ts'
import { type Finding, fix, fixIf, look, well } from './finding.ts'

/** The oldest PostgreSQL that supports all our statements. */
const OLDEST_MAJOR = 15
/** Connections of one node: its pool, its heartbeat, and one for a command. */
const CONNECTIONS_OF_A_NODE = 22

type Client = Pick<pg.Pool, 'query'>

/** Checks version, durability, rights, free connections and migrations. */
export async function lookAtDatabase(client: Client): Promise<Finding[]> {
  return [
    ...(await lookAtServer(client)),
    await lookAtMigrations(client),
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
  if (!server) throw new Error('the server reported nothing about itself')
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => server[name] === 'off',
  )
  const { version, connections } = server
  return [
    server.major < OLDEST_MAJOR
      ? fix(`PostgreSQL ${version} is too old. Superday needs ${OLDEST_MAJOR} or later.`)
      : well(
          `PostgreSQL ${version} responds; the database ${server.name} uses ${Math.ceil(Number(server.bytes) / 1e6)} MB.`,
        ),
    ...fixIf(
      server.encoding !== 'UTF8',
      `The database stores text as ${server.encoding}, which can't store all names. Create a new one with encoding UTF8 and restore a backup into it.`,
    ),
    ...fixIf(
      off.length > 0,
      `PostgreSQL runs with ${off.join(' and ')} off: a power cut may lose acknowledged answers, or the database. Set it to on.`,
    ),
    ...fixIf(
      !server.may_create,
      "This user isn't allowed to create tables here, so the next version can't migrate the database. Make the user its owner: alter database … owner to …",
    ),
    connections < CONNECTIONS_OF_A_NODE
      ? fix(
          `PostgreSQL allows ${connections} connections, but one node may open ${CONNECTIONS_OF_A_NODE}. Raise max_connections.`,
        )
      : well(
          `Its ${connections} connections are enough for ${countOf(Math.floor(connections / CONNECTIONS_OF_A_NODE), 'node')}.`,
        ),
  ]
}

async function lookAtMigrations(client: Client): Promise<Finding> {
  const known = listMigrations()
  const newest = known.at(-1)
  const version = await readSchemaVersion(client)
  if (!newest) throw new Error('this program has no migrations')
  if (version === null) {
    return well('The database is empty. The first start creates its tables.')
  }
  if (version > newest.at) {
    return fix(
      'A newer Superday has migrated the database. Run that version, or restore the previous backup.',
    )
  }
  const { rows } = await client.query<{ at: string }>(
    'select created_at as at from drizzle.__drizzle_migrations',
  )
  const applied = new Set(rows.map(({ at }) => Number(at)))
  const missing = known.filter(({ at }) => at <= version && !applied.has(at))
  if (missing.length > 0) {
    return fix(
      `The database has later migrations, but not ${missing.map(({ name }) => name).join(', ')}. It was changed by hand. Restore a backup into an empty database.`,
    )
  }
  const ahead = known.filter(({ at }) => at > version)
  if (ahead.length > 0) {
    return look(
      `${countOf(ahead.length, 'migration waits', 'migrations wait')} (${ahead.map(({ name }) => name).join(', ')}): the next start runs ${ahead.length === 1 ? 'it' : 'them'}. Make a backup first. ${sayWhoServes(ahead)}`,
    )
  }
  return well(`The tables are up to date (${newest.name}).`)
}

/** Whether nodes of the previous version may serve during the migration (decision 047). */
function sayWhoServes(ahead: readonly Migration[]): string {
  const unbearable = ahead.find(({ live }) => !live.isLive)
  return unbearable
    ? `Stop every node first: ${unbearable.name} can't run next to one, because ${unbearable.live.words}.`
    : 'Other nodes can keep serving.'
}

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
      `${countOf(waiting, 'mail has', 'mails have')} waited for more than ten minutes${rows[0]?.reason ? ` (${rows[0].reason})` : '. Is a node running?'}`,
    ),
  ]
}

/** Bytes of WAL. A standby this far behind isn't just a moment late. */
const LATE_BYTES = 64 * 1024 * 1024

/** The finding for a server that only follows another. We never connect to it. */
export const onStandby = (): Finding =>
  fix(
    'This PostgreSQL is a read-only standby. Point DATABASE_URL at the primary, or promote this one.',
  )

/** Whether as many standbys confirm each commit as the primary's settings require. */
export async function lookAtReplication(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ names: string; commit: string }>(`
    select current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as commit`)
  const [server] = rows
  if (!server) throw new Error('the server reported nothing about itself')
  const { rows: standbys } = await client.query<Standby>(`
    select application_name as name, state, sync_state as sync,
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as late
    from pg_stat_replication order by 1`)
  if (standbys.some(({ state }) => state === null)) {
    return [
      look(
        "There are standbys that this user isn't allowed to see. Grant pg_read_all_stats to the database's user.",
      ),
    ]
  }
  const late = standbys
    .filter(({ late }) => late !== null && late > LATE_BYTES)
    .map(({ name, late }) =>
      look(
        `The standby ${name} is ${Math.round((late ?? 0) / 1e6)} MB behind. Is its network or disk too slow?`,
      ),
    )
  return [judge(server, standbys), ...late]
}

interface Standby {
  name: string
  state: string | null
  sync: string | null
  late: number | null
}

function judge({ names, commit }: { names: string; commit: string }, standbys: Standby[]): Finding {
  const streaming = standbys.filter(({ state }) => state === 'streaming')
  if (names === '') {
    return streaming.length > 0
      ? well(
          `${countOf(streaming.length, 'standby follows', 'standbys follow')} (${nameAll(streaming)}), but no commit waits for ${streaming.length === 1 ? 'it' : 'them'}.`,
        )
      : well('No standby is set up. If the disk is lost, only the last backup remains.')
  }
  const wanted = standbysWanted(names)
  const confirming = streaming.filter(({ sync }) => sync === 'sync' || sync === 'quorum')
  if (confirming.length < wanted) {
    return fix(
      `Each commit waits for ${countOf(wanted, 'standby', 'standbys')} of synchronous_standby_names (${names}), but ${confirming.length} of them ${confirming.length === 1 ? 'is' : 'are'} connected: nothing can be saved. Reconnect the standby, or remove its name and reload PostgreSQL.`,
    )
  }
  if (commit === 'off' || commit === 'local') {
    return fix(
      `Standby names are set, but synchronous_commit is ${commit}, so no commit waits for them. Set it to on.`,
    )
  }
  return well(`Each commit is confirmed by ${nameAll(confirming)}.`)
}

const nameAll = (standbys: Standby[]) => standbys.map(({ name }) => name).join(', ')

/** The number in `2 (a, b)`, `FIRST 2 (a, b)` and `ANY 2 (a, b)`; 1 for a bare list. */
function standbysWanted(names: string): number {
  return Number(/^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1)
}
