import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { finishedTests, padResults } from './finished-tests.ts'
import { callMany, countStatuses, p99, type Reply } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import { limitBeside, makeGuest, type Person } from './rig.ts'

/** What one person may save in a day. */
const RESULTS = 1_000
const AT_ONCE = 100
const OTHERS_CALLS = 200
const WANTED_MS = 100

let product: Product
beforeEach(async () => {
  product = await startProduct({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
})
afterEach(() => product?.stop())

/** Makes another user's small calls, two at a time, before and during an attack. */
async function beside(
  what: string,
  attack: (n: number) => Promise<Reply>,
  atOnce = AT_ONCE,
): Promise<{ calm: number; others: Reply[]; attacks: Reply[] }> {
  const other = await makeGuest(product)
  const read = () => product.call('GET', '/api/profile', { token: other.token })
  const calm = p99(await callMany(OTHERS_CALLS, 2, read))
  let isOver = false
  const attacks: Reply[] = []
  const attackers = Array.from({ length: atOnce }, async (_, first) => {
    for (let n = first; !isOver; n += atOnce) {
      const reply = await attack(n)
      attacks.push(reply)
      // A refusal costs almost nothing. Thousands per second would be another attack.
      if (reply.status === 429) await sleep(200)
    }
  })
  const others = await callMany(OTHERS_CALLS, 2, read)
  isOver = true
  await Promise.all(attackers)
  tell(
    what,
    `others p99 ${p99(others)} ms (${calm} without), ${JSON.stringify(countStatuses(attacks))}`,
  )
  return { calm, others, attacks }
}

describe('one guest with a thousand results', () => {
  let guest: Person
  let cell: string
  beforeEach(async () => {
    guest = await makeGuest(product)
    await padResults(product, guest, RESULTS)
    const { rows } = await product.db.query(
      'select category, difficulty from test_results where user_id = $1 limit 1',
      [guest.userId],
    )
    cell = String(new URLSearchParams(rows[0]))
  })

  it.each([
    ['mistakes', () => `/api/mistakes?${cell}`],
    ['the progress', () => '/api/progress'],
    ['the results of a cell', () => `/api/results?${cell}`],
  ])(
    'who asks for %s in a hundred simultaneous calls delays no other user',
    async (what, route) => {
      const { calm, others } = await beside(`one person reads ${what}`, () =>
        product.call('GET', route(), { token: guest.token, discard: true }),
      )
      expect(countStatuses(others)).toEqual({ 200: OTHERS_CALLS })
      expect(p99(others)).toBeLessThan(limitBeside(WANTED_MS, calm))
    },
  )

  it('who saves a hundred results at the same time delays no other user', async () => {
    const saver = await makeGuest(product)
    const next = await finishedTests(product, saver.token)
    const { calm, others } = await beside('one person saves', () =>
      product.call('POST', '/api/results', { token: saver.token, body: next() }),
    )
    expect(countStatuses(others)).toEqual({ 200: OTHERS_CALLS })
    expect(p99(others)).toBeLessThan(limitBeside(WANTED_MS, calm))
  })
})

describe('a person who sends many passwords', () => {
  it('with 96 KB of marks in each delays no other user', async () => {
    const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`
    const { calm, others } = await beside(
      'passwords of marks',
      (n) =>
        product.call('POST', '/auth/v1/token?grant_type=password', {
          body: { email: `nobody-${n}@example.org`, password: marks },
        }),
      2,
    )
    expect(countStatuses(others)).toEqual({ 200: OTHERS_CALLS })
    expect(p99(others)).toBeLessThan(limitBeside(WANTED_MS, calm))
  })
})
