import pg from 'pg'
import { expect } from 'vitest'
import type { CrowdPlan, CrowdReport } from '../../bench/crowd.ts'
import { playScript } from '../../bench/product.ts'
import { type ProxyLog, startHaproxy, startNginx } from '../../bench/proxies/proxy.ts'
import {
  CODE,
  compareRoom,
  ITEMS,
  PASSWORD,
  prepareRoom,
  signUpAll,
  untilAllClosed,
} from '../../bench/room.ts'
import { makeSecretKey, type Node, Stage } from '../faults/full-length/stage.ts'
import { Latecomers } from './latecomers.ts'

const PROXY_PORT = 4400
const NODE_PORTS = [4401, 4402]
/** Milliseconds left when the last one submits. Candidates who left are closed after that. */
const REST_MS = 20_000

export interface Plan {
  proxy: 'nginx' | 'haproxy'
  candidates: number
  verifyMs: number
  startMs: number
  /** average pause between a candidate's answers */
  thinkMs: number
  submitMs: number
  /** how many sign up meanwhile, each about eight times a second */
  latecomers?: number
  /** a module with a defect that is loaded before each node */
  preload?: string
  /** what happens to the nodes meanwhile */
  act?: (played: Played) => Promise<void>
}

interface Played {
  nodes: Node[]
  /** Stops and restarts a node like a deploy. @returns milliseconds of the stop and the start */
  deploy(index: number): Promise<{ stopMs: number; startMs: number }>
}

export interface Outcome {
  report: CrowdReport
  latecomers: Latecomers
  log: ProxyLog
  lost: number
  double: number
  wrong: number
  /** calls that candidates must never see: without a response, or with status 500 and above */
  failed: number
}

/** Two nodes behind a proxy, and a crowd that verifies, starts, answers and submits. */
export async function play(plan: Plan): Promise<Outcome> {
  const { candidates, verifyMs, startMs, thinkMs, submitMs } = plan
  const stage = await Stage.open()
  try {
    const { url: databaseUrl } = await stage.startPostgres()
    const secretKey = makeSecretKey()
    const startNode = (index: number) =>
      stage.startNode(databaseUrl, secretKey, {
        port: NODE_PORTS[index],
        environment: { TRUST_PROXY: 'on' },
        ...(plan.preload ? { preload: plan.preload } : {}),
      })
    const nodes = [await startNode(0), await startNode(1)]
    const startProxy = plan.proxy === 'nginx' ? startNginx : startHaproxy
    const proxy = await startProxy(
      nodes.map(({ url }) => url),
      PROXY_PORT,
    )
    let isOver = false
    stage.atEnd(() => (isOver ? null : proxy.stop()))
    const db = new pg.Client({ connectionString: databaseUrl })
    await db.connect()
    stage.atEnd(() => db.end())
    const durationMs = startMs + thinkMs * ITEMS + submitMs + REST_MS
    const keys = await prepareRoom(db, secretKey, candidates, durationMs)
    const people = await signUpAll(nodes[0]?.url ?? '', candidates)
    const { rows } = await db.query('select count(*)::int as users from users')
    const latecomers = new Latecomers()
    const crowd = playScript<CrowdReport>('crowd.ts', {
      urls: [proxy.url],
      code: CODE,
      password: PASSWORD,
      people,
      verifyMs,
      startMs,
      thinkMs,
      submitMs,
      ownConnections: true,
    } satisfies CrowdPlan)
    const deploy = async (index: number) => {
      const begunAt = performance.now()
      await nodes[index]?.end('SIGTERM')
      const stoppedAt = performance.now()
      nodes[index] = await startNode(index)
      return { stopMs: stoppedAt - begunAt, startMs: performance.now() - stoppedAt }
    }
    latecomers.begin(proxy.url, plan.latecomers ?? 0)
    const [report] = await Promise.all([crowd, plan.act?.({ nodes, deploy })])
    await latecomers.end()
    await untilAllClosed(db, durationMs)
    await proxy.stop()
    isOver = true
    const log = await proxy.readLog()
    const { lost, double, wrong, first } = await compareRoom(db, report, keys)
    const guests = await latecomers.compare(db, rows[0].users)
    for (const line of [...report.errors, ...first].slice(0, 10)) process.stdout.write(`${line}\n`)
    for (const node of nodes) expect(node.output()).not.toContain('unexpected error')
    return {
      ...{ report, latecomers, log, wrong },
      lost: lost + guests.lost,
      double: double + guests.double,
      failed: countFailed(report.calls) + countFailed(latecomers.calls),
    }
  } finally {
    await stage.close()
  }
}

function countFailed(calls: Record<string, number>): number {
  return Object.entries(calls)
    .filter(([outcome]) => outcome !== 'cut on purpose' && !(Number(outcome) < 500))
    .reduce((sum, [, times]) => sum + times, 0)
}
