import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callMany, countStatuses } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'

const AT_ONCE = 32

let product: Product
beforeEach(async () => {
  product = await startProduct({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
})
afterEach(() => product?.stop())

const hex = (n: number) => n.toString(16)

describe('guests from many IPv6 networks', () => {
  // Each kind exceeds any limit that admits a campus, a provider and ten thousand candidates.
  it.each<[string, number, number, (n: number) => string]>([
    ['many addresses of one /64', 1_000, 500, (n) => `2001:db8:1:1::${hex(n + 1)}`],
    ['many /64s of one /48', 1_000, 800, (n) => `2001:db8:1:${hex(n)}::1`],
    ['many /48s', 16_000, 15_000, (n) => `2001:db8:${hex(n)}::1`],
  ])('with %s are limited', async (what, count, limit, addressOf) => {
    const begun = performance.now()
    const replies = await callMany(count, AT_ONCE, (n) =>
      product.call('POST', '/auth/v1/signup', {
        body: { data: {} },
        headers: { 'X-Forwarded-For': addressOf(n) },
      }),
    )
    const seconds = (performance.now() - begun) / 1000
    const counts = countStatuses(replies)
    tell(`guests from ${what}`, `${JSON.stringify(counts)} in ${seconds.toFixed(1)} s`)
    expect(counts[200]).toBeGreaterThan(0)
    expect(counts[200]).toBeLessThanOrEqual(limit)
    expect(counts[429]).toBe(count - (counts[200] ?? 0))
  })
})
