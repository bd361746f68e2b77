import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct, tell } from './product.ts'
import { flood, fullPaper, makeAssessment, setDeadline, takeSeats, watchPulse } from './rig.ts'

/** The grace of product 6.7.8. */
const GRACE_SECONDS = 10
/** For a response that is on its way when the grace ends. */
const TOLERANCE_SECONDS = 1
const FLOOD_SECONDS = 20
/** Seconds before the attacker's own deadline at which the flood starts. */
const LEAD_SECONDS = 6
/** Maximum seconds after the deadline for which saves are tried. */
const TRY_SECONDS = 100
const FLOOD_CALLS_AT_ONCE = 100

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('a candidate who floods the service around their own deadline', () => {
  it('moves no other deadline: no save is accepted later than ten seconds after it', async () => {
    const assessment = await makeAssessment(product)
    const [seat] = await takeSeats(product, assessment, 1)
    if (!seat) throw new Error('no seat')
    const deadline = Date.now() + (LEAD_SECONDS + 2) * 1000
    await setDeadline(product, assessment.code, new Date(deadline))
    const pulse = watchPulse(product)
    await sleep(2_000)

    const flooding = flood({
      url: product.url,
      kind: 'events',
      seat,
      item: assessment.items[0] as number,
      atOnce: FLOOD_CALLS_AT_ONCE,
      seconds: FLOOD_SECONDS,
      calls: 5_000,
    })
    await sleep(deadline - Date.now())
    let lastTakenSeconds = 0
    let revision = 1
    // Forged: claims that the choice was made a second after the window opened.
    while (Date.now() < deadline + TRY_SECONDS * 1000) {
      const sentSeconds = (Date.now() - deadline) / 1000
      revision += 1
      const { status } = await seat.save(fullPaper(assessment, 1_000, revision))
      if (status === 200) lastTakenSeconds = sentSeconds
      // 409 means closed, and 403 that the token is dead. Either ends it for the attacker.
      const isOver = status === 409 || status === 403
      if (isOver && Date.now() > deadline + GRACE_SECONDS * 1000) break
      await sleep(500)
    }
    const statuses = await flooding
    const { moves, longestSilenceMs } = await pulse.stop()

    tell('extra-time-flood', JSON.stringify(statuses))
    tell('extra-time-last-save-taken-s-after-deadline', lastTakenSeconds.toFixed(1))
    tell('extra-time-up-since-moves', moves)
    tell('extra-time-longest-silence-ms', longestSilenceMs)
    expect(lastTakenSeconds).toBeLessThanOrEqual(GRACE_SECONDS + TOLERANCE_SECONDS)
    expect(moves).toBe(0)
  })
})
