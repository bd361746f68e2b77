import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AWAY_GRACE_MS, GRACE_MS } from '../../../assessments/deadline.ts'
import { buildServer } from '../../../tools/build-server.mjs'
import { freePort } from '../../../tools/free-port.mjs'
import { fillDisk } from './disk.ts'
import type { Count } from './ledger.ts'
import {
  makeSecretKey,
  type Node,
  readEmbedded,
  readServerPid,
  Stage,
  signalServer,
  until,
} from './stage.ts'

/* Each fault at full length, against real server processes and a durable PostgreSQL, under the load of simulated
   students and candidates. docs/faults.md says what users see, with the latest table. */

/** Milliseconds in which pending calls must be delivered after the fault. */
const DELIVERY_LIMIT_MS = 60_000
const rows: string[][] = [['fault', 'acknowledged', 'stored', 'lost', 'double', 'clients saw']]

beforeAll(buildServer)
afterAll(() => {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${'---|'.repeat(6)}`)
  process.stdout.write(`\n${lines.join('\n')}\n`)
})

/** Plays one fault on a new stage, counts, and writes the table's row. */
function play(
  fault: string,
  act: (stage: Stage, skip: (why: string) => void) => Promise<{ count: Count; more?: string }>,
) {
  it(fault, async (context) => {
    const stage = await Stage.open()
    try {
      const { count, more } = await act(stage, (why) => context.skip(why))
      const saw = [...stage.ledger.seen]
        .map(([what, times]) => `${what}: ${times}`)
        .concat(more ?? [])
        .join(', ')
      rows.push([
        fault,
        ...[count.acknowledged, count.stored, count.lost, count.double].map(String),
        saw,
      ])
      expect(stage.ledger.unexpected, 'refusals that no fault excuses').toEqual([])
      expect(count).toMatchObject({ lost: 0, double: 0, wrongTallies: 0 })
      expect(count.acknowledged).toBeGreaterThan(100)
    } finally {
      await stage.close()
    }
  })
}

/** A node with its own PostgreSQL, and a crowd. */
async function openEmbedded(stage: Stage, dataDir = path.join(stage.folder, 'data')) {
  const port = await freePort()
  const node = await stage.startWithEmbedded(dataDir, port)
  const { databaseUrl, secretKey } = await readEmbedded(dataDir)
  const db = stage.connect(databaseUrl)
  const gathered = await stage.gather(db, secretKey, [node.url], { candidates: 1000 })
  return { dataDir, port, node, db, ...gathered }
}

/** Nodes with a separate PostgreSQL, and a crowd. */
async function openShared(
  stage: Stage,
  nodes: number,
  options: Partial<Parameters<Stage['gather']>[3]> & { preload?: string } = {},
) {
  const { preload, ...more } = options
  const postgres = await stage.startPostgres()
  const secretKey = makeSecretKey()
  const clockFile = path.join(stage.folder, 'clock-shift')
  await writeFile(clockFile, '0')
  const start = (port?: number) =>
    stage.startNode(postgres.url, secretKey, {
      port,
      preload,
      environment: { CLOCK_SHIFT_FILE: clockFile },
    })
  const started = []
  for (let number = 0; number < nodes; number += 1) started.push(await start())
  const db = stage.connect(postgres.url)
  const gathered = await stage.gather(
    db,
    secretKey,
    started.map(({ url }) => url),
    { candidates: 1000, ...more },
  )
  return { postgres, nodes: started, start, clockFile, db, ...gathered }
}

describe('killed with -9', () => {
  play('the app, three times under load', async (stage) => {
    const { crowd, db, code, node, dataDir, port } = await openEmbedded(stage)
    await crowd.begin()
    let current = node
    for (let kill = 1; kill <= 3; kill += 1) {
      await sleep(8_000)
      await current.end('SIGKILL')
      current = await stage.startWithEmbedded(dataDir, port)
    }
    await sleep(5_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    return { count: await stage.ledger.count(db.$client, code) }
  })

  play('PostgreSQL, three times under load', async (stage) => {
    const { crowd, db, code, dataDir } = await openEmbedded(stage)
    await crowd.begin()
    for (let kill = 1; kill <= 3; kill += 1) {
      await sleep(8_000)
      process.kill(await readServerPid(dataDir), 'SIGKILL')
    }
    await sleep(10_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    return { count: await stage.ledger.count(db.$client, code) }
  })
})

describe('the database', () => {
  play('gone for 30 s', async (stage) => {
    const { crowd, db, code, nodes, postgres } = await openShared(stage, 1)
    const [node] = nodes
    await crowd.begin()
    await sleep(8_000)
    await postgres.stop()
    await sleep(2_000)
    const { status, headers } = await fetch(`${node?.url}/readyz`)
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await sleep(28_000)
    await stage.startPostgres()
    const backMs = await until(async () => (await fetch(`${node?.url}/readyz`)).ok, 10_000)
    await sleep(12_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    const isBeating = async () => {
      const { rows: pulses } = await db.$client.query('select last_seen_at from service_pulse')
      return Date.now() - pulses[0].last_seen_at.getTime() < 3_000
    }
    await until(isBeating, 10_000)
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `ready ${Math.round(backMs)} ms after it was back`,
    }
  })

  play('without an answer for 40 s', async (stage) => {
    const { crowd, db, code } = await openShared(stage, 1)
    await crowd.begin()
    await sleep(8_000)
    const pid = await readServerPid(path.join(stage.folder, 'postgres'))
    signalServer(pid, 'STOP')
    await sleep(40_000)
    signalServer(pid, 'CONT')
    await sleep(12_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    expect(stage.ledger.seen.get('no answer in 30 s')).toBeUndefined()
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `503 after ${slowest(stage, '503')} at the latest`,
    }
  })

  play('gone across 200 deadlines', async (stage) => {
    // The limit ends while the database is away, so the last choices are still in the pages' queues.
    const { crowd, db, code, postgres, nodes } = await openShared(stage, 1, {
      candidates: 200,
      seats: 200,
      students: 0,
      durationSeconds: 35,
      itemCount: 30,
      thinkMs: 1_000,
      isSubmitting: false,
      mayBeLate: true,
    })
    await crowd.begin()
    await sleep(25_000)
    await postgres.stop()
    await sleep(30_000)
    await stage.startPostgres()
    await until(async () => (await fetch(`${nodes[0]?.url}/readyz`)).ok, 10_000)
    const upAt = performance.now()
    const openCount = async () => {
      const { rows: counted } = await db.$client.query(
        'select count(*)::int as n from attempts where submitted_at is null',
      )
      return counted[0].n as number
    }
    const { rows: passed } = await db.$client.query(
      'select count(*)::int as n from attempts where deadline_at < now()',
    )
    expect(passed[0].n).toBe(200)
    let firstClosedMs: number | undefined
    await until(async () => {
      const open = await openCount()
      if (open < 200) firstClosedMs ??= performance.now() - upAt
      return open === 0
    }, AWAY_GRACE_MS + 20_000)
    expect(firstClosedMs).toBeGreaterThan(AWAY_GRACE_MS - 1_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `nobody closed before ${seconds(firstClosedMs ?? 0)} up`,
    }
  })

  play('pool exhausted by locks for 30 s', async (stage) => {
    const { crowd, db, code, nodes } = await openShared(stage, 1)
    await crowd.begin()
    await sleep(8_000)
    const holder = await db.$client.connect()
    await holder.query('begin')
    await holder.query('lock table attempt_answers, test_results in exclusive mode')
    await sleep(30_000)
    await holder.query('rollback')
    holder.release()
    await sleep(12_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    expectEndedBy(nodes[0], 'lock timeout', 'statement timeout')
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `503 after ${slowest(stage, '503')} at the latest`,
    }
  })

  play('slow for 40 s (statement timeout)', async (stage) => {
    const { crowd, db, code, nodes } = await openShared(stage, 1)
    const slowDown = async (secondsLong: number) =>
      void (await db.$client.query('update slow_down set seconds = $1', [secondsLong]))
    await db.$client.query(`
      create table slow_down as select 0 as seconds;
      create function be_slow() returns trigger language plpgsql as $$
        begin perform pg_sleep(seconds) from slow_down; return new; end $$;
      create trigger be_slow before insert on practice_days for each row execute function be_slow();
      create trigger be_slow before insert on attempt_events for each row execute function be_slow()`)
    await crowd.begin()
    await sleep(8_000)
    await slowDown(60)
    await sleep(40_000)
    await slowDown(0)
    await sleep(20_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    expectEndedBy(nodes[0], 'statement timeout', 'the database does not answer')
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `503 after ${slowest(stage, '503')} at the latest`,
    }
  })
})

describe('the machine', () => {
  play('disk of the data folder full for 30 s', async (stage, skip) => {
    const dataDir = path.join(stage.folder, 'disk')
    await mkdir(dataDir)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', dataDir])
    if (mounted.status !== 0) skip('a small disk cannot be mounted here; root may do that')
    stage.atEnd(() => spawnSync('umount', ['-l', dataDir]))
    const { crowd, db, code, node } = await openEmbedded(stage, dataDir)
    await crowd.begin()
    await sleep(8_000)
    const filler = path.join(dataDir, 'filler')
    await fillDisk(dataDir, filler)
    // PostgreSQL writes WAL files of 16 MB. Here it needs the next one, for which there is no space.
    await db.$client.query('select pg_switch_wal()').catch(() => {})
    await sleep(30_000)
    expect(node.output()).toMatch(/could not be restarted.*the disk is full/)
    await rm(filler)
    await sleep(20_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    await readEverything(db.$client)
    return { count: await stage.ledger.count(db.$client, code) }
  })

  play('clock an hour forward for 75 s, and back', async (stage) => {
    const { crowd, db, code, clockFile, nodes } = await openShared(stage, 1, {
      preload: path.join(import.meta.dirname, 'shifted-clock.mjs'),
      thinkMs: 1_500,
      itemCount: 60,
    })
    await crowd.begin()
    await sleep(8_000)
    await writeFile(clockFile, String(3_600_000))
    await sleep(75_000)
    await writeFile(clockFile, '0')
    await sleep(10_000)
    const { rows: closed } = await db.$client.query(
      `select count(*)::int as n from attempts where submit_reason = 'deadline'`,
    )
    expect(closed[0].n).toBe(0)
    expect(nodes[0]?.output()).toContain('the clock has jumped')
    await crowd.end(DELIVERY_LIMIT_MS)
    return { count: await stage.ledger.count(db.$client, code), more: 'nobody closed early' }
  })
})

describe('two nodes', () => {
  play('sweep 200 abandoned attempts', async (stage) => {
    const { crowd, db, code, nodes } = await openShared(stage, 2, {
      candidates: 200,
      seats: 200,
      students: 0,
      durationSeconds: 75,
      itemCount: 10,
      thinkMs: 500,
      isSubmitting: false,
    })
    await crowd.begin()
    await crowd.finishSeats()
    await until(async () => {
      const { rows: counted } = await db.$client.query(
        'select count(*)::int as n from attempts where submitted_at is null',
      )
      return counted[0].n === 0
    }, 75_000 + GRACE_MS)
    await crowd.end(DELIVERY_LIMIT_MS)
    const closedBy = nodes.map(({ output }) =>
      [...output().matchAll(/"closed":(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0),
    )
    expect(closedBy.reduce((sum, n) => sum + n)).toBe(200)
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `closed by each: ${closedBy.join(' and ')}`,
    }
  })

  play('deployed one after the other in the middle of a test', async (stage) => {
    const { crowd, db, code, nodes, start } = await openShared(stage, 2)
    await crowd.begin()
    const tookMs: number[] = []
    for (const node of nodes) {
      await sleep(8_000)
      const begunAt = performance.now()
      expect(await node.end('SIGTERM')).toBe(0)
      tookMs.push(performance.now() - begunAt)
      await sleep(3_000)
      await start(Number(new URL(node.url).port))
    }
    await sleep(5_000)
    await crowd.end(DELIVERY_LIMIT_MS)
    // Running calls finish, and new ones go to the other node.
    expect(stage.ledger.seen.get('503')).toBeUndefined()
    return {
      count: await stage.ledger.count(db.$client, code),
      more: `a node ended in ${tookMs.map(seconds).join(' and ')}`,
    }
  })
})

/** Checks that the limit meant for this fault ended the wait, and not a longer one. */
function expectEndedBy(node: Node | undefined, limit: string, behindIt: string): void {
  expect(node?.output()).toContain(limit)
  expect(node?.output()).not.toContain(behindIt)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function slowest({ ledger }: Stage, outcome: string): string {
  return seconds(ledger.slowestMs.get(outcome) ?? 0)
}

/** Reads every row of every table, which would detect a torn page (checksums are on). */
async function readEverything(client: { query(text: string): Promise<{ rows: object[] }> }) {
  const { rows: tables } = (await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('information_schema')`,
  )) as { rows: { name: string }[] }
  for (const { name } of tables) await client.query(`select count(t.*::text) from ${name} t`)
}
