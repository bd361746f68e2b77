import { createHmac, randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { JWTPayload } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  authCall,
  claimsOf,
  passTime,
  signClaims,
  statementsOf,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { verifyAccessToken } from './access-token.ts'
import { loadSigningKeys } from './keys.ts'

const rig = useRig()
watchLog(rig)

let good: { token: string; userId: string }
beforeAll(async () => {
  good = await signUp(rig, 'bearer@example.com')
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const otherKey = async () =>
  (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair

/** Tokens that must be rejected, each made from the claims of a valid one. */
const badTokens: [title: string, make: (claims: JWTPayload) => Promise<string> | string][] = [
  ['is not a token', () => 'abc'],
  [
    'has a changed payload',
    (claims) => {
      const [head, , signature] = good.token.split('.')
      return `${head}.${encode({ ...claims, email: 'other@example.com' })}.${signature}`
    },
  ],
  ['has no signature', () => `${good.token.split('.').slice(0, 2).join('.')}.`],
  ['says alg none', (claims) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`],
  [
    'is signed with the public key as an HMAC secret',
    async (claims) => {
      const keys = await loadSigningKeys(rig.dependencies)
      const text = `${encode({ alg: 'HS256', kid: keys.kid })}.${encode(claims)}`
      const secret = JSON.stringify(keys.jwks.keys[0])
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    },
  ],
  [
    'is signed with another key under our name',
    async (claims) => signClaims(rig, claims, { key: (await otherKey()).privateKey }),
  ],
  [
    'is signed with another key under its own name',
    async (claims) => signClaims(rig, claims, { key: (await otherKey()).privateKey, kid: 'other' }),
  ],
  [
    'comes from another issuer',
    (claims) => signClaims(rig, { ...claims, iss: 'https://evil.example/auth/v1' }),
  ],
  ['is for another audience', (claims) => signClaims(rig, { ...claims, aud: 'anon' })],
  [
    'expired a minute ago',
    (claims) =>
      signClaims(rig, { ...claims, exp: Math.floor(rig.clock.now.getTime() / 1000) - 60 }),
  ],
  ['never expires', (claims) => signClaims(rig, { ...claims, exp: undefined })],
]

describe('/auth/v1 refuses bad tokens as the protocol says (product 2.9.4)', () => {
  test.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['Basic', 'Basic dXNlcjpwYXNz'],
    ['Bearer without a token', 'Bearer '],
    ['a token without Bearer', 'eyJ'],
  ])('with 401 no_authorization for %s', async (_, header) => {
    const headers = header === undefined ? undefined : { Authorization: header }
    for (const [method, path] of [
      ['GET', '/user'],
      ['PUT', '/user'],
      ['POST', '/logout'],
    ] as const) {
      const answer = await authCall(rig, method, path, method === 'PUT' ? {} : undefined, {
        headers,
      })
      expect(answer).toMatchObject({
        status: 401,
        body: {
          code: 'no_authorization',
          message: 'This endpoint requires a valid Bearer token',
        },
      })
    }
  })

  test.each(['bearer', 'BEARER', 'Bearer'])('and accepts the word %s in any case', async (word) => {
    const answer = await authCall(rig, 'GET', '/user', undefined, {
      headers: { Authorization: `${word} ${good.token}` },
    })
    expect(answer.status).toBe(200)
  })

  test.each(badTokens)('with 403 bad_jwt for a token that %s', async (_, make) => {
    const token = await make(claimsOf(good.token))
    const answer = await authCall(rig, 'GET', '/user', undefined, { token })
    expect(answer).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
    expect(answer.body.message).toMatch(/^invalid JWT: unable to parse or verify signature, .+/)
  })

  test.each([
    ['no sub', { sub: undefined }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
    ['an empty sub', { sub: '' }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
    [
      'a sub that is not a UUID',
      { sub: 'ann' },
      400,
      'bad_jwt',
      'invalid claim: sub claim must be a UUID',
    ],
    [
      'no session_id',
      { session_id: undefined },
      403,
      'bad_jwt',
      'invalid claim: session_id claim must be a UUID',
    ],
    [
      'a session_id that is not a UUID',
      { session_id: '1' },
      403,
      'bad_jwt',
      'invalid claim: session_id claim must be a UUID',
    ],
    [
      'a session that does not exist',
      { session_id: randomUUID() },
      403,
      'session_not_found',
      'Session from session_id claim in JWT does not exist',
    ],
    [
      "another user's session",
      { sub: randomUUID() },
      403,
      'session_not_found',
      'Session from session_id claim in JWT does not exist',
    ],
  ] as const)('when the token has %s', async (_, changes, status, code, message) => {
    const token = await signClaims(rig, { ...claimsOf(good.token), ...changes })
    const answer = await authCall(rig, 'GET', '/user', undefined, { token })
    expect(answer).toMatchObject({ status, body: { code, message } })
  })

  test('with session_not_found for a signed-out session and for a deleted user', async () => {
    const leaver = await signUp(rig, 'leaver@example.com')
    expect(
      (await authCall(rig, 'POST', '/logout', undefined, { token: leaver.token })).status,
    ).toBe(204)
    const deleted = await signUp(rig, 'deleted@example.com')
    await rig.db.$client.query('delete from users where id = $1', [deleted.userId])
    for (const { token } of [leaver, deleted]) {
      for (const [method, path] of [
        ['GET', '/user'],
        ['POST', '/logout'],
        ['PUT', '/user'],
      ] as const) {
        const body = method === 'PUT' ? { data: { degree: 'x' } } : undefined
        const answer = await authCall(rig, method, path, body, { token })
        expect(answer).toMatchObject({ status: 403, body: { code: 'session_not_found' } })
      }
    }
  })
})

describe('/api refuses with 401', () => {
  const profile = (token?: string) => rig.call('GET', '/api/profile', { token })

  test('a call without a token', async () => {
    expect(await profile()).toMatchObject({ status: 401, body: { code: 'no_authorization' } })
  })

  test.each(badTokens)('as bad_jwt a token that %s', async (_, make) => {
    const token = await make(claimsOf(good.token))
    expect(await profile(token)).toMatchObject({ status: 401, body: { code: 'bad_jwt' } })
  })

  test.each([
    ['sub is not a UUID', { sub: 'ann' }, 'bad_jwt'],
    ['session_id is not a UUID', { session_id: "' or true" }, 'bad_jwt'],
    ['session does not exist', { session_id: randomUUID() }, 'session_not_found'],
    ["session is another user's", { sub: randomUUID() }, 'session_not_found'],
  ] as const)('a token whose %s', async (_, changes, code) => {
    const token = await signClaims(rig, { ...claimsOf(good.token), ...changes })
    expect(await profile(token)).toMatchObject({ status: 401, body: { code } })
  })

  test('an ended session at the very next call, even if its token was seen before', async () => {
    const { token, userId } = await signUp(rig, 'ended@example.com')
    expect((await profile(token)).status).toBe(200)
    await rig.db.$client.query('delete from sessions where user_id = $1', [userId])
    expect(await profile(token)).toMatchObject({ status: 401, body: { code: 'session_not_found' } })
  })

  test('a token that was seen before and has expired since', async () => {
    const { token } = await signUp(rig, 'late@example.com')
    const start = rig.clock.now
    expect((await profile(token)).status).toBe(200)
    passTime(rig, 3_605_000)
    expect((await profile(token)).status, 'within ten seconds of leeway').toBe(200)
    passTime(rig, 6_000)
    expect(await profile(token)).toMatchObject({ status: 401, body: { code: 'bad_jwt' } })
    rig.clock.now = start
  })

  test("the user's data come from the database, not from the token's claims", async () => {
    const { token, userId } = await signUp(rig, 'claims@example.com')
    await rig.db.$client.query("update users set email = 'rows@example.com' where id = $1", [
      userId,
    ])
    expect(claimsOf(token).email).toBe('claims@example.com')
    expect((await profile(token)).body).toMatchObject({
      email: 'rows@example.com',
      isAnonymous: false,
    })
  })

  test('simultaneous calls share one session lookup; consecutive calls do not', async () => {
    const person = await signUp(rig, 'shared@example.com')
    const reads = async (work: () => Promise<unknown>) =>
      (await statementsOf(work)).filter((text) => /\bsessions\b/.test(text)).length
    await profile(person.token)
    const atOnce = () => Promise.all(Array.from({ length: 40 }, () => profile(person.token)))
    expect(await reads(atOnce)).toBeLessThanOrEqual(2)
    const inTurn = async () => {
      for (let n = 0; n < 3; n++) await profile(person.token)
    }
    expect(await reads(inTurn)).toBe(3)
  })

  test('each of many simultaneous calls gets its own user', async () => {
    const people = await Promise.all([1, 2, 3, 4].map((n) => signUp(rig, `many${n}@example.com`)))
    const calls = Array.from({ length: 40 }, (_, n) => people[n % 4] as (typeof people)[number])
    const answers = await Promise.all(calls.map(({ token }) => profile(token)))
    expect(answers.map(({ body }) => body.email)).toEqual(calls.map(({ email }) => email))
  })

  test('every token takes the same little memory, whatever its metadata', {
    tags: ['full'],
  }, async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const claims = claimsOf(good.token)
    const show = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const user_metadata = { n, padding: 'x'.repeat(4_000) }
        const token = await signClaims(rig, { ...claims, user_metadata })
        await verifyAccessToken(rig.dependencies, token)
      }
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await show(100)
    const tokens = 1_000
    const bytesEach = ((await show(tokens)) - before) / tokens
    // A cached token has 6 KB.
    expect(bytesEach).toBeLessThan(2_000)
  })
})
