import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { finishedTests, padResults } from './finished-tests.ts'
import { callMany, countStatuses } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import { makeGuest } from './rig.ts'

const RESULTS = 8_000
const EXPORTS_AT_ONCE = 12
/** Memory that exports may use in addition to the server's. */
const EXPORT_LIMIT_MB = 300
const SAVES = 3_000
/** Far above normal use: a test of ten every minute and a half, all day and night. */
const RESULTS_LIMIT = 1_000

let product: Product
beforeEach(async () => {
  product = await startProduct({
    // Node's heap limit on a machine with 1 GB.
    environment: { RATE_LIMITS: 'on', NODE_OPTIONS: '--max-old-space-size=512' },
  })
})
afterEach(() => product?.stop())

describe('an account with very many results', () => {
  it('is exported twelve times at the same time in bounded memory, and the server survives', async () => {
    const person = await makeGuest(product)
    await padResults(product, person, RESULTS)
    const beforeMb = product.residentMb()
    let highestMb = beforeMb
    const watch = setInterval(() => {
      if (product.isAlive()) highestMb = Math.max(highestMb, product.residentMb())
    }, 50)
    const replies = await callMany(EXPORTS_AT_ONCE, EXPORTS_AT_ONCE, () =>
      product.call('POST', '/api/profile/export', {
        token: person.token,
        body: {},
        limitMs: 120_000,
        discard: true,
      }),
    )
    clearInterval(watch)
    const { status: health } = await product.call('GET', '/healthz')
    const whole = replies.find(({ status }) => status === 200)
    tell('exports', JSON.stringify(countStatuses(replies)))
    tell('exports-memory-mb', `${beforeMb} → ${highestMb}`)
    tell('exports-size-mb', Math.round((whole?.body.bytes ?? 0) / 1e6))
    tell('exports-server-lives', String(health === 200))
    expect(health).toBe(200)
    expect(countStatuses(replies)[0]).toBeUndefined()
    // Exports run one at a time. The others wait or are told to come back later.
    expect(whole).toBeDefined()
    expect(highestMb - beforeMb).toBeLessThan(EXPORT_LIMIT_MB)
  })
})

describe('a guest who saves results as fast as they are taken', () => {
  it('gets 429 far above what a person can finish in a day', async () => {
    const guest = await makeGuest(product)
    const next = await finishedTests(product, guest.token)
    const begun = performance.now()
    const replies = await callMany(SAVES, 16, () =>
      product.call('POST', '/api/results', { token: guest.token, body: next() }),
    )
    const { rows } = await product.db.query(
      'select count(*)::int as stored from test_results where user_id = $1',
      [guest.userId],
    )
    const seconds = (performance.now() - begun) / 1000
    tell('results-per-second', Math.round(SAVES / seconds))
    tell(
      'results-stored',
      `${rows[0].stored} of ${SAVES}, ${JSON.stringify(countStatuses(replies))}`,
    )
    expect(countStatuses(replies)[429]).toBeGreaterThan(0)
    expect(rows[0].stored).toBeLessThanOrEqual(RESULTS_LIMIT)
    expect(rows[0].stored).toBeGreaterThan(0)
  })
})
