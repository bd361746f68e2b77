import { randomUUID } from 'node:crypto'
import argon2 from '@node-rs/argon2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  authCall,
  claimsOf,
  getUser,
  PASSWORD,
  passTime,
  sessionCount,
  signIn,
  statementsOf,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { callSignUp, useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()
watchLog(rig)

const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
const post = (path: string, body: unknown, token?: string) =>
  authCall(rig, 'POST', path, body, { token })

describe('sign-in', () => {
  test('returns a new session each time, whatever the case of the address', async () => {
    const email = fresh()
    const { userId, token } = await callSignUp(rig, email)
    passTime(rig, 1_000)
    const { status, body } = await signIn(rig, ` ${email.toUpperCase()} `)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ id: userId, last_sign_in_at: rig.clock.now.toISOString() })
    expect(claimsOf(body.access_token).session_id).not.toBe(claimsOf(token).session_id)
    expect(claimsOf(body.access_token).amr).toEqual([
      { method: 'password', timestamp: Math.floor(rig.clock.now.getTime() / 1000) },
    ])
    expect(await sessionCount(rig, userId)).toBe(2)
  })

  test('gives the same response after one hash for an unknown address, a wrong password, no password and a guest', async () => {
    const email = fresh()
    await callSignUp(rig, email)
    await signIn(rig, email, 'warm up the pool')
    const given: [string, string][] = [
      [email, 'wrong password'],
      [fresh(), 'wrong password'],
      [fresh(), PASSWORD],
      [email, ''],
      [email, 'x'.repeat(3_000)],
      ['not even an address', PASSWORD],
      [`nul\0${email}`, PASSWORD],
      ['', ''],
    ].filter(([address]) => address !== '') as [string, string][]
    const [hashes, verifies] = [vi.spyOn(argon2, 'hash'), vi.spyOn(argon2, 'verify')]
    onTestFinished(() => void vi.restoreAllMocks())
    const works = []
    for (const [address, password] of given) {
      verifies.mockClear()
      const statements = await statementsOf(async () => {
        const answer = await signIn(rig, address, password)
        expect(answer.status).toBe(400)
        expect(answer.body).toEqual({
          code: 'invalid_credentials',
          message: 'Invalid login credentials',
        })
      })
      // The time depends on the parameters.
      const verified = verifies.mock.calls.map(([hashed]) => String(hashed).split('$').slice(0, 4))
      works.push({ statements, verified })
    }
    expect(works[0]?.verified).toEqual([['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']])
    for (const work of works) expect(work).toEqual(works[0])
    expect(hashes).not.toHaveBeenCalled()
  })

  test('opens no session if the password changes during the comparison', async () => {
    const email = fresh()
    const { userId } = await callSignUp(rig, email)
    const change = await rig.db.$client.connect()
    try {
      await change.query('begin')
      await change.query(`update users set password_hash = 'another' where id = $1`, [userId])
      const answer = signIn(rig, email)
      // The call has compared the old password and waits for the row.
      await vi.waitFor(
        async () => {
          const { rows } = await rig.db.$client.query(
            `select from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock'`,
          )
          expect(rows).toHaveLength(1)
        },
        { timeout: 2_500, interval: 20 },
      )
      await change.query('commit')
      expect(await answer).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } })
      expect(await sessionCount(rig, userId)).toBe(1)
    } finally {
      change.release(true)
    }
  })

  test.each([
    [{ password: PASSWORD }, 'validation_failed', 'missing email or phone'],
    [{ phone: '+351', password: PASSWORD }, 'phone_provider_disabled', 'Phone logins are disabled'],
  ])('refuses %j', async (body, code, message) => {
    const answer = await post('/token?grant_type=password', body)
    expect(answer).toMatchObject({ status: 400, body: { code, message } })
  })

  test('accepts a password that is weak by today’s rules, and says so', async () => {
    const email = fresh()
    await callSignUp(rig, email)
    const strong = await signIn(rig, email)
    expect(strong.body).not.toHaveProperty('weak_password')
    // This password was set before the list contained it.
    const { hashPassword } = await import('./passwords.ts')
    await rig.db.$client.query('update users set password_hash = $1 where email = $2', [
      await hashPassword('password123', '192.0.2.1'),
      email,
    ])
    const weak = await signIn(rig, email, 'password123')
    expect(weak.status).toBe(200)
    expect(weak.body.weak_password).toEqual({
      message: expect.stringContaining('most common'),
      reasons: ['pwned'],
    })
  })

  test('treats composed and decomposed letters as one password', async () => {
    const email = fresh()
    await callSignUp(rig, email, 'palavra-passe é ção'.normalize('NFC'))
    expect((await signIn(rig, email, 'palavra-passe é ção'.normalize('NFD'))).status).toBe(200)
  })
})

describe('logout', () => {
  /** Three devices of one user, and one of another. */
  async function devices() {
    const email = fresh()
    const first = await callSignUp(rig, email)
    const others = [await signIn(rig, email), await signIn(rig, email)]
    const stranger = await callSignUp(rig, fresh())
    return {
      userId: first.userId,
      tokens: [first.token, ...others.map(({ body }) => body.access_token as string)],
      stranger: stranger.token,
    }
  }

  test.each([
    ['?scope=local', [403, 200, 200]],
    ['?scope=others', [200, 403, 403]],
    ['?scope=global', [403, 403, 403]],
    ['?scope=', [403, 403, 403]],
    ['', [403, 403, 403]],
  ])('%s leaves the three devices %j', async (query, expected) => {
    const { tokens, stranger } = await devices()
    const answer = await post(`/logout${query}`, undefined, tokens[0])
    expect(answer).toMatchObject({ status: 204, body: '' })
    const statuses = await Promise.all(
      tokens.map(async (token) => (await getUser(rig, token)).status),
    )
    expect(statuses).toEqual(expected)
    expect((await getUser(rig, stranger)).status).toBe(200)
  })

  test.each(['everywhere', 'LOCAL', "'; drop table users"])(
    'with scope %j is refused and ends nothing',
    async (scope) => {
      const { tokens, userId } = await devices()
      const answer = await post(`/logout?scope=${encodeURIComponent(scope)}`, undefined, tokens[0])
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', message: `Unsupported logout scope "${scope}"` },
      })
      expect(await sessionCount(rig, userId)).toBe(3)
    },
  )
})
