import { eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import { AuthError } from './errors.ts'
import { verifyPassword } from './sign-in/passwords.ts'
import type { RateLimits } from './sign-in/rate-limits.ts'
import { users } from './tables.ts'

/**
 * Asks who is signed in for the password again (product 2.8.7): a session may be a copy, or a computer that
 * somebody left. A guest has no password and is let through. Tries are limited as those of a sign-in.
 * @param address that the call comes from
 * Errors: 403 password_required, wrong_password; 429 too_many_tries; 503 when overloaded.
 */
export async function confirmPassword(
  db: Database,
  limits: RateLimits,
  user: CurrentUser,
  password: string | undefined,
  address: string,
): Promise<void> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, user.id))
  if (!row?.passwordHash) return
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

/** Limits and hashing speak the protocol of /auth/v1; this is a call of the API. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof AuthError)) return error
  const { status, message, retryAfterSeconds } = error
  const code = status === 429 ? 'too_many_tries' : error.code
  return new ApiError(status as 429 | 503, code, message, { retryAfterSeconds })
}
