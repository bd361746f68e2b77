import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { until } from '../faults/full-length/stage.ts'
import { HAPROXY_PORT } from './configuration.ts'

const EVERY_MS = 100
/** Milliseconds: longer than a commit on a busy machine. A hanging server counts as away. */
const PATIENCE_MS = 1_000

/**
 * Writes a row every tenth of a second, each over a new connection. This shows when the database accepted writes,
 * independent of the product.
 */
export class Watch {
  /** times of committed writes, by performance.now() */
  readonly writtenAt: number[] = []
  #isOver = false
  #rounds: Promise<void> | undefined

  async begin(): Promise<void> {
    await until(() => write('create table if not exists watched (at timestamptz)'), 20_000)
    this.#rounds = this.#watch()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#rounds
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      if (await write('insert into watched values (clock_timestamp())')) {
        this.writtenAt.push(performance.now())
      }
      await sleep(EVERY_MS)
    }
  }
}

async function write(text: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: `postgres://postgres@127.0.0.1:${HAPROXY_PORT}/postgres`,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
    return true
  } catch {
    return false
  } finally {
    // A hanging server doesn't respond to a disconnect either.
    await Promise.race([client.end().catch(() => {}), sleep(EVERY_MS)])
  }
}

/**
 * The longest pause between two times, in milliseconds, and when it ended.
 * @param moments in order, by the same clock as sinceAt
 * @param sinceAt ignores pauses that ended earlier
 */
export function longestSilence(moments: readonly number[], sinceAt: number) {
  let longest = { ms: 0, endedAt: sinceAt }
  for (const [index, at] of moments.entries()) {
    if (at < sinceAt) continue
    const ms = at - (moments[index - 1] ?? sinceAt)
    if (ms > longest.ms) longest = { ms, endedAt: at }
  }
  return longest
}
