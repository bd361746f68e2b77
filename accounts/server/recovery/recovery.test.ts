// Long because link and digits share their rules, and each is tried with every outcome.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  authCall,
  claimsOf,
  getUser,
  HOUR,
  MINUTE,
  PASSWORD,
  passTime,
  refresh,
  SECOND,
  sessionCount,
  signIn,
  statementsOf,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { recoveryIn, useMail } from '../../../tests/rig/auth-smtp.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeAddressToken } from './address-change.ts'

const rig = useRig()
watchLog(rig)

const mail = useMail(rig)

const fresh = () => `r${randomUUID().slice(0, 8)}@example.com`
const post = (path: string, body: unknown, token?: string) =>
  authCall(rig, 'POST', path, body, { token })
const verify = (body: object) => post('/verify', { type: 'recovery', ...body })
const put = (token: string, body: unknown) => authCall(rig, 'PUT', '/user', body, { token })

/** Asks for recovery and reads the mail. */
async function recover(email: string) {
  // Drops mails of earlier steps.
  await mail.queue.runOnce()
  mail.smtp.received.length = 0
  expect(await post('/recover', { email })).toMatchObject({ status: 200, body: {} })
  await mail.queue.runOnce()
  expect(mail.smtp.received).toHaveLength(1)
  return recoveryIn(mail.smtp.received[0])
}

async function makePerson() {
  const email = fresh()
  return { ...(await signUp(rig, email)), email }
}

const linkExpired = {
  status: 403,
  body: { code: 'otp_expired', message: 'Email link is invalid or has expired' },
}
const codeExpired = {
  status: 403,
  body: { code: 'otp_expired', message: 'Token has expired or is invalid' },
}
const NEXT = 'a quite different one'

