import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../../app/server/app.ts'
import {
  authCall,
  claimsOf,
  getUser,
  passTime,
  refresh,
  signIn,
  watchLog,
} from '../../../tests/rig/auth-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { prepareKeys, WrongSecretKeyError } from './keys.ts'

const rig = useRig()
watchLog(rig)

test('nodes that start together agree on one signing key', async () => {
  const nodes = Array.from({ length: 8 }, () => createApp({ ...rig.dependencies }))
  const keys = await Promise.all(
    nodes.map(async (node) => (await node.request('/auth/v1/.well-known/jwks.json')).json()),
  )
  for (const set of keys) expect(set).toEqual(keys[0])
  expect(keys[0].keys).toHaveLength(1)
  const { token } = await signUp(rig)
  for (const node of nodes) {
    const headers = { Authorization: `Bearer ${token}` }
    expect((await node.request('/auth/v1/user', { headers })).status).toBe(200)
  }
})

test("the public key is published in the client library's format, without any private part", async () => {
  const { status, body } = await authCall(rig, 'GET', '/.well-known/jwks.json')
  expect(status).toBe(200)
  expect(body).toEqual({
    keys: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.stringMatching(/^[\w-]{43}$/),
        alg: 'ES256',
        use: 'sig',
        key_ops: ['verify'],
      },
    ],
  })
})

test('a browser can verify a token with only WebCrypto', async () => {
  const { token } = await signUp(rig, 'webcrypto@example.com')
  const [head, payload, signature] = token.split('.') as [string, string, string]
  const header = JSON.parse(Buffer.from(head, 'base64url').toString())
  const { body } = await authCall(rig, 'GET', '/.well-known/jwks.json')
  const [jwk] = body.keys
  expect(header).toEqual({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const raw = Buffer.from(signature, 'base64url')
  expect(raw).toHaveLength(64)
  const verified = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    raw,
    Buffer.from(`${head}.${payload}`),
  )
  expect(verified).toBe(true)
})

describe('the claims are exactly those of product 2.9.6', () => {
  const seconds = () => Math.floor(rig.clock.now.getTime() / 1000)

  test('for an account', async () => {
    const email = 'claims@example.com'
    const { userId } = await signUp(rig, email)
    passTime(rig, 90_500)
    const { body } = await signIn(rig, email)
    expect(claimsOf(body.access_token)).toEqual({
      iss: 'http://localhost:3000/auth/v1',
      sub: userId,
      aud: 'authenticated',
      exp: seconds() + 3600,
      iat: seconds(),
      email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { email, email_verified: false, phone_verified: false, sub: userId },
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: seconds() }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
    })
  })

  test('for a guest', async () => {
    const { userId, token } = await signUp(rig)
    expect(claimsOf(token)).toEqual({
      iss: 'http://localhost:3000/auth/v1',
      sub: userId,
      aud: 'authenticated',
      exp: seconds() + 3600,
      iat: seconds(),
      email: '',
      phone: '',
      app_metadata: {},
      user_metadata: {},
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'anonymous', timestamp: seconds() }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: true,
    })
  })
})

test('a different SECRET_KEY stops the start with a clear message and signs no user in', async () => {
  await prepareKeys(rig.dependencies)
  const wrong = { ...rig.dependencies, secretKey: randomBytes(32) }
  await expect(prepareKeys(wrong)).rejects.toThrow(WrongSecretKeyError)
  await expect(prepareKeys(wrong)).rejects.toThrow(
    /^SECRET_KEY differs from the one that this database was set up with/,
  )
  const { refreshToken, token } = await signUp(rig)
  const other = createApp({ ...wrong, log: rig.dependencies.log.child({}, { level: 'silent' }) })
  const answer = await other.request('/auth/v1/token?grant_type=refresh_token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  expect(answer.status).toBe(400)
  // The session is unchanged.
  expect((await refresh(rig, refreshToken)).status).toBe(200)
  expect((await getUser(rig, token)).status).toBe(200)
})

test('the private key is encrypted in the database, and a changed row is refused', async () => {
  const { rows } = await rig.db.$client.query('select * from signing_keys')
  expect(rows).toHaveLength(1)
  const stored: Buffer = rows[0].private_key_encrypted
  expect(stored.toString('latin1')).not.toContain('PRIVATE KEY')
  const changed = Buffer.from(stored)
  changed[40] = (changed[40] as number) ^ 1
  const update = 'update signing_keys set private_key_encrypted = $1'
  await rig.db.$client.query(update, [changed])
  await expect(prepareKeys(rig.dependencies)).rejects.toThrow(WrongSecretKeyError)
  await rig.db.$client.query(update, [stored])
})

test('a token issued for another PUBLIC_URL is refused', async () => {
  const moved = createApp({ ...rig.dependencies, publicUrl: 'https://superday.example' })
  const { token } = await signUp(rig)
  const answer = await moved.request('/auth/v1/user', {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(403)
})
