import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import { asApiError } from '../errors.ts'
import { secondFactorRequired } from '../proof-store.ts'
import { hasFactor } from '../second-factor-store.ts'
import { levelOf } from '../sessions/level.ts'
import { sessions, users } from '../tables.ts'
import { verifyPassword } from './passwords.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * Asks who is signed in for the password again (product 2.8.7): a session may be a copy, or a computer that
 * somebody left. A guest has no password and is let through. Tries are limited as those of a sign-in.
 * Who has a second factor has to have shown it in this session, too (product 2.10.5).
 * @param address that the call comes from
 * Errors: 403 password_required, wrong_password, second_factor_required; 429 too_many_tries; 503 when
 * overloaded.
 */
export async function confirmPassword(
  db: Database,
  limits: RateLimits,
  user: CurrentUser,
  password: string | undefined,
  address: string,
): Promise<void> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash, amr: sessions.amr })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(users.id, user.id), eq(sessions.id, user.sessionId)))
  if (!row?.passwordHash) return
  if (levelOf(row) === 'aal1' && (await hasFactor(db, user.id))) throw secondFactorRequired(true)
  if (!password) {
    throw new ApiError(403, 'password_required', 'Please enter your password.')
  }
  try {
    const counted = await limits.confirm(user.id)
    const isRight = await verifyPassword(row.passwordHash, password, address).catch(
      async (error) => {
        await counted.untried()
        throw error
      },
    )
    if (!isRight) throw new ApiError(403, 'wrong_password', 'This is not your password.')
    await counted.right()
  } catch (error) {
    throw asApiError(error)
  }
}
