import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import {
  authCall,
  claimsOf,
  getUser,
  HOUR,
  PASSWORD,
  passTime,
  refresh,
  sessionCount,
  signIn,
  statementsOf,
  watchLog,
} from '../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'

const argon2 = vi.hoisted(() => ({ calls: [] as string[] }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return {
    ...real,
    hash: (...given: Parameters<typeof real.hash>) => {
      argon2.calls.push('hash')
      return real.hash(...given)
    },
    verify: (...given: Parameters<typeof real.verify>) => {
      // The parameters are what the time depends on.
      argon2.calls.push(`verify ${String(given[0]).split('$').slice(0, 4).join('$')}`)
      return real.verify(...given)
    },
  }
})

const rig = useRig()
watchLog(rig)

const fresh = () => `p${randomUUID().slice(0, 8)}@example.com`
const post = (path: string, body: unknown, token?: string) =>
  authCall(rig, 'POST', path, body, { token })
const put = (token: string, body: unknown) => authCall(rig, 'PUT', '/user', body, { token })
const tableCount = async (table: string) =>
  (await rig.db.$client.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe('sign-up', () => {
  test('answers a session at once, and makes user, profile and session', async () => {
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

  test('without e-mail and password makes a guest, whose metadata is what was sent', async () => {
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

  test('takes a whole challenge, and ignores it', async () => {
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
  ])('%j is no e-mail address', async (email) => {
    expect(await post('/signup', { email, password: PASSWORD })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  test.each(["o'neil+tag@sub.example.co.uk", 'x_y-z.1@a-b.example', '1@2.pt'])(
    '%j is one',
    async (email) => {
      expect((await post('/signup', { email, password: PASSWORD })).status).toBe(200)
    },
  )

  test('a taken address is user_already_exists, whatever its case, and changes nothing', async () => {
    const email = fresh()
    const { userId } = await signUp(rig, email)
    argon2.calls = []
    const answer = await post('/signup', {
      email: email.toUpperCase(),
      password: 'another password',
      data: { degree: 'x' },
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists', message: 'User already registered' },
    })
    expect(argon2.calls).toEqual([])
    expect((await signIn(rig, email)).body.user).toMatchObject({ id: userId })
    expect((await signIn(rig, email)).body.user.user_metadata).not.toHaveProperty('degree')
  })

  test('of ten sign-ups of one address at once, one succeeds', async () => {
    const email = fresh()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post('/signup', { email, password: PASSWORD })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'user_already_exists')).toHaveLength(9)
    expect(await tableCount('users')).toBe(await tableCount('profiles'))
  })
})

describe('metadata', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)
  test.each([
    ['a year of 0', { year_of_studies: 0 }],
    ['a year of 11', { year_of_studies: 11 }],
    ['half a year', { year_of_studies: 1.5 }],
    ['a year as text', { year_of_studies: '3' }],
    ['a long degree', { degree: 'x'.repeat(201) }],
    ['a university that is no text', { university: ['Nova'] }],
    ['more than 4 kB', { notes: 'x'.repeat(4_096) }],
    ['more than 4 kB in wide letters', { notes: '€'.repeat(1_400) }],
    ['very deep', deep],
    ['a NUL', { degree: 'a\0b' }],
    ['a NUL in a key', { 'a\0b': 1 }],
    ['half a surrogate pair', { degree: '\ud800' }],
  ])('refuses %s', async (_, data) => {
    const account = await post('/signup', { email: fresh(), password: PASSWORD, data })
    expect(account).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await post('/signup', { data })).status).toBe(400)
    const { token } = await signUp(rig)
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
  ])('takes %j', async (data) => {
    const { status, body } = await post('/signup', { data })
    expect(status).toBe(200)
    expect(body.user.user_metadata).toEqual(data)
  })

  test('a key named __proto__ reaches no prototype', async () => {
    const { status } = await authCall(
      rig,
      'POST',
      '/signup',
      '{"data":{"__proto__":{"polluted":1}}}',
    )
    expect(status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('nobody can pass for verified by what they send', async () => {
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

describe('sign-in', () => {
  test('answers a new session each time, whatever the case of the address', async () => {
    const email = fresh()
    const { userId, token } = await signUp(rig, email)
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

  test('an unknown address, a wrong password, no password and a guest: one answer, one work', async () => {
    const email = fresh()
    await signUp(rig, email)
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
    const works = []
    for (const [address, password] of given) {
      argon2.calls = []
      const statements = await statementsOf(async () => {
        const answer = await signIn(rig, address, password)
        expect(answer.status).toBe(400)
        expect(answer.body).toEqual({
          code: 'invalid_credentials',
          message: 'Invalid login credentials',
        })
      })
      works.push({ statements, hashing: argon2.calls })
    }
    expect(works[0]?.hashing).toEqual(['verify $argon2id$v=19$m=19456,t=2,p=1'])
    for (const work of works) expect(work).toEqual(works[0])
  })

  test('a password that changes while it is compared opens no session', async () => {
    const email = fresh()
    const { userId } = await signUp(rig, email)
    const change = await rig.db.$client.connect()
    try {
      await change.query('begin')
      await change.query(`update users set password_hash = 'another' where id = $1`, [userId])
      const answer = signIn(rig, email)
      // It has read and compared the old password, and waits for the row.
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
  ])('%j is refused', async (body, code, message) => {
    const answer = await post('/token?grant_type=password', body)
    expect(answer).toMatchObject({ status: 400, body: { code, message } })
  })

  test('a password that became weak still signs in, and is told', async () => {
    const email = fresh()
    await signUp(rig, email)
    const strong = await signIn(rig, email)
    expect(strong.body).not.toHaveProperty('weak_password')
    // Set before the list had it.
    const { hashPassword } = await import('./sign-in/passwords.ts')
    await rig.db.$client.query('update users set password_hash = $1 where email = $2', [
      await hashPassword('password123'),
      email,
    ])
    const weak = await signIn(rig, email, 'password123')
    expect(weak.status).toBe(200)
    expect(weak.body.weak_password).toEqual({
      message: expect.stringContaining('most common'),
      reasons: ['pwned'],
    })
  })

  test('letters composed and decomposed are one password', async () => {
    const email = fresh()
    await signUp(rig, email, 'palavra-passe é ção'.normalize('NFC'))
    expect((await signIn(rig, email, 'palavra-passe é ção'.normalize('NFD'))).status).toBe(200)
  })
})

describe('logout', () => {
  /** Three devices of one person, and one of somebody else. */
  async function devices() {
    const email = fresh()
    const first = await signUp(rig, email)
    const others = [await signIn(rig, email), await signIn(rig, email)]
    const stranger = await signUp(rig, fresh())
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
  ])('/logout%s leaves the three devices %j', async (query, expected) => {
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
    'scope %j is refused and ends nothing',
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

describe('PUT /user', () => {
  test('merges metadata key by key; null removes a key', async () => {
    const { token } = await signUp(rig)
    await put(token, { data: { degree: 'Law', university: 'Nova', a: 1 } })
    const { body } = await put(token, { data: { degree: 'Finance', a: null, b: { c: 2 } } })
    expect(body.user_metadata).toEqual({ degree: 'Finance', university: 'Nova', b: { c: 2 } })
    expect((await getUser(rig, token)).body.user_metadata).toEqual(body.user_metadata)
  })

  test('the whole metadata has 4 kB at most, not each change', async () => {
    const { token } = await signUp(rig)
    expect((await put(token, { data: { a: 'x'.repeat(3_000) } })).status).toBe(200)
    expect((await put(token, { data: { b: 'x'.repeat(3_000) } })).status).toBe(400)
  })

  test('changes nothing for an empty body, and sends no tokens', async () => {
    const { token, userId } = await signUp(rig, fresh())
    const { status, body } = await put(token, {})
    expect(status).toBe(200)
    expect(body.id).toBe(userId)
    expect(JSON.stringify(body)).not.toMatch(/token|argon2|password_hash/)
  })

  test('a guest becomes an account in place: same id, same session, claims after a refresh', async () => {
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
    expect(claimsOf(guest.token).is_anonymous).toBe(true)
    const refreshed = await refresh(rig, guest.refreshToken)
    expect(claimsOf(refreshed.body.access_token)).toMatchObject({
      sub: guest.userId,
      is_anonymous: false,
      email,
      amr: [{ method: 'anonymous' }],
    })
    expect((await signIn(rig, email)).body.user.id).toBe(guest.userId)
  })

  test.each([
    [
      'a password alone',
      { password: PASSWORD },
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    ],
    [
      'an address alone',
      { email: 'alone@example.com' },
      422,
      'validation_failed',
      'Please choose a password together with the e-mail address.',
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
  ])('a guest with %s stays a guest', async (_, body, status, code, message) => {
    const guest = await signUp(rig)
    const answer = await put(guest.token, body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.body.message).toMatch(message)
    expect((await getUser(rig, guest.token)).body.is_anonymous).toBe(true)
  })

  test('a taken address is email_exists, for a guest and for an account, also when both come at once', async () => {
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

  test('a new password needs the current one', async () => {
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

  test('a new password ends the other sessions and recovery tokens, and is told by mail', async () => {
    const email = fresh()
    const first = await signUp(rig, email)
    const second = await signIn(rig, email)
    await rig.db.$client.query(
      `insert into recovery_tokens values ($1, 'hash', 'code', 0, $2, $3)`,
      [first.userId, rig.clock.now, new Date(rig.clock.now.getTime() + HOUR)],
    )
    await put(first.token, { password: 'a quite different one', current_password: PASSWORD })
    expect((await getUser(rig, first.token)).status).toBe(200)
    expect((await refresh(rig, first.refreshToken)).status).toBe(200)
    expect((await getUser(rig, second.body.access_token)).status).toBe(403)
    expect((await refresh(rig, second.body.refresh_token)).status).toBe(400)
    expect(await tableCount('recovery_tokens')).toBe(0)
    const { rows } = await rig.db.$client.query('select kind from mails where recipient = $1', [
      email,
    ])
    expect(rows).toEqual([{ kind: 'password_changed' }])
  })

  test('the address does not change without the password, and the old one is told', async () => {
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
      email: next,
      user_metadata: { email: next, email_verified: false },
    })
    expect((await signIn(rig, email)).status).toBe(400)
    expect((await signIn(rig, next)).status).toBe(200)
    const { rows } = await rig.db.$client.query('select kind from mails where recipient = $1', [
      email,
    ])
    expect(rows).toEqual([{ kind: 'email_changed' }])
  })

  test('the address that one has is no change', async () => {
    const email = fresh()
    const { token } = await signUp(rig, email)
    expect((await put(token, { email: email.toUpperCase(), data: { a: 1 } })).status).toBe(200)
  })

  test.each([
    [{ app_metadata: { provider: 'x' } }, 403, 'not_admin'],
    [{ phone: '+351910000000' }, 400, 'phone_provider_disabled'],
  ])('%j is refused', async (body, status, code) => {
    const { token } = await signUp(rig, fresh())
    expect(await put(token, body)).toMatchObject({ status, body: { code } })
  })

  test('of two password changes at once, one is done and the other is told', async () => {
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
