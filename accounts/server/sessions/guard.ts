import { setTimeout as wait } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser, Guard } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { isUuid } from '../rows.ts'
import { InvalidTokenError, type TokenClaims, verifyAccessToken } from './access-token.ts'
import { bearerTokenOf } from './bearer.ts'

/** A read that takes longer, milliseconds, holds nobody else up. */
const GATHER_MS = 50

/**
 * The guard of /api. Each request reads its session, so that a signed-out or deleted one is refused
 * at once; requests of the same moment share one read, which begins after all of them came in.
 */
export function createGuard(dependencies: AppDependencies): Guard {
  let lastRead: Promise<unknown> = Promise.resolve()
  const sessionLoader = new DataLoader<string, CurrentUser | null>(
    (ids) => {
      const read = readSessions(dependencies, ids)
      lastRead = Promise.race([read.catch(() => {}), wait(GATHER_MS)])
      return read
    },
    // Remembering answers would let a signed-out session live on. What has arrived when the read before is
    // done goes together: at 50 connections one read serves some 20 requests, and in a rush more.
    {
      cache: false,
      maxBatchSize: 500,
      batchScheduleFn: (load) => void lastRead.then(() => setImmediate(load)),
    },
  )
  return {
    async requireUser(request) {
      const token = bearerTokenOf(request.headers.get('Authorization'))
      if (!token) throw new ApiError(401, 'no_authorization', 'Please sign in first.')
      const { sub, sessionId } = await verify(dependencies, token)
      if (!isUuid(sub) || !isUuid(sessionId)) throw badToken()
      const user = await sessionLoader.load(sessionId.toLowerCase())
      if (!user || user.id !== sub) {
        throw new ApiError(
          401,
          'session_not_found',
          'You have been signed out. Please sign in again.',
        )
      }
      return user
    },
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

// Joined to unnest, not `= any($1)`: for that PostgreSQL makes a new plan at every call, which costs
// twice as much as running it.
const READ_SESSIONS = `
  select s.id, s.user_id, u.email, u.is_anonymous,
    coalesce((select version from bank), 0) as bank_version
  from unnest($1::uuid[]) as asked(id) join sessions s using (id) join users u on u.id = s.user_id`

type SessionRow = [id: string, userId: string, string | null, boolean, number]

async function readSessions(
  { db }: AppDependencies,
  ids: readonly string[],
): Promise<(CurrentUser | null)[]> {
  // Straight to the driver, as a named statement: this runs before every call of the API.
  const { rows } = await db.$client.query<SessionRow>({
    name: 'read-sessions',
    text: READ_SESSIONS,
    values: [[...new Set(ids)]],
    rowMode: 'array',
  })
  const found = new Map<string, CurrentUser>()
  for (const [sessionId, id, email, isAnonymous, bankVersion] of rows) {
    found.set(sessionId, { id, sessionId, email, isAnonymous, bankVersion })
  }
  return ids.map((id) => found.get(id) ?? null)
}
