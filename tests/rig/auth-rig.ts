import { type JWTPayload, SignJWT } from 'jose'
import { Secret } from 'otpauth'
import pg from 'pg'
import { afterAll, expect, vi } from 'vitest'
import { codeNow } from '../../accounts/server/second-factor/codes.ts'
import { loadSigningKeys } from '../../accounts/server/sessions/keys.ts'
import type { Rig } from './rig.ts'

export const PASSWORD = 'correct horse battery'
export const NEW_SHAPE = { 'X-Supabase-Api-Version': '2024-01-01' }

type Options = { token?: string; headers?: Record<string, string> }

/** A call under /auth/v1 like the client library's, with its API version. */
export function authCall(
  rig: Rig,
  method: string,
  path: string,
  body?: unknown,
  options: Options = {},
) {
  return rig.call(method, `/auth/v1${path}`, {
    body,
    ...options,
    headers: { ...NEW_SHAPE, ...options.headers },
  })
}

export const refresh = (rig: Rig, refreshToken: string, options?: Options) =>
  authCall(rig, 'POST', '/token?grant_type=refresh_token', { refresh_token: refreshToken }, options)

export const signIn = (rig: Rig, email: string, password = PASSWORD, options?: Options) =>
  authCall(rig, 'POST', '/token?grant_type=password', { email, password }, options)

export const getUser = (rig: Rig, token: string) =>
  authCall(rig, 'GET', '/user', undefined, { token })

/** The claims of a token, unverified. */
export const claimsOf = (token: string): JWTPayload =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())

/** A token with the server's signature but different claims. */
export async function signClaims(
  rig: Rig,
  claims: Record<string, unknown>,
  options: { kid?: string; key?: CryptoKey } = {},
): Promise<string> {
  const keys = await loadSigningKeys(rig.dependencies)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: options.kid ?? keys.kid, typ: 'JWT' })
    .sign(options.key ?? keys.privateKey)
}

/** The statements that a call sends to the database. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  query.mockClear()
  await work()
  for (const [first] of query.mock.calls as unknown as [string | { text: string }][]) {
    statements.push(typeof first === 'string' ? first : first.text)
  }
  query.mockRestore()
  return statements
}

export const sessionCount = async (rig: Rig, userId: string): Promise<number> => {
  const { rows } = await rig.db.$client.query(
    'select count(*)::int as n from sessions where user_id = $1',
    [userId],
  )
  return rows[0].n
}

/** Moves the clock of the application; tests never sleep. */
export function passTime(rig: Rig, ms: number): void {
  rig.clock.now = new Date(rig.clock.now.getTime() + ms)
}

/** At the end of a file, checks that no error was logged and that no log line contains a secret. */
export function watchLog(rig: Rig): void {
  afterAll(() => {
    expect(rig.logged.filter(({ level }) => level >= 50)).toEqual([])
    expect(JSON.stringify(rig.logged)).not.toContain(PASSWORD)
  })
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** An account's app with its secret, and the sessions that its codes opened. */
export interface App {
  factorId: string
  secret: Buffer
  /** of the session that has both factors */
  token: string
  refreshToken: string
}

/** The app's current code. @param stepsLater 1: the next one */
export function codeOf(rig: Rig, { secret }: Pick<App, 'secret'>, stepsLater = 0): string {
  return codeNow(secret, new Date(rig.clock.now.getTime() + stepsLater * 30_000))
}

/** Starts the setup of an app for a user who has just entered the password. */
export async function enroll(rig: Rig, token: string): Promise<Pick<App, 'factorId' | 'secret'>> {
  const { status, body } = await authCall(
    rig,
    'POST',
    '/factors',
    { factor_type: 'totp' },
    { token },
  )
  if (status !== 200) throw new Error(`enroll answered ${status} ${JSON.stringify(body)}`)
  return { factorId: body.id, secret: Buffer.from(Secret.fromBase32(body.totp.secret).bytes) }
}

/** Answers a challenge, as the client library does in two calls. */
export async function verifyCode(rig: Rig, token: string, factorId: string, code: string) {
  const challenge = await challengeFor(rig, token, factorId)
  if (challenge.status !== 200) return challenge
  return answerChallenge(rig, token, factorId, { challenge_id: challenge.body.id, code })
}

export const challengeFor = (rig: Rig, token: string, factorId: string) =>
  authCall(rig, 'POST', `/factors/${factorId}/challenge`, {}, { token })

export const answerChallenge = (
  rig: Rig,
  token: string,
  factorId: string,
  body: { challenge_id: string; code: string },
) => authCall(rig, 'POST', `/factors/${factorId}/verify`, body, { token })

/** Sets up a verified app for a user who has just entered the password. */
export async function setUpApp(rig: Rig, token: string): Promise<App> {
  const begun = await enroll(rig, token)
  const { status, body } = await verifyCode(rig, token, begun.factorId, codeOf(rig, begun))
  if (status !== 200) throw new Error(`verify answered ${status} ${JSON.stringify(body)}`)
  return { ...begun, token: body.access_token, refreshToken: body.refresh_token }
}
