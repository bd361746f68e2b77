// Long because it covers everything that the library does with our server.
import { randomUUID } from 'node:crypto'
import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
  GoTrueClient,
  type GoTrueClientOptions,
  isAuthWeakPasswordError,
} from '@supabase/auth-js'
import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { claimsOf, PASSWORD, watchLog } from '../../tests/rig/auth-rig.ts'
import { recoveryIn, useMail } from '../../tests/rig/auth-smtp.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { codeNow } from './second-factor/codes.ts'

// The client library compares with the system's clock, so the server uses it here too.
const rig = useRig({ now: () => new Date() })
watchLog(rig)

const mail = useMail(rig)

type Answer = (url: URL) => Response | undefined

/**
 * The client library as the web application creates it, connected to the app in process.
 * @param answer replaces the server's response if it returns one
 */
function createClient(options: GoTrueClientOptions = {}, answer?: Answer) {
  const stored = new Map<string, string>()
  const requests: string[] = []
  const client = new GoTrueClient({
    url: 'http://localhost:3000/auth/v1',
    storageKey: 'superday-auth',
    flowType: 'implicit',
    detectSessionInUrl: false,
    autoRefreshToken: false,
    persistSession: true,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: async (input, init) => {
      const url = new URL(String(input))
      requests.push(`${init?.method} ${url.pathname}${url.search}`)
      return answer?.(url) ?? rig.app.request(url.pathname + url.search, init)
    },
    ...options,
  })
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  return { client, stored, events, requests }
}

const fresh = () => `c${randomUUID().slice(0, 8)}@example.com`

async function signedUp() {
  const email = fresh()
  const made = createClient()
  const { data, error } = await made.client.signUp({ email, password: PASSWORD })
  expect(error).toBeNull()
  return { ...made, email, session: data.session as NonNullable<typeof data.session> }
}

/** Makes the stored session's access token expired. */
function expire(stored: Map<string, string>) {
  const session = JSON.parse(stored.get('superday-auth') as string)
  stored.set('superday-auth', JSON.stringify({ ...session, expires_at: 1 }))
}

describe('the client library manages a second factor', () => {
  test('by setting it up, listing it and removing it', async () => {
    const { client, stored, events, email } = await signedUp()
    const { data: enrolled } = await client.mfa.enroll({ factorType: 'totp' })
    expect(enrolled?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /)
    const factorId = enrolled?.id as string
    const secret = Buffer.from(Secret.fromBase32(enrolled?.totp.secret as string).bytes)
    const levels = async () => {
      const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
      return [data?.currentLevel, data?.nextLevel]
    }
    expect(await levels()).toEqual(['aal1', 'aal1'])
    const wrong = await client.mfa.challengeAndVerify({ factorId, code: '000000' })
    expect(wrong.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
    const now = new Date()
    const code = codeNow(secret, new Date(now.getTime() - 30_000))
    const { data: challenge } = await client.mfa.challenge({ factorId })
    const verified = await client.mfa.verify({
      ...{ factorId, code, challengeId: challenge?.id as string },
    })
    expect(verified.error).toBeNull()
    expect(events).toContain('MFA_CHALLENGE_VERIFIED')
    expect(await levels()).toEqual(['aal2', 'aal2'])
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId }])
    expect((await client.refreshSession()).error).toBeNull()
    expect(await levels()).toEqual(['aal2', 'aal2'])

    await client.signInWithPassword({ email, password: PASSWORD })
    expect(await levels()).toEqual(['aal1', 'aal2'])
    const refused = await client.mfa.unenroll({ factorId })
    expect(refused.error).toMatchObject({ status: 401, code: 'insufficient_aal' })
    expect(stored.size).toBe(1)
    const next = { factorId, code: codeNow(secret, new Date(now.getTime() + 30_000)) }
    expect((await client.mfa.challengeAndVerify(next)).error).toBeNull()
    expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
    await client.refreshSession()
    expect(await levels()).toEqual(['aal1', 'aal1'])
  })
})

