import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { StandbyError } from '../../platform/database/primary.ts'
import { buildServer } from '../../tools/build-server.mjs'
import type { Count } from '../faults/full-length/ledger.ts'
import { makeSecretKey, type Node, Stage, until } from '../faults/full-length/stage.ts'
import { Cluster } from './cluster.ts'
import type { ClusterOptions } from './configuration.ts'
import { cutOff, describeNoCut, heal } from './network.ts'
import { describeMissing } from './packages.ts'
import { longestSilence, Watch } from './watch.ts'

/* The primary of a cluster dies, changes, hangs or is cut off while 300 candidates take an assessment. Two nodes
   must continue with its successor, without a restart. docs/faults.md has the results, docs/operations.md the
   configuration. */

const CANDIDATES = 300
const STUDENTS = 20
/** Milliseconds between a person's saves. Real questions take longer, so this crowd stands for a larger one. */
const THINK_MS = 2_000
/** Milliseconds before the fault, so that all candidates are active. */
const WARM_MS = 20_000
const DELIVERY_LIMIT_MS = 90_000
const NODE_PORTS = [4340, 4341]

const missing = describeMissing(['patroni', 'etcd', 'haproxy', 'setpriv'])
const noCut = describeNoCut()
if (missing) process.stdout.write(`cluster: ${missing}\n`)
if (noCut) process.stdout.write(`cluster: a network that is cut: ${noCut}\n`)

const table: string[][] = [
  ['fault', 'acknowledged', 'lost', 'double'].concat([
    'database away, s',
    'no save acknowledged, s',
    'longest call, s',
    'clients saw',
  ]),
]
beforeAll(async () => {
  if (!missing) await buildServer()
})
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

/** Plays one fault under the crowd, and counts after all candidates have submitted. */
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
    stage.ledger.slowestMs.clear()
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
    // If a server lost what it acknowledged, refusals are expected.
    if (options.isSynchronous ?? true) {
      expect(ledger.unexpected, 'refusals that no fault excuses').toEqual([])
    }
    for (const node of nodes) {
      expect(node.process.exitCode, 'a node lives on').toBeNull()
      expect(node.output()).not.toContain('unexpected error')
    }
    const isBeating = async () => {
      const { rows } = await db.$client.query('select last_seen_at from service_pulse')
      return Date.now() - rows[0].last_seen_at.getTime() < 3_000
    }
    await until(isBeating, 10_000)
    // Ended sessions are announced by the current primary, so every node must listen there.
    const areListening = async () => {
      const { rowCount } = await db.$client.query(
        `select from pg_stat_activity where application_name = 'superday announcements'`,
      )
      return rowCount === nodes.length
    }
    await until(areListening, 10_000)
    return count
  } finally {
    await stage.close()
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const NOTHING_LOST = { lost: 0, double: 0, wrongTallies: 0 }

describe.skipIf(missing)('a cluster of three whose commits wait for a second member', () => {
  it('loses nothing when the PostgreSQL of the primary is killed', async () => {
    const count = await play('PostgreSQL of the primary, kill -9', {}, async (played) => {
      await played.cluster.killPostgres(played.primary)
      await untilAnother(played)
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it('loses nothing when the machine of the primary dies, and takes it back', async () => {
    const count = await play('machine of the primary, all kill -9', {}, async (played) => {
      const { cluster, primary } = played
      await cluster.killMember(primary)
      await untilAnother(played)
      cluster.startMember(primary)
      await cluster.untilWhole()
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it('loses nothing in a planned change of the primary, and refuses the old one', async () => {
    const count = await play('planned change', {}, async (played) => {
      const { cluster, primary } = played
      await cluster.switchOver(primary)
      await untilAnother(played)
      await cluster.untilWhole()
      const demoted = openDatabase(cluster.addressOf(primary), { max: 1 })
      await expect(demoted.$client.query('select 1')).rejects.toBeInstanceOf(StandbyError)
      await demoted.$client.end()
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it('loses nothing when the primary hangs, and wakes up after another has taken over', async () => {
    const count = await play('primary hangs (SIGSTOP), wakes later', {}, async (played) => {
      const { cluster, primary } = played
      await cluster.stopMember(primary)
      await untilAnother(played)
      await sleep(5_000)
      await cluster.continueMember(primary)
      await cluster.untilWhole()
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it('loses nothing when the proxy keeps connections to a hanging primary', async () => {
    const fault = 'the same, HAProxy without `shutdown-sessions`'
    const count = await play(fault, { isCutting: false }, async (played) => {
      const { cluster, primary } = played
      await cluster.stopMember(primary)
      await untilAnother(played)
      await sleep(25_000)
      await cluster.continueMember(primary)
      await cluster.untilWhole()
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it('loses nothing without a proxy, with the members named in DATABASE_URL', async () => {
    const fault = 'machine dies, no proxy: three addresses in `DATABASE_URL`'
    const count = await play(fault, { isWithoutProxy: true }, async (played) => {
      await played.cluster.killMember(played.primary)
      await untilAnother(played)
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })

  it.skipIf(noCut)('loses nothing when only its clients reach the primary', async () => {
    const fault = 'primary cut off from all but HAProxy, healed later'
    const count = await play(fault, {}, async (played) => {
      const { stage, cluster, primary } = played
      stage.atEnd(heal)
      cutOff(primary)
      await untilAnother(played)
      await sleep(5_000)
      heal()
      await cluster.untilWhole()
    })
    expect(count).toMatchObject(NOTHING_LOST)
  })
})

describe.skipIf(missing || noCut)('a cluster whose commits wait for no second member', () => {
  // The ledger is useful only if it detects losses.
  it('loses writes with its primary, and the ledger detects it', async () => {
    const fault = 'asynchronous: primary cut off for 3 s, then its machine killed'
    const count = await play(fault, { isSynchronous: false }, async (played) => {
      const { stage, cluster, primary } = played
      stage.atEnd(heal)
      cutOff(primary)
      await sleep(3_000)
      await cluster.killMember(primary)
      heal()
      await untilAnother(played)
    })
    expect(count.lost).toBeGreaterThan(0)
    expect(count.double).toBe(0)
  })
})

/** Waits until another member is the primary. */
async function untilAnother({ cluster, primary }: Played): Promise<void> {
  await until(async () => {
    const found = await cluster.findPrimary()
    return found !== null && found !== primary
  }, 60_000)
}
