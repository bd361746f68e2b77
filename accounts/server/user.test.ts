import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  authCall,
  claimsOf,
  getUser,
  HOUR,
  PASSWORD,
  passTime,
  refresh,
  signIn,
  watchLog,
} from '../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { makeAddressToken } from './recovery/address-change.ts'

const rig = useRig()
watchLog(rig)

const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
const put = (token: string, body: unknown) => authCall(rig, 'PUT', '/user', body, { token })
/** The token of a mail to a new address; '' if no mail would be sent. */
const makeToken = async (userId: string, email: string) =>
  (await makeAddressToken(rig.db, rig.dependencies.secretKey, rig.clock.now, { userId, email })) ??
  ''
const answerMail = (token: string) =>
  authCall(rig, 'POST', '/verify', { type: 'email_change', token_hash: token })
const confirm = async (userId: string, email: string) => answerMail(await makeToken(userId, email))
const mailsTo = async (email: string) =>
  (
    await rig.db.$client.query<{ kind: string }>('select kind from mails where recipient = $1', [
      email,
    ])
  ).rows.map(({ kind }) => kind)
const tableCount = async (table: string) =>
  (await rig.db.$client.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe('PUT /user', () => {
  test('merges metadata key by key; null removes a key', async () => {
    const { token } = await signUp(rig)
    await put(token, { data: { degree: 'Law', university: 'Nova', a: 1 } })
    const { body } = await put(token, { data: { degree: 'Finance', a: null, b: { c: 2 } } })
    expect(body.user_metadata).toEqual({ degree: 'Finance', university: 'Nova', b: { c: 2 } })
    expect((await getUser(rig, token)).body.user_metadata).toEqual(body.user_metadata)
  })

  test('allows 4 kB of metadata in total, not per change', async () => {
    const { token } = await signUp(rig)
    expect((await put(token, { data: { a: 'x'.repeat(3_000) } })).status).toBe(200)
    expect((await put(token, { data: { b: 'x'.repeat(3_000) } })).status).toBe(400)
  })

  test('changes nothing for an empty body and sends no tokens', async () => {
    const { token, userId } = await signUp(rig, fresh())
    const { status, body } = await put(token, {})
    expect(status).toBe(200)
    expect(body.id).toBe(userId)
    expect(JSON.stringify(body)).not.toMatch(/token|argon2|password_hash/)
  })

  test('turns a guest into an account in place, with the same id and the returned session', async () => {
    const guest = await signUp(rig)
    await put(guest.token, { data: { degree: 'Law' } })
    const email = fresh()
    const { status, body } = await put(guest.token, {
      email: email.toUpperCase(),
      password: PASSWORD,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: guest.userId,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { degree: 'Law', email },
      identities: [{ provider: 'email', email }],
    })
    const refreshed = await refresh(rig, body.session.refresh_token)
    for (const token of [body.session.access_token, refreshed.body.access_token]) {
      expect(claimsOf(token)).toMatchObject({
        sub: guest.userId,
        is_anonymous: false,
        email,
        amr: [{ method: 'password' }],
      })
      expect((await getUser(rig, token)).body.id).toBe(guest.userId)
    }
    // The guest's copied or planted tokens no longer work.
    expect((await getUser(rig, guest.token)).body.code).toBe('session_not_found')
    expect((await refresh(rig, guest.refreshToken)).body.code).toBe('refresh_token_not_found')
    expect((await signIn(rig, email)).body.user.id).toBe(guest.userId)
  })

  test.each([
    [
      'only a password',
      { password: PASSWORD },
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    ],
    [
      'only an address',
      { email: 'alone@example.com' },
      422,
      'validation_failed',
      'Please choose a password together with the email address.',
    ],
    [
      'a weak password',
      { email: 'weak@example.com', password: 'short' },
      422,
      'weak_password',
      /8 characters/,
    ],
    [
      'an empty password',
      { email: 'weak@example.com', password: '' },
      422,
      'weak_password',
      /8 characters/,
    ],
    [
      'a bad address',
      { email: 'weak', password: PASSWORD },
      400,
      'validation_failed',
      /invalid format/,
    ],
  ])('leaves a guest with %s a guest', async (_, body, status, code, message) => {
    const guest = await signUp(rig)
    const answer = await put(guest.token, body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.message).toMatch(message)
    expect((await getUser(rig, guest.token)).body.is_anonymous).toBe(true)
  })

  test('answers email_exists for a taken address, for guests and accounts, also at the same moment', async () => {
    const taken = fresh()
    await signUp(rig, taken)
    const expected = {
      status: 422,
      body: {
        code: 'email_exists',
        message: 'A user with this email address has already been registered',
      },
    }
    const guest = await signUp(rig)
    expect(await put(guest.token, { email: taken, password: PASSWORD })).toMatchObject(expected)
    const account = await signUp(rig, fresh())
    expect(await put(account.token, { email: taken, current_password: PASSWORD })).toMatchObject(
      expected,
    )

    const wanted = fresh()
    const guests = await Promise.all(Array.from({ length: 5 }, () => signUp(rig)))
    const answers = await Promise.all(
      guests.map(({ token }) => put(token, { email: wanted, password: PASSWORD })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'email_exists')).toHaveLength(4)
  })

  test('requires the current password for a new one', async () => {
    const email = fresh()
    const { token } = await signUp(rig, email)
    const next = 'a quite different one'
    expect(await put(token, { password: next })).toMatchObject({
      status: 400,
      body: { code: 'current_password_required' },
    })
    expect(await put(token, { password: next, current_password: 'wrong password' })).toMatchObject({
      status: 400,
      body: { code: 'current_password_invalid' },
    })
    expect(await put(token, { password: PASSWORD, current_password: PASSWORD })).toMatchObject({
      status: 422,
      body: {
        code: 'same_password',
        message: 'New password should be different from the old password.',
      },
    })
    expect(await put(token, { password: 'short', current_password: PASSWORD })).toMatchObject({
      status: 422,
      body: { code: 'weak_password' },
    })
    expect((await signIn(rig, email)).status).toBe(200)
    expect((await put(token, { password: next, current_password: PASSWORD })).status).toBe(200)
    expect((await signIn(rig, email)).status).toBe(400)
    expect((await signIn(rig, email, next)).status).toBe(200)
  })

  test('ends every session, this one too, and voids recovery tokens when the password changes, and mails the owner', async () => {
    const email = fresh()
    const first = await signUp(rig, email)
    const second = await signIn(rig, email)
    await rig.db.$client.query(
      `insert into recovery_tokens values ($1, 'hash', 'code', 0, $2, $3)`,
      [first.userId, rig.clock.now, new Date(rig.clock.now.getTime() + HOUR)],
    )
    const { body } = await put(first.token, {
      password: 'a quite different one',
      current_password: PASSWORD,
    })
    expect((await getUser(rig, first.token)).status).toBe(403)
    expect((await refresh(rig, first.refreshToken)).status).toBe(400)
    expect((await getUser(rig, second.body.access_token)).status).toBe(403)
    expect((await refresh(rig, second.body.refresh_token)).status).toBe(400)
    expect((await getUser(rig, body.session.access_token)).status).toBe(200)
    expect((await refresh(rig, body.session.refresh_token)).status).toBe(200)
    expect(await tableCount('recovery_tokens')).toBe(0)
    const { rows } = await rig.db.$client.query('select kind from mails where recipient = $1', [
      email,
    ])
    expect(rows).toEqual([{ kind: 'password_changed' }])
  })

  test('mails one address at most five changes an hour, over all accounts that name it', async () => {
    const email = fresh()
    const told = async () =>
      (await rig.db.$client.query('select from mails where recipient = $1', [email])).rowCount
    for (let account = 0; account < 2; account++) {
      let { token } = await signUp(rig, email)
      let old = PASSWORD
      for (let n = 0; n < 4; n++) {
        const password = `another password ${account} ${n}`
        const { body } = await put(token, { password, current_password: old })
        token = body.session.access_token
        old = password
      }
      await rig.call('DELETE', '/api/profile', { token, body: { password: old } })
    }
    expect(await told()).toBe(5)
    passTime(rig, HOUR)
    const { token } = await signUp(rig, email)
    await put(token, { password: 'another password', current_password: PASSWORD })
    expect(await told()).toBe(6)
  })

  test('changes the address only with the password and after its mail is confirmed', async () => {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    const next = fresh()
    expect((await put(token, { email: next })).body.code).toBe('current_password_required')
    expect((await put(token, { email: next, current_password: 'wrong password' })).body.code).toBe(
      'current_password_invalid',
    )
    await rig.db.$client.query('update users set email_verified_at = $1 where id = $2', [
      rig.clock.now,
      userId,
    ])
    const { body } = await put(token, { email: next, current_password: PASSWORD })
    expect(body).toMatchObject({
      email,
      new_email: next,
      user_metadata: { email, email_verified: true },
    })
    expect((await signIn(rig, next)).status).toBe(400)
    expect((await signIn(rig, email)).status).toBe(200)
    expect(await mailsTo(next)).toEqual(['email_change'])
    expect(await mailsTo(email)).toEqual([])

    expect((await confirm(userId, next)).body).toEqual({
      msg: 'Confirmation link accepted.',
      code: '200',
    })
    expect((await getUser(rig, token)).body).toMatchObject({
      email: next,
      user_metadata: { email: next, email_verified: true },
    })
    expect((await signIn(rig, email)).status).toBe(400)
    expect((await signIn(rig, next)).status).toBe(200)
    expect(await mailsTo(email)).toEqual(['email_changed'])
  })

  test('accepts the link to a new address once, within a day, and only the latest', async () => {
    const { token, userId } = await signUp(rig, fresh())
    const ask = (email: string) => put(token, { email, current_password: PASSWORD })
    const [first, second] = [fresh(), fresh()]
    await ask(first)
    const old = await makeToken(userId, first)
    await ask(second)
    expect((await answerMail(old)).status).toBe(403)
    expect(await makeToken(userId, first)).toBe('')
    const link = await makeToken(userId, second)
    // A repeated request keeps the unopened mail's link valid, because no second mail may come.
    await ask(second)
    const start = rig.clock.now
    passTime(rig, 24 * HOUR)
    expect(await answerMail(link)).toMatchObject({ status: 403, body: { code: 'otp_expired' } })
    rig.clock.now = start
    passTime(rig, 24 * HOUR - 1)
    const both = await Promise.all([answerMail(link), answerMail(link)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    rig.clock.now = start
    expect((await getUser(rig, token)).body.email).toBe(second)
  })

  test('drops a new address that another account has taken meanwhile, or when the password changes', async () => {
    const { token, userId } = await signUp(rig, fresh())
    const wanted = fresh()
    await put(token, { email: wanted, current_password: PASSWORD })
    await signUp(rig, wanted)
    expect(await confirm(userId, wanted)).toMatchObject({
      status: 422,
      body: { code: 'email_exists' },
    })
    const next = fresh()
    await put(token, { email: next, current_password: PASSWORD })
    const link = await makeToken(userId, next)
    await put(token, { password: 'another horse battery', current_password: PASSWORD })
    expect((await answerMail(link)).status).toBe(403)
  })

  test('verifies the current address by a mail to it, once, without counting a change', async () => {
    const email = fresh()
    const { token, userId } = await signUp(rig, email)
    const ask = (token: string) => rig.call('POST', '/api/profile/verify-address', { token })
    const isVerified = async () =>
      (
        await rig.db.$client.query(
          'select email_verified_at is not null as "is" from users where id = $1',
          [userId],
        )
      ).rows[0].is
    expect(await ask(token)).toMatchObject({ status: 200, body: { email, isVerified: false } })
    expect(await mailsTo(email)).toEqual(['email_change'])
    expect(await isVerified()).toBe(false)
    const link = await makeToken(userId, email)
    expect((await answerMail(link)).status).toBe(200)
    expect(await isVerified()).toBe(true)
    expect((await answerMail(link)).body.code).toBe('otp_expired')
    expect((await getUser(rig, token)).body.email).toBe(email)
    expect((await ask(token)).body).toEqual({ email, isVerified: true })
    // Neither a second link nor a notice to the abandoned address is sent.
    expect(await mailsTo(email)).toEqual(['email_change'])
    const guest = await signUp(rig)
    expect(await ask(guest.token)).toMatchObject({ status: 403, body: { code: 'account_needed' } })
  })

  test('treats the current address as no change', async () => {
    const email = fresh()
    const { token } = await signUp(rig, email)
    expect((await put(token, { email: email.toUpperCase(), data: { a: 1 } })).status).toBe(200)
  })

  test.each([
    [{ app_metadata: { provider: 'x' } }, 403, 'not_admin'],
    [{ phone: '+351910000000' }, 400, 'phone_provider_disabled'],
  ])('refuses %j', async (body, status, code) => {
    const { token } = await signUp(rig, fresh())
    expect(await put(token, body)).toMatchObject({ status, body: { code } })
  })

  test('performs one of two simultaneous password changes and refuses the other', async () => {
    const email = fresh()
    const { token } = await signUp(rig, email)
    const wanted = ['the first of the two', 'the second of the two']
    const answers = await Promise.all(
      wanted.map((password) => put(token, { password, current_password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = wanted[answers.findIndex(({ status }) => status === 200)] as string
    expect((await signIn(rig, email, winner)).status).toBe(200)
  })
})