describe('signing up and in with the client library', () => {
  test('sign-up returns a session and stores all of it', async () => {
    const { client, stored, session, email } = await signedUp()
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { email } })
    expect(JSON.parse(stored.get('superday-auth') as string)).toEqual(session)
    expect((await client.getSession()).data.session).toEqual(session)
    expect((await client.getUser()).data.user).toEqual(session.user)
  })

  test("sign-up sends the form's data as metadata", async () => {
    const { client } = createClient()
    const data = { degree: 'Finance', university: 'Nova', year_of_studies: 2 }
    const answer = await client.signUp({ email: fresh(), password: PASSWORD, options: { data } })
    expect(answer.data.user?.user_metadata).toMatchObject(data)
  })

  test('a client without storage leaves nothing behind', async () => {
    const { client, stored } = createClient({ persistSession: false })
    expect((await client.signUp({ email: fresh(), password: PASSWORD })).error).toBeNull()
    expect(stored.size).toBe(0)
  })

  test('sign-in fires SIGNED_IN and returns the user', async () => {
    const { email } = await signedUp()
    const { client, events } = createClient()
    const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect(data).not.toHaveProperty('weakPassword')
    expect(events).toContain('SIGNED_IN')
  })

  test('an anonymous sign-in returns a guest with its own metadata', async () => {
    const { client } = createClient()
    const { data, error } = await client.signInAnonymously({ options: { data: { degree: 'Law' } } })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ is_anonymous: true, user_metadata: { degree: 'Law' } })
    // The wire format is "", never null, because the library's types say string.
    expect(data.user?.email).toBe('')
    expect(data.user?.phone).toBe('')
  })

  test('a wrong password is an AuthApiError with its code', async () => {
    const { email } = await signedUp()
    const { error } = await createClient().client.signInWithPassword({ email, password: 'wrong' })
    expect(error).toBeInstanceOf(AuthApiError)
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
  })

  test('a taken address throws user_already_exists', async () => {
    const { email } = await signedUp()
    const { error } = await createClient().client.signUp({ email, password: PASSWORD })
    expect(error).toBeInstanceOf(AuthApiError)
    expect(error).toMatchObject({ status: 422, code: 'user_already_exists' })
  })

  test.each([
    ['short', ['length']],
    ['password123', ['pwned']],
  ])(
    'the weak password %j is an AuthWeakPasswordError with its reasons',
    async (password, reasons) => {
      const { error } = await createClient().client.signUp({ email: fresh(), password })
      expect(isAuthWeakPasswordError(error)).toBe(true)
      expect(error).toBeInstanceOf(AuthWeakPasswordError)
      expect((error as AuthWeakPasswordError).reasons).toEqual(reasons)
      expect(error?.code).toBe('weak_password')
    },
  )
})

describe('upgrading a guest to an account', () => {
  test('works with updateUser and keeps the returned session', async () => {
    const { client, events } = createClient()
    const { data: guest } = await client.signInAnonymously()
    const email = fresh()
    const { data, error } = await client.updateUser({ email, password: PASSWORD })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ id: guest.user?.id, email, is_anonymous: false })
    expect(events).toContain('USER_UPDATED')
    // The library doesn't know this field and passes it on with the user.
    const { session } = data.user as unknown as {
      session: { access_token: string; refresh_token: string }
    }
    expect((await client.setSession(session)).error).toBeNull()
    expect((await client.getUser()).data.user?.email).toBe(email)
    const { data: refreshed } = await client.refreshSession()
    expect(claimsOf(refreshed.session?.access_token as string)).toMatchObject({
      is_anonymous: false,
      email,
      sub: guest.user?.id,
    })
    expect(events).toContain('TOKEN_REFRESHED')
    const { data: again } = await createClient().client.signInWithPassword({
      email,
      password: PASSWORD,
    })
    expect(again.user?.id).toBe(guest.user?.id)
  })

  test('fails with email_exists for a taken address and keeps the guest signed in', async () => {
    const { email } = await signedUp()
    const { client } = createClient()
    const { data: guest } = await client.signInAnonymously()
    const { error } = await client.updateUser({ email, password: PASSWORD })
    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
    expect((await client.getUser()).data.user?.id).toBe(guest.user?.id)
  })
})

