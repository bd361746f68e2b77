import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { authCall, NEW_SHAPE, PASSWORD, refresh, sessionCount } from '../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'

const rig = useRig()

describe('when the database is down', () => {
  const calls: [method: string, path: string, body: unknown][] = [
    ['POST', '/token?grant_type=password', { email: 'a@example.com', password: PASSWORD }],
    ['POST', '/signup', {}],
    ['POST', '/recover', { email: 'a@example.com' }],
    ['POST', '/verify', { type: 'recovery', token_hash: 'x' }],
  ]

  const gone = openDatabase('postgres://nobody@127.0.0.1:1/none')
  afterAll(() => gone.$client.end())

  test.each([false, true])(
    'the protocol answers 503 (rate limits %s) and the client stays signed in',
    async (rateLimits) => {
      const { token, refreshToken } = await signUp(rig)
      const app = createApp({ ...rig.dependencies, db: gone, rateLimits })
      const all: typeof calls = [
        ...calls,
        ['POST', '/token?grant_type=refresh_token', { refresh_token: refreshToken }],
        ['GET', '/user', undefined],
        ['POST', '/logout', undefined],
      ]
      for (const [method, path, body] of all) {
        const response = await app.request(`/auth/v1${path}`, {
          method,
          headers: {
            ...NEW_SHAPE,
            'Content-Type': 'application/json',
            Authorization: `Bearer ${token}`,
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        expect(response.status, path).toBe(503)
        expect(response.headers.get('Retry-After')).toBe('1')
        expect(response.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
        expect(await response.json()).toEqual({
          code: 'unavailable',
          message: 'The service is busy. Please try again in a moment.',
        })
      }
      const profile = await app.request('/api/profile', {
        headers: { Authorization: `Bearer ${token}` },
      })
      expect(profile.status).toBe(503)
    },
  )

  test('for a moment, the server recovers, the signing key included', async () => {
    const dependencies = { ...rig.dependencies, db: gone }
    const app = createApp(dependencies)
    const ask = () => app.request('/auth/v1/.well-known/jwks.json')
    expect((await ask()).status).toBe(503)
    dependencies.db = rig.db
    expect((await ask()).status).toBe(200)
  })

  test('in the middle of a change, the change leaves nothing half done', async () => {
    const person = await signUp(rig, 'halfway@example.com')
    const original = pg.Client.prototype.query
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      const [first] = given as [string | { text?: string }]
      const text = typeof first === 'string' ? first : (first.text ?? '')
      if (/insert into "?(profiles|mails)/i.test(text)) {
        return Promise.reject(Object.assign(new Error('terminated'), { code: '57P01' }))
      }
      return (original as (...args: unknown[]) => unknown).apply(this, given)
    } as typeof original)
    const users = async () =>
      (await rig.db.$client.query('select count(*) from users')).rows[0].count
    try {
      const before = await users()
      expect((await authCall(rig, 'POST', '/signup', {})).status).toBe(503)
      expect(await users()).toBe(before)
      const change = { password: 'a quite different one', current_password: PASSWORD }
      expect((await authCall(rig, 'PUT', '/user', change, { token: person.token })).status).toBe(
        503,
      )
    } finally {
      vi.restoreAllMocks()
    }
    const signIn = await authCall(rig, 'POST', '/token?grant_type=password', {
      email: 'halfway@example.com',
      password: PASSWORD,
    })
    expect(signIn.status).toBe(200)
  })
})

test('a refresh response lost on the way does not end the session', async () => {
  const { refreshToken, userId } = await signUp(rig, 'lost@example.com')
  // The client never saw this response.
  const lost = await refresh(rig, refreshToken)
  const again = await refresh(rig, refreshToken)
  expect(again.body.refresh_token).toBe(lost.body.refresh_token)
  expect(await sessionCount(rig, userId)).toBe(1)
})

describe('for any input', () => {
  const paths = [
    'POST /signup',
    'POST /token?grant_type=password',
    'POST /token?grant_type=refresh_token',
    'POST /token?grant_type=pkce',
    'POST /recover',
    'POST /verify',
    'POST /logout?scope=local',
    'PUT /user',
    'GET /user',
    'GET /verify?type=recovery',
  ]
  const names = [
    ...['email', 'password', 'phone', 'data', 'refresh_token', 'type', 'token', 'token_hash'],
    ...['current_password', 'app_metadata', 'code_challenge', 'code_challenge_method'],
  ]
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '\ud800', "' or 1=1 --", 'a@example.com', '1e999', 'x'.repeat(300)),
    fc.jsonValue(),
    fc.constantFrom(null, -0, Number.MAX_VALUE, [], {}),
  )
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), nasty).map((value) => JSON.stringify(value)),
    fc.string({ unit: 'binary' }),
  )

  test('the response is never a 5xx and is JSON without secrets', async () => {
    const { token } = await signUp(rig)
    const guard = { current: token }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        body,
        fc.boolean(),
        async (call, text, signedIn) => {
          const [method, path] = call.split(' ') as [string, string]
          const answer = await authCall(rig, method, path, method === 'GET' ? undefined : text, {
            ...(signedIn ? { token: guard.current } : {}),
          })
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
          if (answer.status >= 400) {
            expect(Object.keys(answer.body).sort().join()).toMatch(
              /^(code,message(,weak_password)?|error,error_description)$/,
            )
          }
          expect(JSON.stringify(answer.body)).not.toMatch(/argon2|select |insert |\.ts:\d/)
          if (path.startsWith('/logout') && answer.status === 204)
            guard.current = (await signUp(rig)).token
        },
      ),
      { numRuns: 300 },
    )
    expect(rig.logged.filter(({ level }) => level >= 50)).toEqual([])
  })

  test.each([
    'Bearer \u00e9',
    `Bearer ${'a'.repeat(20_000)}`,
    'Bearer a.b.c',
    'Bearer ...',
    `Bearer ${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30.AA`,
  ])('as a token, auth calls refuse it: %s', async (header) => {
    const auth = await authCall(rig, 'GET', '/user', undefined, {
      headers: { Authorization: header },
    })
    expect([401, 403]).toContain(auth.status)
    const api = await rig.call('GET', '/api/profile', { headers: { Authorization: header } })
    expect(api.status).toBe(401)
  })
})

test('an unexpected error is 500 without details in the answer and with details in the log', async () => {
  const { token } = await signUp(rig)
  await rig.db.$client.query('alter table sessions rename column amr to amr_away')
  const answer = await authCall(rig, 'GET', '/user', undefined, { token })
  await rig.db.$client.query('alter table sessions rename column amr_away to amr')
  expect(answer).toMatchObject({
    status: 500,
    body: {
      code: 'unexpected_failure',
      message: 'An unexpected error occurred. Please try again.',
    },
  })
  expect(Object.keys(answer.body)).toEqual(['code', 'message'])
  const logged = rig.logged.filter(({ level }) => level >= 50)
  expect(logged).toMatchObject([{ msg: 'unexpected error', path: '/auth/v1/user' }])
  expect(JSON.stringify(logged)).not.toContain(token)
})

test('the log of a failed statement contains no values', async () => {
  await rig.db.$client.query('alter table users rename column metadata to metadata_away')
  const body = { email: 'private@example.com', password: PASSWORD }
  const answer = await authCall(rig, 'POST', '/signup', body)
  await rig.db.$client.query('alter table users rename column metadata_away to metadata')
  expect(answer.status).toBe(500)
  const logged = JSON.stringify(rig.logged)
  expect(logged).toContain('insert into')
  expect(logged).not.toMatch(/private@example|argon2id/)
})
