import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { describeError, type Logger } from '../server/log.ts'
import { connectToPrimary, StandbyError, wireOf } from './primary.ts'

/** How often the line is asked whether it still leads to the primary, milliseconds. */
const ASK_MS = 500
/** How long an answer holds, milliseconds: a server that vanished announces nothing for so long. */
const HOLDS_MS = 1_500
/** A line on which nothing has moved for so long is cut, milliseconds. */
const SILENT_MS = 5_000
/** Pause before a lost connection is reopened, milliseconds. */
const PAUSE_MS = 500

export interface Line {
  /** whether all that was committed until HOLDS_MS ago at most has been told */
  isHeard(): boolean
  /** reopens the connection, because a caller has found that the server is lost */
  renew(): void
  stop(): Promise<void>
}

/**
 * Hears what transactions announce by NOTIFY, on a connection that is never in a transaction: it holds up no locks.
 *     commit, announced ──▶ told        a moment later
 *     asked ──▶ answered                all that was committed before was told before: heard from 'asked' on
 *     line lost ──▶ told nothing        not heard until it is reopened; what was announced meanwhile is lost
 * @param onNotice told each announcement's text, in the order of the commits
 * @param onGap told when a line begins or ends: what was announced before may never have been told
 */
export function startListening({
  url,
  channel,
  onNotice,
  onGap,
  log,
  silentMs = SILENT_MS,
}: {
  url: string
  /** a plain name */
  channel: string
  onNotice: (text: string) => void
  onGap: () => void
  log: Logger
  /** how long nothing may move on the line before it is cut */
  silentMs?: number
}): Line {
  const stopping = new AbortController()
  const { signal } = stopping
  let heard: { elapsedMs: number; wallMs: number } | undefined
  let current: pg.Client | undefined

  async function follow(client: pg.Client): Promise<void> {
    client.on('notification', ({ payload }) => onNotice(payload ?? ''))
    const { stream } = wireOf(client)
    stream.setTimeout(silentMs, () => stream.destroy(new Error('the line is silent')))
    await client.query(`listen ${channel}`)
    // What was read before the line was there may have ended unheard.
    onGap()
    while (!signal.aborted) {
      const asked = { elapsedMs: performance.now(), wallMs: Date.now() }
      const { rows } = await client.query<{ isStandby: boolean }>(
        'select pg_is_in_recovery() as "isStandby"',
      )
      if (rows[0]?.isStandby) throw new StandbyError()
      heard = asked
      await wait(ASK_MS, undefined, { signal, ref: false })
    }
  }

  async function holdLine(): Promise<void> {
    let client: pg.Client | undefined
    try {
      client = await connectToPrimary(url, {
        application_name: 'superday announcements',
        connectionTimeoutMillis: SILENT_MS,
        keepAlive: true,
      })
      current = client
      // At once, not at the next question: what is announced from now on is told to nobody.
      const lost = new Promise<never>((_, reject) => {
        client?.on('error', reject)
        client?.on('end', () => reject(new Error('the line has ended')))
      })
      lost.catch(endOfHearing)
      await Promise.race([follow(client), lost])
    } finally {
      endOfHearing()
      current = undefined
      if (client) wireOf(client).stream.destroy()
    }
  }

  function endOfHearing(): void {
    heard = undefined
    onGap()
  }

  const holding = (async () => {
    while (!signal.aborted) {
      await holdLine().catch((error) => {
        if (!signal.aborted) log.warn({ error: describeError(error) }, 'announcements lost')
      })
      await wait(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  })()

  return {
    isHeard() {
      // By both clocks: one stands still while the machine sleeps, the other may jump.
      return (
        heard !== undefined &&
        performance.now() - heard.elapsedMs < HOLDS_MS &&
        Math.abs(Date.now() - heard.wallMs) < HOLDS_MS
      )
    },
    renew() {
      endOfHearing()
      if (current) wireOf(current).stream.destroy(new Error('the database server is lost'))
    },
    async stop() {
      stopping.abort()
      if (current) wireOf(current).stream.destroy()
      await holding
    },
  }
}
