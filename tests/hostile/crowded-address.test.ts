import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callMany, countStatuses } from './http.ts'
import { type Product, startProduct, tell } from './product.ts'
import { makeAssessment, makeCandidates, personOf, takeSeats } from './rig.ts'

const PASSWORD = 'walk down the three statements'
const CAMPUS = { 'X-Forwarded-For': '192.0.2.10' }
/** Includes the secret that a browser created. */
const OWN_BROWSER = { ...CAMPUS, 'X-Device': randomUUID() }
/** What one address may do in five minutes (product 9.3), and a few more. */
const WRONG_SIGN_INS = 620
const GUESTS = 420

let product: Product
beforeEach(async () => {
  product = await startProduct({ environment: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
})
afterEach(() => product?.stop())

const signUpGuest = (headers: Record<string, string>, proof?: string) =>
  product.call('POST', '/auth/v1/signup', {
    body: { data: {}, gotrue_meta_security: { captcha_token: proof } },
    headers,
  })

/**
 * How a person on the roster signs in with a new browser: as a guest who then enters the credentials or, if guests are
 * refused, with the credentials in the sign-up. Only this function knows the ways in.
 */
async function comeIn(code: string, username: string, password: string): Promise<number> {
  const body = { username, password }
  let guest = await signUpGuest(CAMPUS)
  if (guest.status === 429) guest = await signUpGuest(CAMPUS, JSON.stringify(body))
  if (guest.status !== 200) return guest.status
  const route = `/api/assessments/${code}/verify`
  const { token } = personOf(guest)
  return (await product.call('POST', route, { body, headers: CAMPUS, token })).status
}

describe('a person who uses up the limits of their network address', () => {
  it('with wrong passwords locks no owner out of a browser that the account knows', async () => {
    const email = `${randomUUID()}@example.org`
    const signIn = (address: string, password: string, headers = CAMPUS) =>
      product.call('POST', '/auth/v1/token?grant_type=password', {
        body: { email: address, password },
        headers,
      })
    await product.call('POST', '/auth/v1/signup', {
      body: { email, password: PASSWORD },
      headers: CAMPUS,
    })
    expect((await signIn(email, PASSWORD, OWN_BROWSER)).status).toBe(200)

    const wrong = await callMany(WRONG_SIGN_INS, 16, (n) => signIn(`nobody-${n}@example.org`, 'no'))
    const right = await signIn(email, PASSWORD, OWN_BROWSER)
    const stranger = await signIn(`nobody@example.org`, 'no')
    tell('crowded-address-wrong-sign-ins', JSON.stringify(countStatuses(wrong)))
    tell('crowded-address-known-device', right.status)
    expect(countStatuses(wrong)[429]).toBeGreaterThan(0)
    expect(stranger.status).toBe(429)
    expect(right.status).toBe(200)
  })

  it('with guests keeps no candidate on a roster out', async () => {
    const assessment = await makeAssessment(product)
    const seated = 5
    await takeSeats(product, assessment, seated, CAMPUS)
    const late = await makeAssessment(product)
    const password = await makeCandidates(product, late.code, 2)

    const guests = await callMany(GUESTS, 16, () => signUpGuest(CAMPUS))
    const rostered = await comeIn(late.code, 'candidate-1', password)
    const stranger = await comeIn(late.code, 'candidate-2', 'wrong-pass-word0')
    tell('crowded-address-guests', JSON.stringify(countStatuses(guests)))
    tell('crowded-address-rostered-candidate', rostered)
    expect(countStatuses(guests)[429]).toBeGreaterThan(0)
    expect(stranger).not.toBe(200)
    expect(rostered).toBe(200)
  })
})
