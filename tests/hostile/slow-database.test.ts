import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/free-port.mjs'
import { type Product, readSecretKey, startProduct, tell } from './product.ts'
import { makeAssessment, makeCandidates, watchPulse } from './rig.ts'

const ATTEMPTS = 10_000
/** Delay to the database, and the same on the way back. */
const DELAY_MS = 10
/** The grace of product 6.7.8. */
const GRACE_MS = 10_000
/** Milliseconds after their grace by which all attempts should be closed. */
const CLOSE_LIMIT_MS = 60_000

let owner: Product
let product: Product
let proxy: Server
beforeAll(async () => {
  // This server creates the database and is then frozen: its PostgreSQL continues, its expiry job doesn't.
  owner = await startProduct()
  const { port: databasePort } = new URL(owner.databaseUrl)
  proxy = slowProxy(Number(databasePort))
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
  const url = new URL(owner.databaseUrl)
  url.port = String(port)
  product = await startProduct({
    environment: { DATABASE_URL: url.href, SECRET_KEY: readSecretKey(owner.dataDir) },
  })
  owner.process.kill('SIGSTOP')
})
afterAll(async () => {
  await product?.stop()
  owner?.process.kill('SIGCONT')
  await owner?.stop()
  proxy?.close()
})

/** Forwards data in both directions, DELAY_MS later. */
function slowProxy(target: number): Server {
  return createServer((client) => {
    const server = connect(target, '127.0.0.1')
    const pass = (from: Socket, to: Socket) => {
      from.setNoDelay(true)
      from.on('data', (bytes) => {
        setTimeout(() => {
          if (!to.destroyed) to.write(bytes)
        }, DELAY_MS)
      })
      from.on('close', () => setTimeout(() => to.destroy(), DELAY_MS))
      from.on('error', () => {})
    }
    pass(client, server)
    pass(server, client)
  })
}

describe('ten thousand attempts with one deadline over a database with ten milliseconds of latency', () => {
  it('are all closed within a minute after their grace, and the service records no outage', async () => {
    const { code, items } = await makeAssessment(owner, { itemCount: 5 })
    await makeCandidates(owner, code, ATTEMPTS)
    const deadline = Date.now() + 5_000
    await owner.db.query(
      `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id, is_demo)
       select gen_random_uuid(), assessment, id, $2, now() - interval '1 minute', $3, 'window', false
       from candidates where assessment = $1`,
      [code, items, new Date(deadline)],
    )
    const pulse = watchPulse(owner)
    const countClosed = async () => {
      const { rows } = await owner.db.query(
        'select count(*)::int as closed from attempts where assessment = $1 and submitted_at is not null',
        [code],
      )
      return rows[0].closed as number
    }
    const limit = deadline + GRACE_MS + CLOSE_LIMIT_MS
    let closed = 0
    while (closed < ATTEMPTS && Date.now() < limit) {
      await sleep(500)
      closed = await countClosed()
    }
    const seconds = (Date.now() - deadline - GRACE_MS) / 1000
    const { moves, longestSilenceMs } = await pulse.stop()
    tell(
      'slow-database-closed',
      `${closed} of ${ATTEMPTS} in ${seconds.toFixed(1)} s after the grace`,
    )
    tell('slow-database-up-since-moves', moves)
    tell('slow-database-longest-silence-ms', longestSilenceMs)
    expect(closed).toBe(ATTEMPTS)
    expect(moves).toBe(0)
    const { rows } = await owner.db.query(
      `select count(*)::int as wrong from attempts
       where assessment = $1 and (submitted_at <> deadline_at or submit_reason <> 'deadline')`,
      [code],
    )
    expect(rows[0].wrong).toBe(0)
  })
})
