import { describe, expect, test } from 'vitest'
import { authCall, NEW_SHAPE, PASSWORD, signIn, watchLog } from '../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
watchLog(rig)

const wrongPassword = (headers: Record<string, string>) =>
  rig.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: 'nobody@example.com', password: PASSWORD },
    headers,
  })

describe("errors have the shape of the caller's API version (product 2.9.3)", () => {
  test.each(['2024-01-01', '2024-06-30', '2030-12-31'])(
    'version %s gets the new shape',
    async (version) => {
      const { status, headers, body } = await wrongPassword({ 'X-Supabase-Api-Version': version })
      expect(status).toBe(400)
      expect(body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
      expect(headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
      expect(headers.get('X-Sb-Error-Code')).toBe('invalid_credentials')
      expect(headers.get('Cache-Control')).toBe('no-store')
    },
  )

  test.each([undefined, '2023-12-31', '2024', 'latest', '2024-13-45', ''])(
    'version %s gets the legacy shape',
    async (version) => {
      const { headers, body } = await wrongPassword(
        version === undefined ? {} : { 'X-Supabase-Api-Version': version },
      )
      expect(body).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(headers.get('X-Supabase-Api-Version')).toBeNull()
      expect(headers.get('X-Sb-Error-Code')).toBe('invalid_credentials')
    },
  )

  test('a weak password lists its reasons in both shapes', async () => {
    const body = { email: 'weak@example.com', password: 'short' }
    const current = await rig.call('POST', '/auth/v1/signup', { body, headers: NEW_SHAPE })
    expect(current).toMatchObject({
      status: 422,
      body: {
        code: 'weak_password',
        message: 'Password should be at least 8 characters.',
        weak_password: { reasons: ['length'] },
      },
    })
    const legacy = await rig.call('POST', '/auth/v1/signup', { body })
    expect(legacy.body).toEqual({
      code: 422,
      error_code: 'weak_password',
      msg: 'Password should be at least 8 characters.',
      weak_password: { reasons: ['length'] },
    })
  })

  test('a successful answer does not carry the version header', async () => {
    const { headers } = await authCall(rig, 'GET', '/health')
    expect(headers.get('X-Supabase-Api-Version')).toBeNull()
  })
})

const posts = [
  '/signup',
  '/token?grant_type=password',
  '/token?grant_type=refresh_token',
  '/recover',
  '/verify',
]

describe('request bodies', () => {
  test.each(posts)(
    'POST %s answers 400 bad_json when the body is not a JSON object',
    async (path) => {
      for (const body of [
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '1',
        '{"email":1,"password":1,"refresh_token":1,"type":1}',
      ]) {
        const answer = await authCall(rig, 'POST', path, body)
        expect(answer, body).toMatchObject({ status: 400, body: { code: 'bad_json' } })
        expect(answer.body.message).toMatch(/^Could not parse request body as JSON: ./)
      }
    },
  )

  test.each(posts)(
    'POST %s answers 413 over 100 kB, with or without a declared length',
    async (path) => {
      const text = JSON.stringify({ email: 'big@example.com', password: 'x'.repeat(100_001) })
      const said = await authCall(rig, 'POST', path, text)
      expect(said).toMatchObject({ status: 413, body: { code: 'request_entity_too_large' } })
      const stream = new ReadableStream({
        start(controller) {
          for (let at = 0; at < text.length; at += 10_000) {
            controller.enqueue(new TextEncoder().encode(text.slice(at, at + 10_000)))
          }
          controller.close()
        },
      })
      const request = new Request(`http://localhost/auth/v1${path}`, {
        method: 'POST',
        body: stream,
        headers: NEW_SHAPE,
        duplex: 'half',
      } as RequestInit)
      const chunked = await rig.app.request(request)
      expect(chunked.status).toBe(413)
      expect(await chunked.json()).toMatchObject({ code: 'request_entity_too_large' })
    },
  )

  test('PUT /user has the same rules as POST', async () => {
    const { token } = await signUp(rig)
    const broken = await authCall(rig, 'PUT', '/user', '{', { token })
    expect(broken).toMatchObject({ status: 400, body: { code: 'bad_json' } })
    const big = await authCall(rig, 'PUT', '/user', { data: { x: 'x'.repeat(100_000) } }, { token })
    expect(big).toMatchObject({ status: 413, body: { code: 'request_entity_too_large' } })
  })

  test('null means absent, and unknown fields are ignored', async () => {
    const answer = await authCall(rig, 'POST', '/signup', {
      email: null,
      password: null,
      phone: null,
      data: null,
      code_challenge: null,
      code_challenge_method: null,
      gotrue_meta_security: {},
      channel: 'sms',
    })
    expect(answer).toMatchObject({ status: 200, body: { user: { is_anonymous: true } } })
  })
})

describe('calls that do not exist', () => {
  test.each([
    ['GET', '/nothing'],
    ['POST', '/nothing/at/all'],
    ['GET', '/'],
    ['GET', '/token'],
    ['DELETE', '/user'],
    ['PATCH', '/signup'],
    ['GET', '/admin/users'],
    ['POST', '/invite'],
  ])('%s %s answers 404 in JSON', async (method, path) => {
    const answer = await authCall(rig, method, path)
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(answer.headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
  })

  test.each([
    ['POST', '/otp', 422, 'otp_disabled'],
    ['POST', '/sso', 404, 'saml_provider_disabled'],
    ['POST', '/token?grant_type=pkce', 404, 'flow_state_not_found'],
    ['POST', '/token?grant_type=id_token', 400, 'provider_disabled'],
    ['POST', '/token?grant_type=web3', 422, 'web3_provider_disabled'],
    ['POST', '/token?grant_type=magic', 400, 'invalid_credentials'],
    ['POST', '/token', 400, 'invalid_credentials'],
    ['POST', '/factors', 401, 'no_authorization'],
    ['POST', '/factors/1/challenge', 401, 'no_authorization'],
    ['DELETE', '/factors/1', 401, 'no_authorization'],
    ['GET', '/reauthenticate', 401, 'no_authorization'],
    ['GET', '/user/identities/authorize', 401, 'no_authorization'],
  ])('%s %s is disabled: %i %s', async (method, path, status, code) => {
    const answer = await authCall(rig, method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status, body: { code } })
  })

  test.each([
    ['POST', '/factors/recovery-codes', 404, 'not_found'],
    ['GET', '/factors/recovery-codes', 404, 'not_found'],
    ['GET', '/user/identities/authorize', 404, 'manual_linking_disabled'],
    ['DELETE', '/user/identities/1', 404, 'manual_linking_disabled'],
  ])('%s %s is disabled for a signed-in user: %i %s', async (method, path, status, code) => {
    const { token } = await signUp(rig)
    const body = method === 'POST' ? {} : undefined
    const answer = await authCall(rig, method, path, body, { token })
    expect(answer).toMatchObject({ status, body: { code } })
  })
})

test('digits for a phone are answered as invalid or expired', async () => {
  const body = { type: 'sms', phone: '+351912345678', token: '123456' }
  expect(await authCall(rig, 'POST', '/verify', body)).toMatchObject({
    status: 403,
    body: { code: 'otp_expired', message: 'Token has expired or is invalid' },
  })
})

describe('public endpoints', () => {
  test('/settings lists what is enabled, with every provider of the protocol', async () => {
    const { status, body } = await authCall(rig, 'GET', '/settings')
    expect(status).toBe(200)
    const { external, ...rest } = body
    expect(Object.keys(external)).toHaveLength(26)
    expect(Object.entries(external).filter(([, on]) => on)).toEqual([
      ['anonymous_users', true],
      ['email', true],
    ])
    expect(rest).toEqual({
      disable_signup: false,
      mailer_autoconfirm: true,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: false,
    })
  })

  test('/health answers without a session', async () => {
    const { status, body } = await authCall(rig, 'GET', '/health')
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'GoTrue', version: expect.any(String) })
  })
})

test('only the public keys may be cached', async () => {
  const { token, refreshToken } = await signUp(rig, 'cache@example.com')
  const answers = [
    await signIn(rig, 'cache@example.com'),
    await authCall(rig, 'GET', '/user', undefined, { token }),
    await authCall(rig, 'POST', '/token?grant_type=refresh_token', { refresh_token: refreshToken }),
    await authCall(rig, 'POST', '/token?grant_type=refresh_token', {}),
    await authCall(rig, 'GET', '/settings'),
    await authCall(rig, 'GET', '/verify?type=recovery&token=x'),
    await authCall(rig, 'POST', '/logout', undefined, { token }),
  ]
  for (const { headers } of answers) expect(headers.get('Cache-Control')).toBe('no-store')
  const keys = await authCall(rig, 'GET', '/.well-known/jwks.json')
  expect(keys.headers.get('Cache-Control')).toBe('public, max-age=600')
})