describe('a recovery mail', () => {
  test.each(['the link', 'the digits'])(
    'signs in by %s and ends every other session; the new password verifies the address',
    async (way) => {
      const person = await makePerson()
      const { token, code } = await recover(person.email)
      passTime(rig, MINUTE)
      const proof =
        way === 'the link'
          ? { token_hash: token }
          : { email: person.email.toUpperCase(), token: code }
      const { status, body } = await verify(proof)
      expect(status).toBe(200)
      expect(body.user).toMatchObject({
        id: person.userId,
        user_metadata: { email_verified: false },
      })
      expect(claimsOf(body.access_token).amr).toEqual([
        { method: 'otp', timestamp: Math.floor(rig.clock.now.getTime() / 1000) },
      ])
      expect(await sessionCount(rig, person.userId)).toBe(1)
      expect((await getUser(rig, person.token)).status).toBe(403)
      expect((await refresh(rig, person.refreshToken)).status).toBe(400)
      const verifiedAt = async () =>
        (
          await rig.db.$client.query('select email_verified_at as at from users where id = $1', [
            person.userId,
          ])
        ).rows[0].at
      // Anyone who signed up with someone else's address still knows the old password and can sign in.
      expect(await verifiedAt()).toBeNull()
      expect((await signIn(rig, person.email)).body.user.user_metadata.email_verified).toBe(false)
      expect((await getUser(rig, body.access_token)).body.recovery_sent_at).toBeDefined()
      const set = await put(body.access_token, { password: NEXT })
      expect(set.body.user_metadata.email_verified).toBe(true)
      expect(await verifiedAt()).toEqual(rig.clock.now)
      expect(await sessionCount(rig, person.userId)).toBe(1)
    },
  )

  test('lets its session set the password once without the old one', async () => {
    const { email } = await makePerson()
    const { token } = await recover(email)
    const { body: session } = await verify({ token_hash: token })
    // Another address still needs the password.
    expect((await put(session.access_token, { email: fresh() })).body.code).toBe(
      'current_password_required',
    )
    const { status, body: set } = await put(session.access_token, { password: NEXT })
    expect(status).toBe(200)
    expect((await signIn(rig, email)).status).toBe(400)
    expect((await signIn(rig, email, NEXT)).status).toBe(200)
    const more = { password: 'and one more of them' }
    expect(await put(set.session.access_token, more)).toMatchObject({
      status: 400,
      body: { code: 'current_password_required' },
    })
    expect((await put(session.access_token, more)).body.code).toBe('session_not_found')
    expect((await refresh(rig, session.refresh_token)).status).toBe(400)
    const refreshed = await refresh(rig, set.session.refresh_token)
    expect(claimsOf(refreshed.body.access_token).amr).toMatchObject([{ method: 'password' }])
  })

  test('is followed by a mail that reports the new password', async () => {
    const { email } = await makePerson()
    const { token } = await recover(email)
    const { body } = await verify({ token_hash: token })
    await put(body.access_token, { password: NEXT })
    mail.smtp.received.length = 0
    await mail.queue.runOnce()
    expect(mail.smtp.received).toMatchObject([
      { recipients: [email], subject: 'Your password was changed' },
    ])
  })

  test.each(['the link', 'the digits'])(
    'used by %s cannot be used again, by link or by digits',
    async (way) => {
      const { email } = await makePerson()
      const { token, code } = await recover(email)
      await verify(way === 'the link' ? { token_hash: token } : { email, token: code })
      expect(await verify({ token_hash: token })).toMatchObject(linkExpired)
      expect(await verify({ email, token: code })).toMatchObject(codeExpired)
    },
  )

  test('used ten times at once signs in once', async () => {
    const { email, userId } = await makePerson()
    const { token } = await recover(email)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => verify({ token_hash: token })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sessionCount(rig, userId)).toBe(1)
  })

  test.each([
    [HOUR - 1, 200],
    [HOUR, 403],
    [30 * HOUR, 403],
  ])('used %i ms after it was sent is answered %i', async (ms, status) => {
    for (const way of ['link', 'digits']) {
      const { email } = await makePerson()
      const { token, code } = await recover(email)
      passTime(rig, ms)
      const proof = way === 'link' ? { token_hash: token } : { email, token: code }
      expect((await verify(proof)).status).toBe(status)
    }
  })

  test('is void once a later one is sent', async () => {
    const { email } = await makePerson()
    const first = await recover(email)
    passTime(rig, MINUTE)
    const second = await recover(email)
    expect(await verify({ token_hash: first.token })).toMatchObject(linkExpired)
    expect((await verify({ token_hash: second.token })).status).toBe(200)
  })

  test('is void once the password or the address changes', async () => {
    for (const change of [{ password: NEXT }, { email: fresh() }]) {
      const { email, token: access } = await makePerson()
      const { token } = await recover(email)
      const answer = await put(access, { ...change, current_password: PASSWORD })
      expect(answer.status).toBe(200)
      if (change.email) {
        const { secretKey } = rig.dependencies
        const asked = { userId: answer.body.id, email: change.email }
        const link = await makeAddressToken(rig.db, secretKey, rig.clock.now, asked)
        expect((await verify({ token_hash: link, type: 'email_change' })).status).toBe(200)
      }
      expect(await verify({ token_hash: token })).toMatchObject(linkExpired)
    }
  })

  test('blocks verification by any other mail until the new password is set', async () => {
    const { email, token: before } = await signUp(rig, `${randomUUID()}@example.com`)
    const ask = (token: string) => rig.call('POST', '/api/profile/verify-address', { token })
    const { token } = await recover(email as string)
    const { body } = await verify({ token_hash: token })
    expect(await ask(body.access_token)).toMatchObject({
      status: 403,
      body: { code: 'new_password_needed' },
    })
    expect((await ask(before)).status).toBe(401)
  })

  test('is sent to an unverified address too, so that its owner can take it back', async () => {
    const { email, token: stranger } = await makePerson()
    const { token } = await recover(email)
    const { body } = await verify({ token_hash: token })
    await put(body.access_token, { password: NEXT })
    expect((await getUser(rig, stranger)).status).toBe(403)
    expect((await signIn(rig, email)).status).toBe(400)
  })
})

