import { randomUUID } from 'node:crypto'
import argon2 from '@node-rs/argon2'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  authCall,
  claimsOf,
  getUser,
  PASSWORD,
  sessionCount,
  signIn,
  watchLog,
} from '../../tests/rig/auth-rig.ts'
import { callSignUp, useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
watchLog(rig)

const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
const post = (path: string, body: unknown, token?: string) =>
  authCall(rig, 'POST', path, body, { token })
const put = (token: string, body: unknown) => authCall(rig, 'PUT', '/user', body, { token })
const tableCount = async (table: string) =>
  (await rig.db.$client.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe('sign-up', () => {
  test('returns a session at once and creates user, profile and session', async () => {
    const email = fresh()
    const data = { degree: 'Economics', university: 'Nova', year_of_studies: 3 }
    const { status, body } = await post('/signup', {
      email: `  ${email.toUpperCase()} `,
      password: PASSWORD,
      data,
    })
    expect(status).toBe(200)
    const now = rig.clock.now.toISOString()
    const metadata = {
      ...data,
      email,
      email_verified: false,
      phone_verified: false,
      sub: body.user.id,
    }
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: rig.clock.now.getTime() / 1000 + 3600,
      refresh_token: expect.stringMatching(/^[\w-]{51}$/),
      user: {
        id: expect.any(String),
        aud: 'authenticated',
        role: 'authenticated',
        email,
        email_confirmed_at: now,
        phone: '',
        confirmed_at: now,
        last_sign_in_at: now,
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: metadata,
        identities: [
          {
            identity_id: expect.any(String),
            id: body.user.id,
            user_id: body.user.id,
            identity_data: metadata,
            provider: 'email',
            last_sign_in_at: now,
            created_at: now,
            updated_at: now,
            email,
          },
        ],
        created_at: now,
        updated_at: now,
        is_anonymous: false,
      },
    })
    const { rows } = await rig.db.$client.query(
      `select u.email_verified_at, u.password_hash, p.created_at from users u
       join profiles p on p.user_id = u.id where u.id = $1`,
      [body.user.id],
    )
    expect(rows[0]).toMatchObject({ email_verified_at: null, created_at: rig.clock.now })
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await sessionCount(rig, body.user.id)).toBe(1)
    expect((await getUser(rig, body.access_token)).body).toEqual(body.user)
  })

  test('without e-mail and password creates a guest with the given metadata', async () => {
    for (const given of [{}, { data: { degree: 'Law' } }, { email: '', password: '' }]) {
      const { status, body } = await post('/signup', given)
      expect(status).toBe(200)
      expect(body.user).toMatchObject({
        email: '',
        phone: '',
        is_anonymous: true,
        app_metadata: {},
        identities: [],
      })
      expect(body.user.user_metadata).toEqual('data' in given ? given.data : {})
      expect(body.user).not.toHaveProperty('email_confirmed_at')
      expect(claimsOf(body.access_token)).toMatchObject({
        is_anonymous: true,
        email: '',
        amr: [{ method: 'anonymous' }],
      })
    }
  })

  const challenge = 'c'.repeat(43)
  test.each([
    [
      'no password',
      { email: 'a@example.com' },
      400,
      'validation_failed',
      'Signup requires a valid password',
    ],
    ['no e-mail', { password: PASSWORD }, 400, 'validation_failed', 'An email address is required'],
    [
      'a bad e-mail',
      { email: 'nobody', password: PASSWORD },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'a long e-mail',
      { email: `${'a'.repeat(250)}@example.com`, password: PASSWORD },
      400,
      'validation_failed',
      'An email address is too long',
    ],
    [
      'a phone',
      { phone: '+351910000000', password: PASSWORD },
      400,
      'phone_provider_disabled',
      'Phone signups are disabled',
    ],
    [
      'e-mail and phone',
      { email: 'a@example.com', phone: '1', password: PASSWORD },
      400,
      'validation_failed',
      /Only an email address or phone/,
    ],
    [
      'half a challenge',
      { email: 'a@example.com', password: PASSWORD, code_challenge: challenge },
      400,
      'validation_failed',
      /^PKCE flow requires/,
    ],
    [
      'a short challenge',
      {
        email: 'a@example.com',
        password: PASSWORD,
        code_challenge: 'x',
        code_challenge_method: 's256',
      },
      400,
      'validation_failed',
      /between 43 and 128/,
    ],
    [
      'a weak password before a bad e-mail',
      { email: 'nobody', password: 'short' },
      422,
      'weak_password',
      /8 characters/,
    ],
  ])('refuses %s', async (_, body, status, code, message) => {
    const before = await tableCount('users')
    const answer = await post('/signup', body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.message).toMatch(message)
    expect(await tableCount('users')).toBe(before)
  })

  test('accepts a complete PKCE challenge and ignores it', async () => {
    const body = {
      email: fresh(),
      password: PASSWORD,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    expect((await post('/signup', body)).status).toBe(200)
  })

  test.each([
    'plain',
    'a@b',
    'a@b.',
    '@example.com',
    'a b@example.com',
    'a@exa mple.com',
    'a@-example.com',
    'a@example..com',
    'ä@example.com',
    'a@exämple.com',
    'a@example.com\u0000',
    'a@[127.0.0.1]',
    'a@example.com,b@example.com',
    '"a"@example.com',
    'İ@example.com',
    'a@example.com>',
  ])('rejects %j as an e-mail address', async (email) => {
    expect(await post('/signup', { email, password: PASSWORD })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  test.each(["o'neil+tag@sub.example.co.uk", 'x_y-z.1@a-b.example', '1@2.pt'])(
    'accepts %j as an e-mail address',
    async (email) => {
      expect((await post('/signup', { email, password: PASSWORD })).status).toBe(200)
    },
  )

  test('with a taken address answers user_already_exists in any case and changes nothing', async () => {
    const email = fresh()
    const { userId } = await callSignUp(rig, email)
    const work = [vi.spyOn(argon2, 'hash'), vi.spyOn(argon2, 'verify')]
    onTestFinished(() => void vi.restoreAllMocks())
    const answer = await post('/signup', {
      email: email.toUpperCase(),
      password: 'another password',
      data: { degree: 'x' },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists', message: 'User already registered' },
    })
    for (const spy of work) expect(spy).not.toHaveBeenCalled()
    expect((await signIn(rig, email)).body.user).toMatchObject({ id: userId })
    expect((await signIn(rig, email)).body.user.user_metadata).not.toHaveProperty('degree')
  })

  test('ten times at once with one address succeeds once', async () => {
    const email = fresh()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/signup', { email, password: PASSWORD })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'user_already_exists')).toHaveLength(9)
    expect(await tableCount('users')).toBe(await tableCount('profiles'))
  })
})

describe('sign-up metadata', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)
  test.each([
    ['a year of 0', { year_of_studies: 0 }],
    ['a year of 11', { year_of_studies: 11 }],
    ['half a year', { year_of_studies: 1.5 }],
    ['a year as text', { year_of_studies: '3' }],
    ['a long degree', { degree: 'x'.repeat(201) }],
    ['a university that is not text', { university: ['Nova'] }],
    ['more than 4 kB', { notes: 'x'.repeat(4_096) }],
    ['more than 4 kB in wide letters', { notes: '€'.repeat(1_400) }],
    ['very deep', deep],
    ['a NUL', { degree: 'a\0b' }],
    ['a NUL in a key', { 'a\0b': 1 }],
    ['half a surrogate pair', { degree: '\ud800' }],
  ])('is refused with %s', async (_, data) => {
    const account = await post('/signup', { email: fresh(), password: PASSWORD, data })
    expect(account).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await post('/signup', { data })).status).toBe(400)
    const { token } = await callSignUp(rig)
    expect((await put(token, { data })).status).toBe(400)
  })

  test.each([
    [{ year_of_studies: 1 }],
    [{ year_of_studies: 10 }],
    [{ year_of_studies: null, degree: null, university: '' }],
    [{ degree: 'x'.repeat(200) }],
    [{ degree: 'Gestão, “Économie” 🎓' }],
    [{ newsletter: true, topics: ['a', { b: 1 }] }],
    [{ notes: 'x'.repeat(4_000) }],
  ])('is accepted: %j', async (data) => {
    const { status, body } = await post('/signup', { data })
    expect(status).toBe(200)
    expect(body.user.user_metadata).toEqual(data)
  })

  test('with a key named __proto__ reaches no prototype', async () => {
    const { status } = await authCall(
      rig,
      'POST',
      '/signup',
      '{"data":{"__proto__":{"polluted":1}}}',
    )
    expect(status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('cannot mark the user as verified', async () => {
    const data = { email: 'dean@example.com', email_verified: true, sub: 'x', phone_verified: true }
    const { body } = await post('/signup', { email: fresh(), password: PASSWORD, data })
    const truth = {
      email: body.user.email,
      email_verified: false,
      sub: body.user.id,
      phone_verified: false,
    }
    expect(body.user.user_metadata).toEqual(truth)
    expect(claimsOf(body.access_token).user_metadata).toEqual(truth)
  })
})
