import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { Queryable } from '../../../platform/database/database.ts'
import { createAddressOf } from '../../../platform/server/address.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { noteUser } from '../acts.ts'
import { readFactor } from '../proof-store.ts'
import type { Weakness } from '../sign-in/passwords.ts'
import { type Session, sessions, type User } from '../tables.ts'
import { type ToldFactor, userJson } from '../user-json.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './access-token.ts'
import type { SecondMethod } from './level.ts'
import { encodeRefreshToken } from './refresh-token.ts'

/** How a person authenticated (product 2.9.6). */
export type AuthMethod = 'password' | 'otp' | 'anonymous' | SecondMethod

const USER_AGENT_LIMIT = 300

/** What is stored about the device that opened or refreshed a session. */
export function deviceOf(
  dependencies: AppDependencies,
  context: Context,
): { userAgent: string | null; ip: string } {
  return {
    userAgent: context.req.header('User-Agent')?.slice(0, USER_AGENT_LIMIT) ?? null,
    ip: createAddressOf(dependencies)(context),
  }
}

/** Creates a session without storing it. @param before the proofs of the session that it replaces */
export function makeSession(
  dependencies: AppDependencies,
  context: Context,
  userId: string,
  method: AuthMethod,
  before: Session['amr'] = [],
): Session {
  const now = dependencies.now()
  return {
    id: randomUUID(),
    userId,
    refreshCounter: 0,
    amr: [amrEntry(method, now), ...before],
    ...deviceOf(dependencies, context),
    createdAt: now,
    refreshedAt: now,
    // A mail proves only the mailbox, and a guest proves nothing.
    provenAt: method === 'otp' || method === 'anonymous' ? null : now,
    organizerAt: null,
    keysAt: null,
  }
}

export async function openSession(
  tx: Queryable,
  dependencies: AppDependencies,
  context: Context,
  userId: string,
  method: AuthMethod,
  before: Session['amr'] = [],
): Promise<Session> {
  const session = makeSession(dependencies, context, userId, method, before)
  await tx.insert(sessions).values(session)
  return session
}

const amrEntry = (method: AuthMethod, now: Date) => ({
  method,
  timestamp: Math.floor(now.getTime() / 1000),
})

/** Whether the session came from a recovery mail and the password wasn't set since. */
export const isRecoverySession = (session: Session) =>
  session.amr.some(({ method }) => method === 'otp')

/** The response that signs a client in (product 2.1.2). `weakness`: why the password would be rejected today. */
export async function answerSession(
  dependencies: AppDependencies,
  context: Context,
  user: User,
  session: Session,
  more: { weakness?: Weakness | null; factor?: ToldFactor | null } = {},
): Promise<Response> {
  noteUser(context, user.id)
  const { weakness, factor = await readFactor(dependencies.db, user) } = more
  return context.json({
    ...(await sessionJson(dependencies, user, session)),
    user: userJson(user, factor),
    ...(weakness ? { weak_password: weakness } : {}),
  })
}

/** A session's tokens, as in every response that opens one. */
export async function sessionJson(dependencies: AppDependencies, user: User, session: Session) {
  const { token, expiresAt } = await signAccessToken(dependencies, user, session)
  return {
    access_token: token,
    token_type: 'bearer' as const,
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: encodeRefreshToken(dependencies.secretKey, session.id, session.refreshCounter),
  }
}
