import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '../../tools/build-server.mjs'
import type { Count } from '../faults/full-length/ledger.ts'
import { makeSecretKey, type Node, Stage, until } from '../faults/full-length/stage.ts'
import { Cluster } from './cluster.ts'
import type { ClusterOptions } from './configuration.ts'
import { describeMissing } from './packages.ts'
import { longestSilence, Watch } from './watch.ts'

/*
 * The primary of a cluster dies, changes, hangs or is cut off while 300 candidates sit an assessment. Two
 * nodes of the product have to go on with its successor, without a restart. docs/faults.md has the last
 * table, docs/operations.md the configuration.
 */

const CANDIDATES = 300
const STUDENTS = 20
/** Of a person, between two saves: an assessment's questions take longer, the crowd stands for more. */
const THINK_MS = 2_000
/** Before the fault, so that all are in the middle of it. */
const WARM_MS = 20_000
const DELIVERY_LIMIT_MS = 90_000
const NODE_PORTS = [4340, 4341]

const missing = describeMissing(['patroni', 'etcd', 'haproxy', 'setpriv'])
if (missing) process.stdout.write(`cluster: ${missing}\n`)

const table: string[][] = [
  ['fault', 'acknowledged', 'lost', 'double'].concat([
    'database away, s',
    'no save acknowledged, s',
    'longest call, s',
    'clients saw',
  ]),
]
afterAll(() => {
  const lines = table.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${'---|'.repeat(table[0]?.length ?? 0)}`)
  if (table.length > 1) process.stdout.write(`\n${lines.join('\n')}\n`)
})

interface Played {
  stage: Stage
  cluster: Cluster
  /** the number of the member that was the primary */
  primary: number
}

/** Plays one fault under the crowd, and counts when all of them have handed in. */
async function play(
  fault: string,
  options: ClusterOptions,
  act: (played: Played) => Promise<void>,
): Promise<Count> {
  const stage = await Stage.open()
  try {
    const cluster = await Cluster.start(stage, options)
    const secretKey = makeSecretKey()
    const nodes: Node[] = []
    for (const port of NODE_PORTS) {
      nodes.push(await stage.startNode(cluster.url, secretKey, { port }))
    }
    const db = stage.connect(cluster.url)
    const { crowd, code } = await stage.gather(
      db,
      secretKey,
      nodes.map(({ url }) => url),
      {
        candidates: CANDIDATES,
        seats: CANDIDATES,
        students: STUDENTS,
        thinkMs: THINK_MS,
        itemCount: 30,
      },
    )
    const watch = new Watch()
    await watch.begin()
    stage.atEnd(() => watch.end())
    await crowd.begin()
    await sleep(WARM_MS)
    const primary = (await cluster.findPrimary()) as number
    const faultAt = performance.now()
    await act({ stage, cluster, primary })
    await crowd.finishSeats()
    await crowd.end(DELIVERY_LIMIT_MS)
    const { ledger } = stage
    const count = await ledger.count(db.$client, code)
    const away = longestSilence(watch.writtenAt, faultAt)
    const silence = longestSilence(ledger.acknowledgedAt, faultAt)
    table.push([
      fault,
      ...[count.acknowledged, count.lost, count.double].map(String),
      ...[away.ms, silence.ms, Math.max(...ledger.slowestMs.values())].map(seconds),
      [...ledger.seen].map(([what, times]) => `${what}: ${times}`).join(', '),
    ])
    expect(ledger.unexpected, 'refusals that no fault excuses').toEqual([])
    for (const node of nodes) {
      expect(node.process.exitCode, 'a node lives on').toBeNull()
      expect(node.output()).not.toContain('unexpected error')
    }
    const isBeating = async () => {
      const { rows } = await db.$client.query('select last_seen_at from service_pulse')
      return Date.now() - rows[0].last_seen_at.getTime() < 3_000
    }
    await until(isBeating, 10_000)
    return count
  } finally {
    await stage.close()
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const NOTHING_LOST = { lost: 0, double: 0, wrongTallies: 0 }

describe.skipIf(missing)('a cluster of three whose commits wait for a second member', () => {
  beforeAll(buildServer)

  it('loses nothing when the PostgreSQL of the primary is killed', async () => {
    const count = await play('PostgreSQL of the primary, kill -9', {}, async (played) => {
      await played.cluster.killPostgres(played.primary)
      await untilAnother(played)
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })
})

/** Until another member is the primary. */
async function untilAnother({ cluster, primary }: Played): Promise<void> {
  await until(async () => {
    const found = await cluster.findPrimary()
    return found !== null && found !== primary
  }, 60_000)
}
