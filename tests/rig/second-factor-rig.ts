import { Secret } from 'otpauth'
import { codeNow } from '../../accounts/server/second-factor/app-codes.ts'
import { authCall } from './auth-rig.ts'
import type { Rig } from './rig.ts'

/** An account's app: what it was given, and the sessions that its codes opened. */
export interface App {
  factorId: string
  secret: Buffer
  /** of the session that has both factors */
  token: string
  refreshToken: string
}

/** The code that the app shows now. @param stepsLater 1: the next one */
export function codeOf(rig: Rig, { secret }: Pick<App, 'secret'>, stepsLater = 0): string {
  return codeNow(secret, new Date(rig.clock.now.getTime() + stepsLater * 30_000))
}

/** Begins an app for whoever has just shown the password. */
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

/** An app that counts, for whoever has just shown the password. */
export async function setUpApp(rig: Rig, token: string): Promise<App> {
  const begun = await enroll(rig, token)
  const { status, body } = await verifyCode(rig, token, begun.factorId, codeOf(rig, begun))
  if (status !== 200) throw new Error(`verify answered ${status} ${JSON.stringify(body)}`)
  return { ...begun, token: body.access_token, refreshToken: body.refresh_token }
}
