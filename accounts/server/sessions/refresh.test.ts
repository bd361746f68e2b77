import { createHash, randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../../app/server/app.ts'
import {
  authCall,
  claimsOf,
  HOUR,
  passTime,
  refresh,
  SECOND,
  sessionCount,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { decodeRefreshToken, encodeRefreshToken } from './refresh-token.ts'

const rig = useRig()
watchLog(rig)

let people = 0
/** Signs up a user and refreshes the token that many times. @returns all tokens, oldest first */
async function refreshed(times: number, { guest = false } = {}) {
  const person = await signUp(rig, guest ? undefined : `refresh${++people}@example.com`)
  const tokens = [person.refreshToken]
  for (let n = 0; n < times; n++) {
    const { body } = await refresh(rig, tokens.at(-1) as string)
    tokens.push(body.refresh_token)
  }
  return { ...person, tokens, current: tokens.at(-1) as string }
}

describe('a refresh token, by its age in rotations (product 2.1.5)', () => {
  // Three refreshes, so the session's counter is 3; token n has counter n.
  const table: [token: number, sinceRotationMs: number, answer: 'next' | 'current' | 'end'][] = [
    [3, 0, 'next'],
    [3, 365 * 24 * HOUR, 'next'],
    [2, 0, 'current'],
    [2, HOUR, 'current'],
    [2, 365 * 24 * HOUR, 'current'],
    [1, 0, 'current'],
    [1, 59_999, 'current'],
    [1, 60_000, 'end'],
    [0, 59_999, 'current'],
    [0, 60_000, 'end'],
    [0, HOUR, 'end'],
  ]

  test.each(table)(
    'number %i of 3, used %i ms after the rotation: %s',
    async (index, ms, expected) => {
      const { tokens, current, userId } = await refreshed(3)
      passTime(rig, ms)
      const answer = await refresh(rig, tokens[index] as string)
      if (expected === 'end') {
        expect(answer).toMatchObject({
          status: 400,
          body: {
            code: 'refresh_token_already_used',
            message: 'Invalid Refresh Token: Already Used',
          },
        })
        expect(await sessionCount(rig, userId)).toBe(0)
        // All tokens are invalid for good, including the newest.
        for (const token of tokens) {
          expect(await refresh(rig, token)).toMatchObject({
            status: 400,
            body: { code: 'refresh_token_not_found' },
          })
        }
        return
      }
      expect(answer.status).toBe(200)
      if (expected === 'current') expect(answer.body.refresh_token).toBe(current)
      else expect(tokens).not.toContain(answer.body.refresh_token)
      // The returned token can be refreshed again.
      expect((await refresh(rig, answer.body.refresh_token)).status).toBe(200)
    },
  )

  test.each([1, 2, 3])(
    "a guest's token that is %i behind returns the current one at any time",
    async (behind) => {
      const { tokens, current } = await refreshed(3, { guest: true })
      passTime(rig, 40 * 24 * HOUR)
      const answer = await refresh(rig, tokens[3 - behind] as string)
      expect(answer.status).toBe(200)
      expect(answer.body.refresh_token).toBe(current)
    },
  )

  test('an account that was a guest gets no leniency for old tokens', async () => {
    const { tokens, current } = await refreshed(3, { guest: true })
    const { body } = await refresh(rig, current)
    const account = {
      email: `was-guest${randomUUID()}@example.com`,
      password: 'correct horse battery',
    }
    const { body: changed } = await authCall(rig, 'PUT', '/user', account, {
      token: body.access_token,
    })
    expect((await refresh(rig, tokens[0] as string)).body.code).toBe('refresh_token_not_found')
    const first = changed.session.refresh_token
    const second = (await refresh(rig, first)).body.refresh_token
    await refresh(rig, second)
    passTime(rig, HOUR)
    expect((await refresh(rig, first)).body.code).toBe('refresh_token_already_used')
  })

  test('the same old token always returns the same current one', async () => {
    const { tokens, current } = await refreshed(1)
    for (let n = 0; n < 5; n++) {
      passTime(rig, HOUR)
      expect((await refresh(rig, tokens[0] as string)).body.refresh_token).toBe(current)
    }
  })

  test('replays do not extend the reuse interval', async () => {
    const { tokens } = await refreshed(3)
    for (let n = 0; n < 3; n++) {
      passTime(rig, 19 * SECOND)
      expect((await refresh(rig, tokens[0] as string)).status).toBe(200)
    }
    passTime(rig, 19 * SECOND)
    expect((await refresh(rig, tokens[0] as string)).status).toBe(400)
  })
})

describe('refresh tokens that were never issued', () => {
  const forge = (counter: number, sessionId: string, key = rig.dependencies.secretKey) =>
    encodeRefreshToken(key, sessionId, counter)

  test('with a counter ahead of the session are refused, and the session stays', async () => {
    const { token, userId, refreshToken } = await signUp(rig, 'ahead@example.com')
    const ahead = forge(1, String(claimsOf(token).session_id))
    expect(await refresh(rig, ahead)).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        message: expect.stringContaining('Not Issued By This Server'),
      },
    })
    expect(await sessionCount(rig, userId)).toBe(1)
    expect((await refresh(rig, refreshToken)).status).toBe(200)
  })

  test.each([
    [
      'signed with another key',
      () => forge(0, randomUUID(), randomBytes(32)),
      'refresh_token_not_found',
    ],
    ['of a session that does not exist', () => forge(0, randomUUID()), 'refresh_token_not_found'],
    ['in the shape of the old algorithm', () => 'abcdefghij12', 'refresh_token_not_found'],
    ['cut off', () => forge(0, randomUUID()).slice(0, -1), 'validation_failed'],
    ['with a letter changed', () => flip(forge(0, randomUUID()), 20), 'validation_failed'],
    ['too short', () => 'abc', 'validation_failed'],
    ['far too long', () => 'a'.repeat(5_000), 'validation_failed'],
    ['with invalid characters', () => `${'é'.repeat(51)}`, 'validation_failed'],
    ['with a NUL', () => '\0'.repeat(51), 'validation_failed'],
  ])('are refused with 400: a token %s', async (_, make, code) => {
    expect(await refresh(rig, make())).toMatchObject({ status: 400, body: { code } })
  })

  test('an absent token gets the OAuth error', async () => {
    const body = { error: 'invalid_request', error_description: 'refresh_token required' }
    for (const given of [{}, { refresh_token: '' }, { refresh_token: null }]) {
      const answer = await authCall(rig, 'POST', '/token?grant_type=refresh_token', given)
      expect(answer).toMatchObject({ status: 400, body })
    }
  })

  test("a live session's counter with a wrong key or another session's signature is refused", async () => {
    const victim = await signUp(rig, 'victim@example.com')
    const attacker = await signUp(rig, 'attacker@example.com')
    const victimId = String(claimsOf(victim.token).session_id)
    const otherKey = forge(0, victimId, randomBytes(32))
    // One token's data with the other's signature and a valid checksum.
    const bytes = Buffer.from(attacker.refreshToken, 'base64url')
    Buffer.from(victim.refreshToken, 'base64url').copy(bytes, 1, 1, 17)
    createHash('sha256')
      .update(bytes.subarray(0, -4))
      .digest()
      .copy(bytes, bytes.length - 4, 0, 4)
    for (const forged of [otherKey, bytes.toString('base64url')]) {
      expect(await refresh(rig, forged)).toMatchObject({
        status: 400,
        body: { code: 'refresh_token_not_found' },
      })
    }
    expect((await refresh(rig, victim.refreshToken)).status).toBe(200)
  })

  test.each(['local', 'global'])(
    'after logout (%s) every token is refresh_token_not_found',
    async (scope) => {
      const { token, tokens } = await refreshed(2)
      await authCall(rig, 'POST', `/logout?scope=${scope}`, undefined, { token })
      for (const old of tokens) {
        expect((await refresh(rig, old)).body.code).toBe('refresh_token_not_found')
      }
    },
  )

  test("a deleted user's token is refresh_token_not_found", async () => {
    const { userId, current } = await refreshed(1)
    await rig.db.$client.query('delete from users where id = $1', [userId])
    expect((await refresh(rig, current)).body.code).toBe('refresh_token_not_found')
  })
})

