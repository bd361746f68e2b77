import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { authCall, HOUR, PASSWORD, passTime, refresh, signIn } from '../../tests/rig/auth-rig.ts'
import { callSignUp, useRig } from '../../tests/rig/rig.ts'

interface Line {
  level: number
  msg: string
  userId?: string
  reason?: string
}

const lines: (Line & Record<string, unknown>)[] = []
const rig = useRig({
  log: pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
})
beforeEach(() => {
  lines.length = 0
})

const fresh = () => `l${randomUUID().slice(0, 8)}@example.com`
const put = (token: string, body: unknown) => authCall(rig, 'PUT', '/user', body, { token })
const logged = () =>
  lines.map(({ level, time: _, ...line }) => ({ ...line, isWarning: level >= 40 }))
const line = (msg: string, userId?: string, reason?: string) => ({
  msg,
  isWarning: false,
  ...(userId ? { userId } : {}),
  ...(reason ? { reason } : {}),
})

describe('the account log stores a line, without an address or typed text, for', () => {
  it('a new guest, a new account, and a guest who becomes an account', async () => {
    const guest = await callSignUp(rig)
    const email = fresh()
    const { userId } = await callSignUp(rig, email)
    await authCall(rig, 'POST', '/signup', { email, password: PASSWORD })
    await put(guest.token, { email, password: PASSWORD })
    await put(guest.token, { email: fresh(), password: PASSWORD })
    expect(logged()).toEqual([
      line('guest sign-up', guest.userId),
      line('sign-up', userId),
      line('sign-up refused', undefined, 'user_already_exists'),
      line('guest to account refused', guest.userId, 'email_exists'),
      line('guest to account', guest.userId),
    ])
  })

  it('a sign-in, a wrong password, an unknown address, and a sign-out', async () => {
    const email = fresh()
    const { userId, token } = await callSignUp(rig, email)
    lines.length = 0
    await signIn(rig, email)
    await signIn(rig, email, 'a wrong password')
    await signIn(rig, fresh(), 'a wrong password')
    await authCall(rig, 'POST', '/logout', undefined, { token })
    expect(logged()).toEqual([
      line('sign-in', userId),
      line('sign-in refused', userId, 'invalid_credentials'),
      line('sign-in refused', undefined, 'invalid_credentials'),
      line('sign-out', userId),
    ])
  })

  it('a sign-in stopped by a rate limit', async () => {
    const limited = createApp({ ...rig.dependencies, rateLimits: true })
    const email = fresh()
    for (let tries = 0; tries < 11; tries += 1) {
      await limited.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: 'a wrong password' }),
      })
    }
    expect(logged().at(-1)).toEqual(line('sign-in refused', undefined, 'over_request_rate_limit'))
  })

  it('a change of password, of address, or of both, and a change without the password', async () => {
    const { userId, token } = await callSignUp(rig, fresh())
    lines.length = 0
    await put(token, { password: 'another horse battery' })
    const current_password = 'another horse battery'
    const next = await put(token, { password: current_password, current_password: PASSWORD })
    const { access_token } = next.body.session
    await put(access_token, { email: fresh(), current_password })
    const last = await put(access_token, { email: fresh(), password: PASSWORD, current_password })
    await put(last.body.session.access_token, { data: { degree: 'Economics' } })
    expect(logged()).toEqual([
      line('password change refused', userId, 'current_password_required'),
      line('password change', userId),
      line('address change', userId),
      line('password and address change', userId),
    ])
  })

  it('a requested mail and an invalid link', async () => {
    await authCall(rig, 'POST', '/recover', { email: fresh() })
    await authCall(rig, 'POST', '/verify', { type: 'recovery', token_hash: 'no such token' })
    expect(logged()).toEqual([
      line('recovery mail'),
      line('recovery refused', undefined, 'otp_expired'),
    ])
  })

  it('a session that ends because an old refresh token is reused, as a warning', async () => {
    const { userId, refreshToken } = await callSignUp(rig, fresh())
    lines.length = 0
    const second = await refresh(rig, refreshToken)
    await refresh(rig, second.body.refresh_token)
    passTime(rig, HOUR)
    expect((await refresh(rig, refreshToken)).body.code).toBe('refresh_token_already_used')
    expect(logged()).toEqual([
      {
        ...line('use of an old refresh token refused', userId, 'refresh_token_already_used'),
        isWarning: true,
      },
    ])
  })
})
