import type pg from 'pg'
import type { AppDependencies } from '../../platform/server/dependencies.ts'

/** A silence longer than this means that the service was away: no node, or no database. */
const SILENCE_MS = 5_000

/**
 * Notes that the service is up. A pulse from the future means that clocks are or were wrong: it counts as
 * away, because a deadline may have been missed on either side.
 * @returns since when it has been up without a break
 */
export async function beat({ db, now }: Pick<AppDependencies, 'db' | 'now'>): Promise<Date> {
  const at = now()
  const { rows } = await db.$client.query<{ upSince: Date }>({
    name: 'beat',
    text: `
      insert into service_pulse (id, up_since, last_seen_at) values (1, $1, $1)
      on conflict (id) do update set
        up_since = case when service_pulse.last_seen_at between $2 and $3
          then service_pulse.up_since else $1 end,
        -- Nodes' clocks differ a little: not back for that.
        last_seen_at = case when service_pulse.last_seen_at > $3
          then $1 else greatest(service_pulse.last_seen_at, $1) end
      returning up_since as "upSince"`,
    values: [at, new Date(at.getTime() - SILENCE_MS), new Date(at.getTime() + SILENCE_MS)],
  })
  return rows[0]?.upSince ?? at
}

/**
 * Since when the service has been up, as the last beat of any node tells; now before the first.
 * @param client of the transaction that asks, if there is one: a second connection, while it holds one,
 *   would wait for others who do the same
 */
export async function readUpSince(client: Pick<pg.Pool, 'query'>, now: Date): Promise<Date> {
  const { rows } = await client.query<{ upSince: Date; lastSeenAt: Date }>({
    name: 'read-pulse',
    text: 'select up_since as "upSince", last_seen_at as "lastSeenAt" from service_pulse where id = 1',
  })
  const [pulse] = rows
  // A pulse that is stale or from the future: this call came before the first beat after an outage, or
  // after a clock was set. It counts as away.
  if (!pulse || Math.abs(pulse.lastSeenAt.getTime() - now.getTime()) > SILENCE_MS) return now
  return pulse.upSince
}