describe('simultaneous refreshes', () => {
  test.each([1, 20])(
    '20 with one token, %i at a time, all return the same next token',
    async (atOnce) => {
      const { refreshToken, userId } = await signUp(rig, `tabs${atOnce}@example.com`)
      const answers = []
      for (let n = 0; n < 20; n += atOnce) {
        answers.push(
          ...(await Promise.all(Array.from({ length: atOnce }, () => refresh(rig, refreshToken)))),
        )
      }
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
      expect(answers[0]?.body.refresh_token).not.toBe(refreshToken)
      const { rows } = await rig.db.$client.query(
        'select refresh_counter from sessions where user_id = $1',
        [userId],
      )
      expect(rows).toEqual([{ refresh_counter: 1 }])
    },
  )

  test('that race with a logout leave the user signed out', async () => {
    const { token, refreshToken, userId } = await signUp(rig, 'race@example.com')
    const [logout, ...answers] = await Promise.all([
      authCall(rig, 'POST', '/logout', undefined, { token }),
      ...Array.from({ length: 10 }, () => refresh(rig, refreshToken)),
    ])
    expect(logout?.status).toBe(204)
    for (const { status } of answers) expect([200, 400]).toContain(status)
    expect(await sessionCount(rig, userId)).toBe(0)
  })
})

