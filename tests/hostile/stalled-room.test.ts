import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FloodPlan } from './flood.ts'
import { countStatuses, p99 } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import {
  type Assessment,
  flood,
  limitBeside,
  makeAssessment,
  type Seat,
  saveSteadily,
  takeSeats,
} from './rig.ts'

const CANDIDATES = 200
const SECONDS = 15
const PER_SECOND = 50
const P99_LIMIT_MS = 100
/** Far above what a page reports: almost two events per second for ninety minutes. */
const EVENTS_LIMIT = 10_000

let product: Product
let room: Assessment
let others: Seat[]
let calmMs: number
beforeAll(async () => {
  product = await startProduct()
  room = await makeAssessment(product)
  others = await takeSeats(product, room, CANDIDATES)
  await saveSteadily(others, room, { perSecond: PER_SECOND, seconds: 3 })
  calmMs = p99(await saveSteadily(others, room, { perSecond: PER_SECOND, seconds: 8 }))
  tell('stalled-room-calm-p99-ms', calmMs)
})
afterAll(() => product?.stop())

async function saveBeside(kind: FloodPlan['kind'], atOnce: number) {
  const assessment = await makeAssessment(product)
  const [attacker] = await takeSeats(product, assessment, 1)
  if (!attacker) throw new Error('no attacker')
  const flooding = flood({
    url: product.url,
    kind,
    seat: attacker,
    item: assessment.items[0] as number,
    atOnce,
    seconds: SECONDS,
    calls: 100_000,
  })
  // The attacker's process has to start.
  await sleep(1_500)
  const saves = await saveSteadily(others, room, {
    perSecond: PER_SECOND,
    seconds: SECONDS - 3,
  })
  const statuses = await flooding
  const { rows } = await product.db.query(
    `select count(*)::int as count from attempt_events e join attempts t on t.id = e.attempt_id
     where t.assessment = $1`,
    [assessment.code],
  )
  const name = `stalled-room-${kind}`
  tell(`${name}-flood`, JSON.stringify(statuses))
  tell(`${name}-saves`, JSON.stringify(countStatuses(saves)))
  tell(`${name}-p99-ms`, p99(saves))
  tell(`${name}-p99-ratio`, (p99(saves) / calmMs).toFixed(1))
  tell(`${name}-stored-events`, rows[0].count)
  return { saves, stored: rows[0].count as number }
}

describe('a candidate who floods their own attempt', () => {
  it.each([
    ['reports of 200 events', 'events', 30],
    ['take-overs', 'takeOvers', 100],
    ['incomplete submits', 'submits', 100],
  ] as const)('with %s delays no other candidate, and stores little', async (_, kind, atOnce) => {
    const { saves, stored } = await saveBeside(kind, atOnce)
    expect(countStatuses(saves)).toEqual({ 200: saves.length })
    expect(p99(saves)).toBeLessThan(limitBeside(P99_LIMIT_MS, calmMs))
    expect(stored).toBeLessThanOrEqual(EVENTS_LIMIT)
  })
})
