import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { padResults } from './finished-tests.ts'
import { countStatuses, p99 } from './http.ts'
import { type Product, startProduct, tell, until } from './product.ts'
import { limitBeside, makeAssessment, saveSteadily, takeSeats } from './rig.ts'

const CANDIDATES = 200
const PER_SECOND = 50
const SECONDS = 20
const P99_LIMIT_MS = 200
/** Rows of one person. */
const EVENTS = 600_000
const RESULTS = 20_000
const DELETE_LIMIT_MS = 60_000

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

describe('an account with very many rows', () => {
  it('is deleted while it saves, and no other save fails or waits for it', async () => {
    const room = await makeAssessment(product)
    const others = await takeSeats(product, room, CANDIDATES)
    const [padded] = await takeSeats(product, await makeAssessment(product), 1)
    if (!padded) throw new Error('no seat')
    await product.db.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, user_id, received_at)
       select candidate_id, id, 'saved', window_id, n, user_id, now()
       from attempts, generate_series(1, $2::int) n where user_id = $1`,
      [padded.userId, EVENTS],
    )
    await padResults(product, padded, RESULTS)
    const rate = { perSecond: PER_SECOND, seconds: 6 }
    await saveSteadily(others, room, { ...rate, seconds: 3 })
    const calm = p99(await saveSteadily(others, room, rate))

    const { rows: items } = await product.db.query(
      'select paper[1] as item from attempts where user_id = $1',
      [padded.userId],
    )
    let isOver = false
    const saves = saveSteadily(others, room, { perSecond: PER_SECOND, seconds: SECONDS })
    const deleting = product.call('DELETE', '/api/profile', { token: padded.token, body: {} })
    // The person's own save is in the same batches, and needs the row that is being deleted.
    const own = (async () => {
      for (let revision = 1; !isOver && revision < 1_000; revision += 1) {
        await padded.save([{ questionId: items[0].item, choice: 'A', revision }])
        await sleep(100)
      }
    })()
    const deleted = await deleting
    const replies = await saves
    isOver = true
    await own
    const isGone = async () => {
      const { rows } = await product.db.query('select 1 from users where id = $1', [padded.userId])
      return rows.length === 0
    }
    const ended = await until(isGone, DELETE_LIMIT_MS - deleted.ms).then(
      () => true,
      () => false,
    )
    tell(
      'padded-account-delete',
      `${deleted.status} after ${Math.round(deleted.ms)} ms, gone: ${ended}`,
    )
    tell('padded-account-saves', JSON.stringify(countStatuses(replies)))
    tell('padded-account-p99-ms', `${p99(replies)} (${calm} without)`)
    expect(countStatuses(replies)).toEqual({ 200: replies.length })
    expect(p99(replies)).toBeLessThan(limitBeside(P99_LIMIT_MS, calm))
    expect(deleted.status).toBe(200)
    expect(ended).toBe(true)
  })
})