describe('the six digits of a recovery mail', () => {
  const wrongOf = (code: string) => (code === '111111' ? '222222' : '111111')

  test.each([
    [4, 200],
    [5, 403],
  ])('after %i wrong tries are answered %i', async (tries, status) => {
    const { email } = await makePerson()
    const { code } = await recover(email)
    for (let n = 0; n < tries; n++) {
      expect(await verify({ email, token: wrongOf(code) })).toMatchObject(codeExpired)
    }
    expect((await verify({ email, token: code })).status).toBe(status)
  })

  test('allow five of 30 simultaneous tries', async () => {
    const { email } = await makePerson()
    const { code } = await recover(email)
    await Promise.all(Array.from({ length: 30 }, () => verify({ email, token: wrongOf(code) })))
    const { rows } = await rig.db.$client.query(
      'select code_tries from recovery_tokens r join users u on u.id = r.user_id where email = $1',
      [email],
    )
    expect(rows).toEqual([{ code_tries: 5 }])
    expect(await verify({ email, token: code })).toMatchObject(codeExpired)
  })

  test("leave the link valid after a stranger's wrong tries", async () => {
    const { email } = await makePerson()
    const { code, token } = await recover(email)
    for (let n = 0; n < 9; n++) await verify({ email, token: wrongOf(code) })
    expect((await verify({ token_hash: token })).status).toBe(200)
  })

  test('of one person do not work for another', async () => {
    const one = await makePerson()
    const two = await makePerson()
    const { code } = await recover(one.email)
    await recover(two.email)
    const answer = await verify({ email: two.email, token: code })
    // With a probability of one in a million, they are equal.
    expect(answer).toMatchObject(codeExpired)
  })

  test('can be typed with spaces', async () => {
    const { email } = await makePerson()
    const { code } = await recover(email)
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)} `
    expect((await verify({ email, token: typed })).status).toBe(200)
  })
})

describe('POST /recover', () => {
  test('responds and works the same for a known and an unknown address', async () => {
    const { email } = await makePerson()
    await post('/recover', { email: fresh() })
    const seen = []
    for (const address of [email, fresh(), email.toUpperCase().replace('@', '1@')]) {
      const statements = await statementsOf(async () => {
        const { status, body } = await post('/recover', { email: address })
        expect({ status, body }).toEqual({ status: 200, body: {} })
      })
      seen.push(statements)
    }
    expect(seen[0]?.length).toBeGreaterThan(0)
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
    // No statement reads users.
    expect(seen[0]?.join('\n')).not.toMatch(/\busers\b/)
  })

  test('sends one mail for two requests within 60 s or ten at once', async () => {
    const { email } = await makePerson()
    await mail.queue.runOnce()
    mail.smtp.received.length = 0
    await Promise.all(Array.from({ length: 10 }, () => post('/recover', { email })))
    passTime(rig, 59 * SECOND)
    expect(await post('/recover', { email })).toMatchObject({ status: 200, body: {} })
    await mail.queue.runOnce()
    expect(mail.smtp.received).toHaveLength(1)
    passTime(rig, SECOND)
    await post('/recover', { email })
    await mail.queue.runOnce()
    expect(mail.smtp.received).toHaveLength(2)
  })

  test.each([
    [{}, 'Password recovery requires an email'],
    [{ email: '' }, 'Password recovery requires an email'],
    [{ email: 'nobody' }, 'Unable to validate email address: invalid format'],
    [{ email: `a@${'b'.repeat(300)}.example` }, 'An email address is too long'],
  ])('refuses %j', async (body, message) => {
    expect(await post('/recover', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message },
    })
  })

  test('ignores a foreign redirect_to', async () => {
    const { email } = await makePerson()
    await post(`/recover?redirect_to=${encodeURIComponent('https://evil.example/')}`, { email })
    mail.smtp.received.length = 0
    await mail.queue.runOnce()
    expect(JSON.stringify(mail.smtp.received)).not.toContain('evil')
    expect(recoveryIn(mail.smtp.received[0]).link).toMatch(
      /^http:\/\/localhost:3000\/auth\?recovery=/,
    )
  })
})

describe('POST /verify refuses', () => {
  test.each([
    ['no type', { token_hash: 'x' }, 'Verify requires a verification type'],
    ['no token', { type: 'recovery' }, 'Verify requires either a token or a token hash'],
    [
      'two tokens',
      { type: 'recovery', token: '1', token_hash: 'x' },
      'Verify requires either a token or a token hash',
    ],
    [
      'a hash with an address',
      { type: 'recovery', token_hash: 'x', email: 'a@example.com' },
      'Only the token_hash and type should be provided',
    ],
    [
      'digits without an address',
      { type: 'recovery', token: '123456' },
      'Only an email address or phone number should be provided on verify',
    ],
    [
      'digits with two',
      { type: 'recovery', token: '123456', email: 'a@example.com', phone: '1' },
      'Only an email address or phone number should be provided on verify',
    ],
    [
      'a phone',
      { type: 'sms', token: '123456', phone: '1' },
      'Invalid phone number format (E.164 required)',
    ],
    ['an unknown type', { type: 'magic', token_hash: 'x' }, 'Invalid email verification type'],
    [
      'an unknown type with digits',
      { type: 'magic', token: '1', email: 'a@example.com' },
      'Invalid email verification type',
    ],
  ])('%s', async (_, body, message) => {
    expect(await post('/verify', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message },
    })
  })

  test.each(['signup', 'invite', 'magiclink', 'email_change', 'email'])(
    'a valid token under type %s, and leaves it valid',
    async (type) => {
      const { email } = await makePerson()
      const { token, code } = await recover(email)
      expect(await post('/verify', { type, token_hash: token })).toMatchObject(linkExpired)
      expect(await post('/verify', { type, token: code, email })).toMatchObject(codeExpired)
      expect((await verify({ token_hash: token })).status).toBe(200)
    },
  )

  test('tokens that were never sent, and digits for an unknown address', async () => {
    const { email } = await makePerson()
    for (const token of ['x', 'x'.repeat(9_000), '\0', 'é', randomUUID()]) {
      expect(await verify({ token_hash: token })).toMatchObject(linkExpired)
    }
    expect(await verify({ email, token: '123456' })).toMatchObject(codeExpired)
    expect(await verify({ email: fresh(), token: '123456' })).toMatchObject(codeExpired)
  })

  test('a wrong code with the same work as an unknown address', async () => {
    const { email } = await makePerson()
    await recover(email)
    const known = await statementsOf(() => verify({ email, token: 'nope' }))
    const unknown = await statementsOf(() => verify({ email: fresh(), token: 'nope' }))
    expect(unknown).toEqual(known)
  })
})

describe('GET /verify', () => {
  test('leads to the confirmation page and consumes nothing, even when repeated or sent as HEAD', async () => {
    const { email } = await makePerson()
    const { token } = await recover(email)
    const evil = encodeURIComponent('https://evil.example@localhost:3000')
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await authCall(
        rig,
        method,
        `/verify?type=recovery&token=${token}&redirect_to=${evil}`,
      )
      expect(answer.status).toBe(303)
      expect(answer.headers.get('Location')).toBe(`/auth?recovery=${token}`)
    }
    expect((await verify({ token_hash: token })).status).toBe(200)
  })

  test('never redirects to another site', async () => {
    const answer = await authCall(
      rig,
      'GET',
      `/verify?type=recovery&token=${encodeURIComponent('//evil.example/\r\nSet-Cookie: a=b&x')}`,
    )
    expect(answer.headers.get('Location')).toMatch(/^\/auth\?recovery=[\w%.-]+$/)
    expect(answer.headers.get('Set-Cookie')).toBeNull()
  })

  test.each(['', '?type=recovery', '?token=x', '?type=magic&token=x'])(
    'answers %j with 400 in JSON',
    async (query) => {
      expect(await authCall(rig, 'GET', `/verify${query}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      })
    },
  )
})
