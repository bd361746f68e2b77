import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { describeError, type Logger } from '../server/log.ts'
import { connectToPrimary, StandbyError, wireOf } from './primary.ts'

/** Milliseconds between checks that the connection still leads to the primary. */
const ASK_MS = 500
/** Milliseconds for which a check is trusted. A server that vanishes goes unnoticed for this long. */
const HOLDS_MS = 1_500
/** Milliseconds without traffic after which the connection is cut. */
const SILENT_MS = 5_000
/** Milliseconds before a lost connection is reopened. */
const PAUSE_MS = 500

export interface Line {
  /** Whether the listener has received everything that was committed up to HOLDS_MS ago. */
  isHeard(): boolean
  /** Reopens the connection after a caller found that the server is lost. */
  renew(): void
  stop(): Promise<void>
}

/**
 * Listens for NOTIFY on a connection that never opens a transaction, so it holds no locks.
 *     commit, NOTIFY ──▶ onNotice       a moment later
 *     query ──▶ response                every earlier commit was reported before: isHeard as of the query
 *     connection lost ──▶ onGap         not isHeard until it is reopened; notifications in between are lost
 * @param onNotice gets each notification's text, in commit order
 * @param onGap called when a connection starts or ends, because earlier notifications may be lost
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
  /** an SQL identifier that needs no quotes */
  channel: string
  onNotice: (text: string) => void
  onGap: () => void
  log: Logger
  /** milliseconds without traffic after which the connection is cut */
  silentMs?: number
}): Line {
  const stopping = new AbortController()
  const { signal } = stopping
  let heard: { elapsedMs: number; wallMs: number } | undefined
  let current: pg.Client | undefined

  async function follow(client: pg.Client): Promise<void> {
    client.on('notification', ({ payload }) => onNotice(payload ?? ''))
    const { stream } = wireOf(client)
    stream.setTimeout(silentMs, () => stream.destroy(new Error('the connection is silent')))
    await client.query(`listen ${channel}`)
    // Notifications sent before we connected were lost.
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
      // React immediately instead of at the next check: notifications sent from now on are lost.
      const lost = new Promise<never>((_, reject) => {
        client?.on('error', reject)
        client?.on('end', () => reject(new Error('the connection has ended')))
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
      // Both clocks are needed: one stops while the machine sleeps, and the other may jump.
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
