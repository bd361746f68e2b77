import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { noteAct, noteUser } from '../acts.ts'
import { AuthError, invalid } from '../errors.ts'
import { readBody } from '../input.ts'
import { type Session, sessions, type User, users } from '../tables.ts'
import { decodeRefreshToken } from './refresh-token.ts'
import { answerSession, deviceOf } from './sessions.ts'

/** How long a session's older tokens still get the current one, because a client repeats a refresh for 25 s. */
const REUSE_INTERVAL_MS = 60_000

/**
 * POST /token?grant_type=refresh_token: the second algorithm of product 2.1.5.
 *   behind = the session's counter - the token's
 *   0              the current token: the counter increases, and the next token is issued
 *   1              the previous token: returns the current one again (a lost response, or two tabs refreshed)
 *   2 and more     returns the current token within the reuse interval, and always for guests; otherwise the
 *                  replay ends the session
 *   less than 0    a token that this database doesn't know
 * Compares and sets without a lock. Never 409 or 429, because the client library would end the session.
 */
export async function refreshSession(
  dependencies: AppDependencies,
  context: Context,
): Promise<Response> {
  const body = await readBody(context, z.object({ refresh_token: z.string().optional() }))
  if (!body.refresh_token) {
    return context.json(
      { error: 'invalid_request', error_description: 'refresh_token required' },
      400,
    )
  }
  const token = decodeRefreshToken(dependencies.secretKey, body.refresh_token)
  if (token.kind === 'malformed') throw invalid('Refresh token is not valid')
  if (token.kind === 'forged') throw notFound()

  const { user, session } =
    (await rotate(dependencies, context, token)) ?? (await reuse(dependencies, context, token))
  return answerSession(dependencies, context, user, session)
}

interface Token {
  sessionId: string
  counter: number
}

interface Refreshed {
  user: User
  session: Session
}

const notFound = () =>
  new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')

/** Increments the counter if the token is the current one, else returns null. */
async function rotate(
  dependencies: AppDependencies,
  context: Context,
  token: Token,
): Promise<Refreshed | null> {
  const { db, now } = dependencies
  const [row] = await db
    .update(sessions)
    .set({
      refreshCounter: sql`${sessions.refreshCounter} + 1`,
      refreshedAt: now(),
      ...deviceOf(dependencies, context),
    })
    .from(users)
    .where(
      and(
        eq(sessions.id, token.sessionId),
        eq(sessions.refreshCounter, token.counter),
        eq(users.id, sessions.userId),
      ),
    )
    .returning()
  if (!row) return null
  const { users: user, ...session } = row
  return { user, session }
}

/** Returns the session for an older token, or ends it. */
async function reuse(
  { db, now }: AppDependencies,
  context: Context,
  token: Token,
): Promise<Refreshed> {
  const [row] = await db
    .select({ user: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, token.sessionId))
  if (!row) throw notFound()
  const behind = row.session.refreshCounter - token.counter
  if (behind < 0) throw invalid('Invalid Refresh Token: Not Issued By This Server')
  // Counted from the rotation and not the last reuse, so that replays can't extend the window.
  const sinceRotationMs = now().getTime() - row.session.refreshedAt.getTime()
  if (behind <= 1 || row.user.isAnonymous || sinceRotationMs < REUSE_INTERVAL_MS) return row
  noteAct(context, 'use of an old refresh token')
  noteUser(context, row.user.id)
  await db.delete(sessions).where(eq(sessions.id, token.sessionId))
  throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')
}