test('a restart or another node accepts the same refresh tokens', async () => {
  const { tokens, current, token } = await refreshed(2)
  const other = createApp({ ...rig.dependencies })
  const ask = async (refreshToken: string) => {
    const response = await other.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: refreshToken }),
    })
    return { status: response.status, body: await response.json() }
  }
  const user = await other.request('/auth/v1/user', {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(user.status).toBe(200)
  expect((await ask(tokens[1] as string)).body.refresh_token).toBe(current)
  const next = await ask(current)
  expect(next.status).toBe(200)
  expect((await refresh(rig, next.body.refresh_token)).status).toBe(200)
})

test('a refresh returns a whole session with current claims and the same session id', async () => {
  const person = await signUp(rig, 'whole@example.com')
  const before = claimsOf(person.token)
  await authCall(rig, 'PUT', '/user', { data: { degree: 'Finance' } }, { token: person.token })
  passTime(rig, 1_000)
  const { body } = await refresh(rig, person.refreshToken)
  expect(body).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(rig.clock.now.getTime() / 1000) + 3600,
    user: { id: person.userId },
  })
  const after = claimsOf(body.access_token)
  expect(after).toMatchObject({
    session_id: before.session_id,
    amr: before.amr,
    user_metadata: { degree: 'Finance' },
  })
})

test('the session stores the device and time of the last rotation', async () => {
  const { refreshToken, userId } = await signUp(rig, 'device@example.com')
  passTime(rig, HOUR)
  await refresh(rig, refreshToken, { headers: { 'User-Agent': `Phone ${'x'.repeat(1_000)}` } })
  const { rows } = await rig.db.$client.query(
    'select user_agent, ip, refreshed_at from sessions where user_id = $1',
    [userId],
  )
  expect(rows[0]).toMatchObject({ ip: 'unknown', refreshed_at: rig.clock.now })
  expect(rows[0].user_agent).toMatch(/^Phone x{294}$/)
})

describe('the format of a refresh token', () => {
  const key = randomBytes(32)

  test('has 51 characters, as the protocol says', () => {
    expect(encodeRefreshToken(key, randomUUID(), 0)).toHaveLength(51)
  })

  test('decodes to what was encoded', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 2 ** 31 - 1 }), (sessionId, counter) => {
        const token = encodeRefreshToken(key, sessionId, counter)
        expect(decodeRefreshToken(key, token)).toEqual({ kind: 'valid', sessionId, counter })
      }),
    )
  })

  test('does not decode after any character is changed', () => {
    const token = encodeRefreshToken(key, randomUUID(), 300)
    for (let at = 0; at < token.length; at++) {
      expect(decodeRefreshToken(key, flip(token, at)).kind).not.toBe('valid')
    }
  })
})

/** The token with one character changed. */
function flip(token: string, at: number): string {
  const other = token[at] === 'A' ? 'B' : 'A'
  return token.slice(0, at) + other + token.slice(at + 1)
}
