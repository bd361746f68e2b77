import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser, Guard, TokenHolder } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { isUuid } from '../tables.ts'
import { InvalidTokenError, verifyAccessToken } from './access-token.ts'
import { bearerTokenOf } from './bearer.ts'

/** Milliseconds after which a read no longer delays others. */
const SLOW_READ_MS = 50
/** Minimum milliseconds between the starts of two reads. */
const READ_EVERY_MS = 10

/**
 * The guard of /api. Each request reads its session, batched with others. Practice calls may use the cache while change
 * notifications arrive (product 2.1.11). `contentVersion`: SQL without parameters.
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
  // Requests that arrive during a read share the next one. With 50 connections one read serves about 20 requests, and
  // more in a rush. The queue is unlimited, because the calls themselves have limits.
  const readInRound = inRounds(dependencies.log, read, {
    slowMs: SLOW_READ_MS,
    everyMs: READ_EVERY_MS,
    waitingLimit: Number.POSITIVE_INFINITY,
  })

  async function requireToken(request: Request): Promise<TokenHolder> {
    const token = bearerTokenOf(request.headers.get('Authorization'))
    if (!token) throw new ApiError(401, 'no_authorization', 'Please sign in first.')
    const { sub, sessionId } = await verifyAccessToken(dependencies, token).catch((error) => {
      throw error instanceof InvalidTokenError ? badToken() : error
    })
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

type SessionRow = [id: string, userId: string, string | null, boolean, number]

/** Reads sessions by id, in the given order; 'gone' for a missing one. */
async function readSessions(
  { db }: AppDependencies,
  contentVersion: string,
  ids: readonly string[],
): Promise<(CurrentUser | 'gone')[]> {
  // This runs before every API call, so it is a named statement sent directly to the driver. It joins unnest because
  // PostgreSQL plans `= any($1)` on every call, which costs twice as much as running it.
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
