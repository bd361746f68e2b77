import { and, eq } from 'drizzle-orm'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { AuthError, sessionNotFound } from '../errors.ts'
import { isUuid, type Session, sessions, type User, users } from '../tables.ts'
import { InvalidTokenError, verifyAccessToken } from './access-token.ts'

export function bearerTokenOf(header: string | null | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

export interface SignedIn {
  user: User
  session: Session
}

/** The caller of /auth/v1 (product 2.9.4). A deleted user gets session_not_found, so that the client signs out. */
export async function requireSession(
  dependencies: AppDependencies,
  request: Request,
): Promise<SignedIn> {
  const token = bearerTokenOf(request.headers.get('Authorization'))
  if (!token) {
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  }
  const { sub, sessionId } = await verifyAccessToken(dependencies, token).catch((error) => {
    if (!(error instanceof InvalidTokenError)) throw error
    throw new AuthError(
      403,
      'bad_jwt',
      `invalid JWT: unable to parse or verify signature, ${error.message}`,
    )
  })
  if (!sub) throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim')
  if (!isUuid(sub)) throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID')
  if (!isUuid(sessionId)) {
    throw new AuthError(403, 'bad_jwt', 'invalid claim: session_id claim must be a UUID')
  }
  const [row] = await dependencies.db
    .select({ user: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, sub)))
  if (!row) throw sessionNotFound()
  return row
}