describe('setting a new password', () => {
  test("requires the current one under the library's field name", async () => {
    const { client, email } = await signedUp()
    const { error } = await client.updateUser({ password: 'a quite different one' })
    expect(error).toMatchObject({ status: 400, code: 'current_password_required' })
    const done = await client.updateUser({
      password: 'a quite different one',
      current_password: PASSWORD,
    })
    expect(done.error).toBeNull()
    const { error: old } = await createClient().client.signInWithPassword({
      email,
      password: PASSWORD,
    })
    expect(old?.code).toBe('invalid_credentials')
  })

  test('reports a weak or unchanged password', async () => {
    const { client } = await signedUp()
    const weak = await client.updateUser({ password: 'short', current_password: PASSWORD })
    expect(isAuthWeakPasswordError(weak.error)).toBe(true)
    const same = await client.updateUser({ password: PASSWORD, current_password: PASSWORD })
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' })
  })
})

describe('password recovery with the client library', () => {
  async function recover() {
    const { email, client: other } = await signedUp()
    const { client, events } = createClient()
    // Drops mails of earlier steps.
    await mail.queue.runOnce()
    mail.smtp.received.length = 0
    const { error } = await client.resetPasswordForEmail(email, {
      redirectTo: 'http://localhost:3000/auth',
    })
    expect(error).toBeNull()
    await mail.queue.runOnce()
    return { client, events, other, email, ...recoveryIn(mail.smtp.received[0]) }
  }

  test('works by link: verifyOtp with token_hash fires PASSWORD_RECOVERY, then sets the password', async () => {
    const { client, events, other, email, token } = await recover()
    const { data, error } = await client.verifyOtp({ type: 'recovery', token_hash: token })
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe(email)
    expect(events).toContain('PASSWORD_RECOVERY')
    expect((await client.updateUser({ password: 'a quite different one' })).error).toBeNull()
    const { error: dead } = await other.getUser()
    expect(dead).toBeInstanceOf(AuthSessionMissingError)
    const again = await createClient().client.signInWithPassword({
      email,
      password: 'a quite different one',
    })
    expect(again.error).toBeNull()
  })

  test('works with the digits', async () => {
    const { client, email, code } = await recover()
    const { data, error } = await client.verifyOtp({ type: 'recovery', email, token: code })
    expect(error).toBeNull()
    expect(data.session).not.toBeNull()
  })

  test('fails with otp_expired for an expired link', async () => {
    const { client, token } = await recover()
    await client.verifyOtp({ type: 'recovery', token_hash: token })
    const { error } = await createClient().client.verifyOtp({ type: 'recovery', token_hash: token })
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  test('answers the same for an unknown address', async () => {
    const { data, error } = await createClient().client.resetPasswordForEmail(fresh())
    expect({ data, error }).toEqual({ data: {}, error: null })
  })
})

describe('signing out with the client library', () => {
  test.each([
    ['local', [false, true]],
    ['others', [true, false]],
    ['global', [false, false]],
  ] as const)('scope %s leaves (this, other) device signed in: %j', async (scope, expected) => {
    const { client, email, stored, events } = await signedUp()
    const other = createClient()
    await other.client.signInWithPassword({ email, password: PASSWORD })
    expect((await client.signOut({ scope })).error).toBeNull()
    expect(stored.has('superday-auth')).toBe(scope === 'others')
    expect(events.includes('SIGNED_OUT')).toBe(scope !== 'others')
    const alive = [
      (await client.getUser()).data.user !== null,
      (await other.client.getUser()).data.user !== null,
    ]
    expect(alive).toEqual(expected)
  })

  test("without a scope ends all devices' sessions", async () => {
    const { client, email } = await signedUp()
    const other = createClient()
    await other.client.signInWithPassword({ email, password: PASSWORD })
    await client.signOut()
    expect((await other.client.getUser()).data.user).toBeNull()
  })

  test('twice, or after the session has ended, is no error and clears the storage', async () => {
    const { client, stored, session } = await signedUp()
    await rig.db.$client.query('delete from sessions where user_id = $1', [session.user.id])
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
    expect(stored.has('superday-auth')).toBe(false)
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
  })

  test.each(['session', 'user'])(
    'on another device signs this one out at the next getUser when the %s is gone',
    async (gone) => {
      const { client, stored, events, session } = await signedUp()
      const { sub, session_id } = claimsOf(session.access_token)
      if (gone === 'session')
        await rig.db.$client.query('delete from sessions where id = $1', [session_id])
      else await rig.db.$client.query('delete from users where id = $1', [sub])
      const { error } = await client.getUser()
      expect(error).toBeInstanceOf(AuthSessionMissingError)
      expect(stored.has('superday-auth')).toBe(false)
      expect(events).toContain('SIGNED_OUT')
    },
  )
})

describe('refreshing a session with the client library', () => {
  test('returns a new pair of tokens for the same session', async () => {
    const { client, session } = await signedUp()
    const { data, error } = await client.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    expect(claimsOf(data.session?.access_token as string).session_id).toBe(
      claimsOf(session.access_token).session_id,
    )
  })

  test('in five tabs at once keeps all five signed in with one token', async () => {
    const { stored } = await signedUp()
    expire(stored)
    const tabs = Array.from({ length: 5 }, () => {
      const tab = createClient()
      tab.stored.set('superday-auth', stored.get('superday-auth') as string)
      return tab
    })
    const sessions = await Promise.all(tabs.map(({ client }) => client.getSession()))
    const tokens = sessions.map(({ data }) => data.session?.refresh_token)
    expect(tokens.every(Boolean)).toBe(true)
    expect(new Set(tokens).size).toBe(1)
  })

  test('signs out when the session ended elsewhere', async () => {
    const { client, stored, events, session } = await signedUp()
    await rig.db.$client.query('delete from sessions where user_id = $1', [session.user.id])
    expire(stored)
    const { data, error } = await client.getSession()
    expect(data.session).toBeNull()
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    expect(stored.has('superday-auth')).toBe(false)
    expect(events).toContain('SIGNED_OUT')
  })

  test('is retried while the server is down and keeps the user signed in', async () => {
    const { stored } = await signedUp()
    let failures = 2
    const tab = createClient({}, (url) => {
      if (!url.search.includes('refresh_token') || failures-- <= 0) return undefined
      return new Response('busy', { status: 503 })
    })
    expire(stored)
    tab.stored.set('superday-auth', stored.get('superday-auth') as string)
    const { data, error } = await tab.client.getSession()
    expect(error).toBeNull()
    expect(data.session).not.toBeNull()
    expect(tab.events).not.toContain('SIGNED_OUT')
  })

  test('works for a session from setSession', async () => {
    const { session } = await signedUp()
    const { client } = createClient()
    const { access_token, refresh_token } = session
    const { data, error } = await client.setSession({ access_token, refresh_token })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(session.user.id)
  })
})

test('getClaims verifies tokens locally with the published keys', async () => {
  const { client, requests, session } = await signedUp()
  const { data, error } = await client.getClaims()
  expect(error).toBeNull()
  expect(data?.claims).toMatchObject({ sub: session.user.id, session_id: expect.any(String) })
  expect(requests).toContain('GET /auth/v1/.well-known/jwks.json')
  expect(requests.filter((request) => request.includes('/user'))).toEqual([])
})

test('disabled calls return errors with codes', async () => {
  const { client } = await signedUp()
  const otp = await client.signInWithOtp({ email: fresh() })
  expect(otp.error).toMatchObject({ code: 'otp_disabled' })
  const sso = await client.signInWithSSO({ domain: 'example.com' })
  expect(sso.error).toMatchObject({ code: 'saml_provider_disabled' })
  const enroll = await client.mfa.enroll({ factorType: 'phone', phone: '+351910000000' })
  expect(enroll.error).toMatchObject({ code: 'mfa_phone_enroll_not_enabled' })
})

test('a sign-in while the server is down is a retryable error', async () => {
  const { client } = createClient({}, () => new Response('{}', { status: 503 }))
  const { error } = await client.signInWithPassword({ email: fresh(), password: PASSWORD })
  expect(error).toBeInstanceOf(AuthRetryableFetchError)
})
