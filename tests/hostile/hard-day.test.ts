import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStatuses, p99, type Reply } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import {
  flood,
  fullPaper,
  limitBeside,
  makeAssessment,
  makeGuest,
  saveSteadily,
  setDeadline,
  takeSeats,
  watchPulse,
} from './rig.ts'

const CANDIDATES = 300
const PER_SECOND = 50
const SECONDS = 8
const SAVE_LIMIT_MS = 100
const SPREAD_MS = 500
const SUBMIT_LIMIT_MS = 500
/** From the first steady save to the last submit. */
const FLOOD_SECONDS = 28

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('a room of three hundred, with one candidate who floods and one guest who sends bad data', () => {
  it('saves normally and submits within the same second, and the service is never away', async () => {
    const room = await makeAssessment(product)
    const seats = await takeSeats(product, room, CANDIDATES)
    const rate = { perSecond: PER_SECOND, seconds: SECONDS }
    await saveSteadily(seats, room, { ...rate, seconds: 3 })
    const calm = p99(await saveSteadily(seats, room, rate))

    const theirs = await makeAssessment(product)
    const [attacker] = await takeSeats(product, theirs, 1)
    if (!attacker) throw new Error('no attacker')
    const guest = await makeGuest(product)
    const pulse = watchPulse(product)
    const plan = {
      url: product.url,
      seconds: FLOOD_SECONDS,
      calls: 100_000,
    }
    const floods = [
      flood({ ...plan, kind: 'events', seat: attacker, atOnce: 30 }),
      flood({
        ...plan,
        kind: 'poison',
        seat: {
          code: room.code,
          token: guest.token,
          candidateToken: 'x'.repeat(43),
          windowId: 'window',
        },
        atOnce: 10,
      }),
    ]
    // The attackers' processes have to start.
    await sleep(2_000)
    const saves = await saveSteadily(seats, room, rate)

    const deadline = Date.now() + 3_000
    await setDeadline(product, room.code, new Date(deadline))
    await sleep(deadline - Date.now())
    const submits: Reply[] = []
    await Promise.all(
      seats.map(async (seat, n) => {
        await sleep((n * SPREAD_MS) / CANDIDATES)
        await seat.save(fullPaper(room, 1_000, 1_000_000))
        submits.push(await seat.submit())
      }),
    )
    const statuses = await Promise.all(floods)
    const { moves, longestSilenceMs } = await pulse.stop()

    tell('hard-day-floods', JSON.stringify(statuses))
    tell('hard-day-saves', JSON.stringify(countStatuses(saves)))
    tell('hard-day-save-p99-ms', `${p99(saves)} (${calm} without)`)
    tell('hard-day-submits', JSON.stringify(countStatuses(submits)))
    tell('hard-day-submit-p99-ms', p99(submits))
    tell('hard-day-up-since-moves', `${moves}, longest silence ${longestSilenceMs} ms`)
    expect(countStatuses(saves)).toEqual({ 200: saves.length })
    expect(p99(saves)).toBeLessThan(limitBeside(SAVE_LIMIT_MS, calm))
    expect(countStatuses(submits)).toEqual({ 200: CANDIDATES })
    // What the page sent with the deadline is stored, and bad numbers fail no batch.
    const { rows } = await product.db.query(
      'select count(*)::int as count from attempt_answers a join attempts t on t.id = a.attempt_id where assessment = $1',
      [room.code],
    )
    expect(rows).toEqual([{ count: CANDIDATES * room.items.length }])
    expect(statuses.at(-1)).not.toHaveProperty('200')
    expect(statuses.flatMap(Object.keys).filter((status) => Number(status) >= 500)).toEqual([])
    expect(product.log()).not.toContain('a batch failed')
    expect(p99(submits)).toBeLessThan(limitBeside(SUBMIT_LIMIT_MS, calm))
    expect(moves).toBe(0)
  })
})
