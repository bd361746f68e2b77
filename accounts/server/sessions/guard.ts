import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser, Guard, TokenHolder } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { isUuid } from '../tables.ts'
import { InvalidTokenError, type TokenClaims, verifyAccessToken } from './access-token.ts'
import { bearerTokenOf } from './bearer.ts'

/** A read that takes longer, milliseconds, holds nobody else up. */
const SLOW_READ_MS = 50
/** The shortest time between the beginnings of two reads, milliseconds. */
const READ_EVERY_MS = 10

/**
 * The guard of /api. Each request reads its session, requests of the same moment in one read; calls of practice may use
 * a recent read while ends of sessions are announced (product 2.1.11). `contentVersion`: SQL without parameters.
 */
export function createGuard(dependencies: AppDependencies, contentVersion: string): Guard {
  const { knownUsers } = dependencies
  const read = async (ids: readonly string[]) => {
    if (!knownUsers) return readSessions(dependencies, contentVersion, ids)
    const { sessions } = knownUsers
    const reading = sessions.beginRead()
    try {
      const answers = await readSessions(dependencies, contentVersion, ids)
      for (const user of answers) {
        if (user !== 'gone') sessions.remember(user.sessionId, user.id, user, reading)
      }
      return answers
    } finally {
      sessions.endRead(reading)
    }
  }
  // What has arrived when the read before is done goes together: at 50 connections one read serves some 20
  // requests, and in a rush more. However many wait: what their calls are for has limits of its own.
  const readInRound = inRounds(dependencies.log, read, {
    slowMs: SLOW_READ_MS,
    everyMs: READ_EVERY_MS,
    waitingLimit: Number.POSITIVE_INFINITY,
  })

  async function requireToken(request: Request): Promise<TokenHolder> {
    const token = bearerTokenOf(request.headers.get('Authorization'))
    if (!token) throw new ApiError(401, 'no_authorization', 'Please sign in first.')
    const { sub, sessionId } = await verify(dependencies, token)
    if (!isUuid(sub) || !isUuid(sessionId)) throw badToken()
    return { id: sub, sessionId: sessionId.toLowerCase() }
  }

  return {
    requireToken,
    async requireUser(request, mayBeKnown = false) {
      const { id, sessionId } = await requireToken(request)
      const user =
        (mayBeKnown && knownUsers?.sessions.recall(sessionId)) ||
        ((await readInRound(sessionId)) ?? (await read([sessionId]))[0])
      if (user === undefined || user === 'gone' || user.id !== id) {
        throw new ApiError(
          401,
          'session_not_found',
          'You have been signed out. Please sign in again.',
        )
      }
      return user
    },
    forget: (userId) => knownUsers?.forget(userId),
  }
}

const badToken = () =>
  new ApiError(401, 'bad_jwt', 'Your sign-in has expired. Please sign in again.')

async function verify(dependencies: AppDependencies, token: string): Promise<TokenClaims> {
  try {
    return await verifyAccessToken(dependencies, token)
  } catch (error) {
    if (error instanceof InvalidTokenError) throw badToken()
    throw error
  }
}

type SessionRow = [id: string, userId: string, string | null, boolean, number]

/** By session id, in the order asked; 'gone' for a session that is gone. */
async function readSessions(
  { db }: AppDependencies,
  contentVersion: string,
  ids: readonly string[],
): Promise<(CurrentUser | 'gone')[]> {
  // Straight to the driver, as a named statement: this runs before every call of the API. Joined to
  // unnest, not `= any($1)`: for that PostgreSQL makes a new plan at every call, which costs twice as much
  // as running it.
  const { rows } = await db.$client.query<SessionRow>({
    name: 'read-sessions',
    text: `
      select s.id, s.user_id, u.email, u.is_anonymous, ${contentVersion}
      from unnest($1::uuid[]) as asked(id) join sessions s using (id) join users u on u.id = s.user_id`,
    values: [[...new Set(ids)]],
    rowMode: 'array',
  })
  const found = new Map<string, CurrentUser>()
  for (const [sessionId, id, email, isAnonymous, version] of rows) {
    found.set(sessionId, { id, sessionId, email, isAnonymous, contentVersion: version })
  }
  return ids.map((id) => found.get(id) ?? 'gone')
}
