import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishedTests } from './finished-tests.ts'
import { type Product, startProduct, tell } from './product.ts'
import { makeGuest, type Person, personOf } from './rig.ts'

const PASSWORD = 'walk down the three statements'
const NEW_PASSWORD = 'bridge from revenue to free cash flow'

let product: Product
beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product?.stop())

const signIn = (email: string, password: string) =>
  product.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })

/** Tries everything that an attacker could do with tokens copied from a browser. */
async function tryCopy(name: string, copy: Person) {
  const renewed = await product.call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: copy.refreshToken },
  })
  const token = renewed.status === 200 ? personOf(renewed).token : copy.token
  const tried = {
    renew: renewed.status,
    access: (await product.call('GET', '/api/profile', { token: copy.token })).status,
    export: (await product.call('POST', '/api/profile/export', { token, body: {} })).status,
    delete: (await product.call('DELETE', '/api/profile', { token, body: {} })).status,
  }
  tell(name, JSON.stringify(tried))
  return tried
}

describe('tokens copied from a browser', () => {
  it('of a guest stop working once the guest has become an account, which keeps its results', async () => {
    const guest = await makeGuest(product)
    const next = await finishedTests(product, guest.token)
    const saved = await product.call('POST', '/api/results', { token: guest.token, body: next() })
    expect(saved.status).toBe(201)

    const email = `${randomUUID()}@example.org`
    const converted = await product.call('PUT', '/auth/v1/user', {
      token: guest.token,
      body: { email, password: PASSWORD },
    })
    expect(converted.status).toBe(200)

    const tried = await tryCopy('copied-guest', guest)
    expect([tried.renew, tried.access, tried.export, tried.delete]).toEqual([400, 401, 401, 401])
    const owner = personOf(await signIn(email, PASSWORD))
    const { body } = await product.call('GET', '/api/progress', { token: owner.token })
    expect(owner.userId).toBe(guest.userId)
    expect(body.attempts).toHaveLength(1)
  })

  it('of an account stop working once its password was changed', async () => {
    const email = `${randomUUID()}@example.org`
    const body = { email, password: PASSWORD }
    const account = personOf(await product.call('POST', '/auth/v1/signup', { body }))
    const changed = await product.call('PUT', '/auth/v1/user', {
      token: account.token,
      body: { password: NEW_PASSWORD, current_password: PASSWORD },
    })
    expect(changed.status).toBe(200)

    const tried = await tryCopy('copied-account', account)
    expect([tried.renew, tried.access, tried.export, tried.delete]).toEqual([400, 401, 401, 401])
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })
})
