import type pg from 'pg'
import { countOf } from '../../../platform/words.ts'
import { type Finding, look, mend, well } from './finding.ts'

/** A standby this far behind, in bytes of WAL, is more than a moment late. */
const LATE_BYTES = 64 * 1024 * 1024

type Client = Pick<pg.Pool, 'query'>

/** What a server is told of that only follows another one: no connection of ours to it comes about. */
export const onStandby = (): Finding =>
  mend(
    'This PostgreSQL is a standby, which takes no writes: point DATABASE_URL at the primary, or promote this one.',
  )

/** Whether as many standbys confirm each commit as the primary's settings say. */
export async function lookAtReplication(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ names: string; commit: string }>(`
    select current_setting('synchronous_standby_names') as names,
      current_setting('synchronous_commit') as commit`)
  const [server] = rows
  if (!server) throw new Error('the server said nothing of itself')
  const { rows: standbys } = await client.query<Standby>(`
    select application_name as name, state, sync_state as sync,
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as late
    from pg_stat_replication order by 1`)
  if (standbys.some(({ state }) => state === null)) {
    return [
      look(
        "There are standbys, which this user may not look at: grant pg_read_all_stats to the database's user.",
      ),
    ]
  }
  const late = standbys
    .filter(({ late }) => late !== null && late > LATE_BYTES)
    .map(({ name, late }) =>
      look(
        `The standby ${name} is ${Math.round((late ?? 0) / 1e6)} MB behind: is its network or disk too slow?`,
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
          `${countOf(streaming.length, 'standby follows', 'standbys follow')} (${nameAll(streaming)}), and no commit waits for ${streaming.length === 1 ? 'it' : 'them'}.`,
        )
      : well('No standby is set up: what a lost disk leaves is the last backup.')
  }
  const wanted = standbysWanted(names)
  const confirming = streaming.filter(({ sync }) => sync === 'sync' || sync === 'quorum')
  if (confirming.length < wanted) {
    return mend(
      `Each commit waits for ${countOf(wanted, 'standby', 'standbys')} of synchronous_standby_names (${names}), and ${confirming.length} of them ${confirming.length === 1 ? 'is' : 'are'} connected: nothing can be saved. Bring the standby back, or take its name out and reload PostgreSQL.`,
    )
  }
  if (commit === 'off' || commit === 'local') {
    return mend(
      `Standby names are set, but synchronous_commit is ${commit}, so no commit waits for them. Set it to on.`,
    )
  }
  return well(`Each commit is confirmed by ${nameAll(confirming)}.`)
}

const nameAll = (standbys: Standby[]) => standbys.map(({ name }) => name).join(', ')

/** The number in `2 (a, b)`, `FIRST 2 (a, b)` and `ANY 2 (a, b)`; of a bare list, one. */
function standbysWanted(names: string): number {
  return Number(/^\s*(?:(?:first|any)\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1)
}
