import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callMany, countStatuses, p99, type Reply } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import { limitBeside, makeAssessment, makeGuest, saveSteadily, takeSeats } from './rig.ts'

const CANDIDATES = 200
const PER_SECOND = 50
const SECONDS = 8
const P99_LIMIT_MS = 100
/** None is an item's number or fits PostgreSQL's integer. */
const POISON = [3_000_000_000, -3_000_000_000, 2_147_483_648, Number.MAX_SAFE_INTEGER]

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('a guest without an attempt who sends numbers that no column can store', () => {
  it('gets 400, and no batch of the room fails because of it', async () => {
    const room = await makeAssessment(product)
    const others = await takeSeats(product, room, CANDIDATES)
    const guest = await makeGuest(product)
    const rate = { perSecond: PER_SECOND, seconds: SECONDS }
    await saveSteadily(others, room, { ...rate, seconds: 3 })
    const calm = p99(await saveSteadily(others, room, rate))

    let isOver = false
    const poisoned: Reply[] = []
    const poisoning = callMany(10, 10, async (n) => {
      let reply: Reply | undefined
      while (!isOver && poisoned.length < 20_000) {
        reply = await product.call('PUT', `/api/assessments/${room.code}/attempt/answers`, {
          token: guest.token,
          headers: { 'X-Candidate-Token': 'x'.repeat(43), 'X-Window-Id': `window-${n}` },
          body: {
            answers: [
              { questionId: POISON[poisoned.length % POISON.length], choice: 'A', revision: 1 },
            ],
          },
        })
        poisoned.push(reply)
      }
      return reply as Reply
    })
    const saves = await saveSteadily(others, room, rate)
    isOver = true
    await poisoning

    const failedRounds = product.log().split('a batch failed').length - 1
    tell('poisoned-round-poison', JSON.stringify(countStatuses(poisoned)))
    tell('poisoned-round-saves', JSON.stringify(countStatuses(saves)))
    tell('poisoned-round-failed-rounds', failedRounds)
    tell('poisoned-round-p99-ms', `${p99(saves)} (${calm} without)`)
    expect(Object.keys(countStatuses(poisoned))).toEqual(['400'])
    expect(failedRounds).toBe(0)
    expect(countStatuses(saves)).toEqual({ 200: saves.length })
    expect(p99(saves)).toBeLessThan(limitBeside(P99_LIMIT_MS, calm))
  })
})
