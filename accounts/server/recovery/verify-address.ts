import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { verifyAddress } from '../../contract.ts'
import { asApiError } from '../errors.ts'
import { requireSession } from '../sessions/bearer.ts'
import { isRecoverySession } from '../sessions/sessions.ts'
import type { RateLimits } from '../sign-in/rate-limits.ts'
import { askAddress } from './address-change.ts'

/**
 * Verifies the address that an account has, by a mail to it as a new address is confirmed (product 2.6.13).
 * Not in a recovery whose new password is not set: until then the account may be somebody else's (2.6.10).
 */
export function serveAddressVerification(
  api: Api,
  dependencies: AppDependencies,
  limits: RateLimits,
): void {
  const { db, now } = dependencies

  api.serve(verifyAddress, async ({ context }) => {
    try {
      const { user, session } = await requireSession(dependencies, context.req.raw)
      const { id: userId, email } = user
      if (user.isAnonymous || !email) {
        throw new ApiError(
          403,
          'account_needed',
          'A guest has no address. Create an account first.',
        )
      }
      if (user.emailVerifiedAt) return { email, isVerified: true }
      if (isRecoverySession(session)) {
        throw new ApiError(403, 'new_password_needed', 'Please set your new password first.')
      }
      await limits.change(userId)
      await db.transaction((tx) => askAddress(tx, { userId, email, now: now() }))
      nudgeMailQueue(db)
      return { email, isVerified: false }
    } catch (error) {
      throw asApiError(error)
    }
  })
}
