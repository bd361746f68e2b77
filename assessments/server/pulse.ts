import type pg from 'pg'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { startRepeating } from '../../platform/server/repeating.ts'
import { AWAY_GRACE_MS, GRACE_MS } from '../deadline.ts'

type Client = Pick<pg.Pool, 'query'>

/** A longer silence means that the service was down: no node, or no database. */
const SILENCE_MS = 5_000
/** A call may wait this long in a queue, so a heartbeat this far ahead of it doesn't prove wrong clocks. */
const HELD_UP_MS = 60_000
/** How often each node sends a heartbeat and closes expired attempts. */
export const PULSE_MS = 1_000
/** How many events are searched for signs of life: those of a busy minute. */
const SIGNS_LIMIT = 100_000

/**
 * Records that the service is up. If all nodes were silent for 5 s, records an outage, except while stored events prove
 * that the service was up: load can delay heartbeats, and deadlines must not move then.
 *     beats   | | | | |                    | | |
 *     events    |  |  |  |  |
 *     away                     ◀──────────▶
 * A heartbeat from the future means a wrong clock. Its outages are removed, and this moment counts as an outage.
 * @param now read after the connection was obtained, because waiting for one can take long
 */
export async function beat(client: Client, now: Date): Promise<void> {
  await client.query({
    name: 'beat',
    text: `
      with pulse as (
        select last_seen_at, last_seen_at > $3 as is_ahead, last_seen_at < $2 as is_silent
        from service_pulse where id = 1 for update
      ), silence as (
        select coalesce((select last_seen_at from pulse),
          (select received_at from attempt_events order by id desc limit 1)) as since
        where not exists (select from pulse where not is_silent)
      ), signs as (
        select received_at as at from (
          select received_at from attempt_events, silence order by id desc limit ${SIGNS_LIMIT}
        ) latest, silence where received_at > since and received_at < $1
        union all select since from silence where since < $1
        union all select $1 from silence
      ), gaps as (
        select lag(at) over (order by at) as started_at, at as ended_at from signs
      ), undone as (
        delete from service_outages using pulse where is_ahead and ended_at > $3
      ), away as (
        insert into service_outages (started_at, ended_at)
        select started_at, ended_at from gaps where ended_at - started_at > ${SILENCE_MS} * interval '1 ms'
        union all select $1, $1 from pulse where is_ahead
        returning ended_at
      )
      insert into service_pulse (id, up_since, last_seen_at) values (1, $1, $1)
      on conflict (id) do update set
        up_since = coalesce((select max(ended_at) from away), service_pulse.up_since),
        -- Clocks differ a little between nodes, so a slightly older time does not move it back.
        last_seen_at = case when service_pulse.last_seen_at > $3
          then $1 else greatest(service_pulse.last_seen_at, $1) end`,
    values: [now, new Date(now.getTime() - SILENCE_MS), new Date(now.getTime() + SILENCE_MS)],
  })
}

/**
 * SQL for when an attempt with this deadline closes (product 6.7.8, 6.7.12). An outage moves it once:
 *     deadline ──10 s──▶ end                  the service was always up
 *     deadline ─── away ─── up ──60 s──▶ end  it was down at the deadline or within those ten seconds
 */
export const graceEnd = (deadline: string) => `
  greatest(${deadline} + ${GRACE_MS} * interval '1 ms', (
    select max(o.ended_at) + ${AWAY_GRACE_MS} * interval '1 ms' from service_outages o
    where not o.is_standstill
      and o.started_at <= ${deadline} + ${GRACE_MS} * interval '1 ms' and o.ended_at >= ${deadline}))`

/**
 * When an attempt with this deadline closes. After a silence it sends a heartbeat first, so that the outage is
 * recorded. @param client the caller's transaction, so that it needs no second connection
 */
export async function readGraceEnd(client: Client, deadlineAt: Date, now: Date): Promise<Date> {
  const read = async () => {
    const { rows } = await client.query<{ endsAt: Date; lastSeenAt: Date | null }>({
      name: 'grace-end',
      text: `select ${graceEnd('$1::timestamptz')} as "endsAt",
        (select last_seen_at from service_pulse where id = 1) as "lastSeenAt"`,
      values: [deadlineAt],
    })
    return rows[0] as { endsAt: Date; lastSeenAt: Date | null }
  }
  const { endsAt, lastSeenAt } = await read()
  const silentMs = lastSeenAt ? now.getTime() - lastSeenAt.getTime() : Number.POSITIVE_INFINITY
  if (silentMs <= SILENCE_MS && silentMs >= -HELD_UP_MS) return endsAt
  await beat(client, now)
  return (await read()).endsAt
}

/** Runs a task each second until stopped. @param what the task's name for the log */
export function eachSecond(log: AppDependencies['log'], what: string, run: () => Promise<void>) {
  return startRepeating(
    {
      everyMs: PULSE_MS,
      waitsFirst: true,
      onError: (error) => log.warn({ error: String(error) }, `${what} failed`),
    },
    run,
  )
}

/** Sends a heartbeat each second until stopped. Runs in a separate thread (pulse/start-pulse-thread.ts). */
export function startPulse({ db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  return eachSecond(log, 'beat', () => beatNow(db.$client, now))
}

/**
 * Watches for times when this node answered no requests for over 5 s. A member can then count answers that arrived
 * late. Deadlines don't move, because candidates could gain time by keeping a node busy.
 */
export function watchForStandstill({ db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  let lookedAt = performance.now()
  return eachSecond(log, 'recording a stalled node', async () => {
    const stoodMs = performance.now() - lookedAt - PULSE_MS
    const endedAt = now()
    if (stoodMs > SILENCE_MS) {
      log.warn({ stoodMs: Math.round(stoodMs) }, 'this node was stalled')
      await db.$client.query(
        'insert into service_outages (started_at, ended_at, is_standstill) values ($1, $2, true)',
        [new Date(endedAt.getTime() - stoodMs), endedAt],
      )
    }
    lookedAt = performance.now()
  })
}

export async function beatNow(pool: pg.Pool, now: () => Date): Promise<void> {
  const client = await pool.connect()
  try {
    await beat(client, now())
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
