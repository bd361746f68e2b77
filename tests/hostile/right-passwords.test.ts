import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callMany, countStatuses, percentile, type Reply } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'

const PASSWORD = 'walk down the three statements'
const ACCOUNTS = 45
/** Concurrent tries per account. */
const OF_EACH = 10
/** Milliseconds until each account's twenty sign-ins are used up. */
const SETTLE_MS = 45_000
const HONEST = 8

let product: Product
beforeEach(async () => {
  product = await startProduct({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
})
afterEach(() => product?.stop())

it('accounts of one address, each with its correct password, keep no other user from signing in', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const send = (route: string, email: string, address: string) =>
    product.call('POST', `/auth/v1/${route}`, {
      body: { email, password: PASSWORD },
      headers: from(address),
    })
  const signIn = (email: string, address: string) =>
    send('token?grant_type=password', email, address)
  const honest = 'honest@example.org'
  await send('signup', honest, '198.51.100.1')
  await callMany(ACCOUNTS, 4, (n) => send('signup', `own-${n}@example.org`, '203.0.113.9'))
  const median = (replies: Reply[]) =>
    Math.round(
      percentile(
        replies.map(({ ms }) => ms),
        0.5,
      ),
    )
  const calm = await callMany(HONEST, 1, () => signIn(honest, '198.51.100.1'))

  let isOver = false
  const attacks: Reply[] = []
  const attackers = Array.from({ length: ACCOUNTS * OF_EACH }, async (_, n) => {
    while (!isOver) {
      const reply = await signIn(`own-${n % ACCOUNTS}@example.org`, '203.0.113.9')
      attacks.push(reply)
      // A refusal costs almost nothing.
      if (reply.status === 429) await sleep(1_000)
    }
  })
  await sleep(SETTLE_MS)
  const beside = await callMany(HONEST, 1, () => signIn(honest, '198.51.100.1'))
  isOver = true
  await Promise.all(attackers)
  const { rows } = await product.db.query(
    `select count(*)::int as stored from sessions s join users u on u.id = s.user_id
     where email like 'own-%'`,
  )
  tell(
    'right-passwords-beside',
    `median ${median(beside)} ms (${median(calm)} without), ${JSON.stringify(countStatuses(attacks))}`,
  )
  tell('right-passwords-sessions', rows[0].stored)
  expect(countStatuses(beside)).toEqual({ 200: HONEST })
  expect(median(beside)).toBeLessThan(Math.max(1_000, 5 * median(calm)))
  // One session of the sign-up, and twenty sign-ins.
  expect(rows[0].stored).toBeLessThanOrEqual(ACCOUNTS * 21)
})
