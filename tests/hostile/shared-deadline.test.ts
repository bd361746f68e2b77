import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countStatuses, p99, type Reply } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import { fullPaper, makeAssessment, setDeadline, takeSeats, watchPulse } from './rig.ts'

const CANDIDATES = 300
/** Milliseconds after the deadline in which all pages submit. */
const SPREAD_MS = 500
const SUBMIT_LIMIT_MS = 500

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('three hundred candidates whose time ends in the same second', () => {
  it('all submit what their pages still have, none is refused and the service is never blocked', async () => {
    const assessment = await makeAssessment(product)
    const seats = await takeSeats(product, assessment, CANDIDATES)
    const deadline = Date.now() + 6_000
    await setDeadline(product, assessment.code, new Date(deadline))
    const pulse = watchPulse(product)
    await sleep(deadline - Date.now())

    const saves: Reply[] = []
    const submits: Reply[] = []
    await Promise.all(
      seats.map(async (seat, n) => {
        await sleep((n * SPREAD_MS) / CANDIDATES)
        saves.push(await seat.save(fullPaper(assessment, 1_000)))
        submits.push(await seat.submit())
      }),
    )
    // The heartbeat after a blocked event loop is the one that changes up_since.
    await sleep(3_000)
    const { moves, longestSilenceMs } = await pulse.stop()

    const failed = submits.filter(({ status }) => status !== 200).length
    tell('shared-deadline-saves', JSON.stringify(countStatuses(saves)))
    tell('shared-deadline-submits', JSON.stringify(countStatuses(submits)))
    tell('shared-deadline-failed-submits', failed)
    tell('shared-deadline-save-p99-ms', p99(saves))
    tell('shared-deadline-submit-p99-ms', p99(submits))
    tell('shared-deadline-longest-silence-ms', longestSilenceMs)
    tell('shared-deadline-up-since-moves', moves)
    const { rows } = await product.db.query(
      'select count(*)::int as answers from attempt_answers a join attempts t on t.id = a.attempt_id where t.assessment = $1',
      [assessment.code],
    )
    expect(countStatuses(saves)).toEqual({ 200: CANDIDATES })
    expect(countStatuses(submits)).toEqual({ 200: CANDIDATES })
    expect(rows[0].answers).toBe(CANDIDATES * assessment.items.length)
    expect(p99(submits)).toBeLessThan(SUBMIT_LIMIT_MS)
    expect(p99(saves)).toBeLessThan(SUBMIT_LIMIT_MS)
    expect(moves).toBe(0)
  })
})
