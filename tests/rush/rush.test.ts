import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '../../tools/build-server.mjs'
import { type Outcome, type Plan, play } from './play.ts'

/* Two nodes behind nginx or HAProxy, configured by the examples of docs/: a start rush of ten thousand, and a deploy
   of one node after the other during an assessment. docs/faults.md has the latest table. */

/** About 35 calls each: 350,000. */
const CANDIDATES = Number(process.env.RUSH_CANDIDATES ?? 10_000)
const DEPLOYED = Number(process.env.RUSH_DEPLOYED ?? 300)
/** Milliseconds between a candidate's answers. */
const THINK_MS = 3_000

const rush = (proxy: Plan['proxy']): Plan => ({
  proxy,
  candidates: CANDIDATES,
  verifyMs: 60_000,
  startMs: 10_000,
  thinkMs: CANDIDATES,
  submitMs: 10_000,
})

const VERIFY_MS = 20_000
const START_MS = 5_000
const deploy = (proxy: Plan['proxy']): Plan => ({
  proxy,
  candidates: DEPLOYED,
  verifyMs: VERIFY_MS,
  startMs: START_MS,
  thinkMs: THINK_MS,
  submitMs: 5_000,
  latecomers: 10,
  act: async ({ deploy: deployNode }) => {
    // The first answers have arrived, and the last are far away.
    await sleep(VERIFY_MS + START_MS + 10_000)
    for (const index of [0, 1]) {
      const { stopMs, startMs } = await deployNode(index)
      process.stdout.write(
        `node ${index}: ended in ${seconds(stopMs)} s, ready in ${seconds(startMs)} s\n`,
      )
      await sleep(10_000)
    }
  },
})

const table: string[][] = [
  [
    'played',
    'calls',
    'candidates saw',
    'sign-ups',
    'retried by the proxy',
    'lost',
    'double',
  ].concat(['longest call, s', 'starts p99, s', 'saves p99, s', 'submits p99, s']),
]
beforeAll(buildServer)
afterAll(() => {
  const lines = table.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${'---|'.repeat(table[0]?.length ?? 0)}`)
  process.stdout.write(`\n${lines.join('\n')}\n`)
})

const seconds = (ms: number) => (ms / 1000).toFixed(2)

async function record(what: string, plan: Plan): Promise<Outcome> {
  const outcome = await play(plan)
  const { report, latecomers, log, lost, double, wrong } = outcome
  const p99 = (sorted: number[]) => {
    sorted.sort((a, b) => a - b)
    return seconds(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
  }
  const sum = (calls: Record<string, number>) => Object.values(calls).reduce((all, n) => all + n, 0)
  const list = (calls: Record<string, number>) =>
    Object.entries(calls)
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', ')
  table.push([
    what,
    String(sum(report.calls)),
    list(report.calls),
    `${sum(latecomers.calls)} (${list(latecomers.calls)}; ${seconds(latecomers.longestMs)} s)`,
    String(log.retried),
    ...[lost + wrong, double].map(String),
    `${seconds(report.longest.ms)} (${report.longest.call})`,
    ...[report.startMs, report.saveMs, report.submitMs].map(p99),
  ])
  process.stdout.write(`${what}: ${table.at(-1)?.join(' | ')}\n${JSON.stringify(log)}\n`)
  return outcome
}

const FLAWLESS = { failed: 0, lost: 0, double: 0, wrong: 0 }

describe('a start rush of two nodes', () => {
  it('behind nginx fails no call', async () => {
    expect(await record('start rush, nginx', rush('nginx'))).toMatchObject(FLAWLESS)
  })
  it('behind HAProxy fails no call', async () => {
    expect(await record('start rush, HAProxy', rush('haproxy'))).toMatchObject(FLAWLESS)
  })
})

describe('a deploy in the middle of an assessment', () => {
  it('behind nginx fails no call', async () => {
    expect(await record('deploy, nginx', deploy('nginx'))).toMatchObject(FLAWLESS)
  })
  it('behind HAProxy fails no call', async () => {
    expect(await record('deploy, HAProxy', deploy('haproxy'))).toMatchObject(FLAWLESS)
  })
})

// Counting is useful only if it detects failures.
describe('nodes with a defect', () => {
  it.each([
    ['idle connections end before the proxy drops them', 'closes-early.mjs'],
    ['SIGTERM ends a node immediately', 'ends-at-once.mjs'],
  ])('%s: calls fail, and the crowd detects it', async (what, file) => {
    const preload = path.join(import.meta.dirname, 'defects', file)
    const { failed, lost } = await record(what, { ...deploy('nginx'), preload, latecomers: 60 })
    expect(failed).toBeGreaterThan(0)
    expect(lost).toBe(0)
  })
})
