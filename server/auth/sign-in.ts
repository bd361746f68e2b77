import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { users } from '../../db/schema.ts'
import type { AppDependencies } from '../app.ts'
import { createAddressOf } from './address.ts'
import { AuthError, invalid } from './errors.ts'
import { readBody } from './input.ts'
import { findWeakness, verifyPassword } from './passwords.ts'
import type { RateLimits } from './rate-limits.ts'
import { answerSession, openSession } from './sessions.ts'

const signInBody = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
})

/**
 * POST /token?grant_type=password. An unknown address and a wrong password are answered alike: same
 * words, same statements, same hashing.
 * Errors: 400 invalid_credentials, validation_failed, phone_provider_disabled; 429; 503.
 */
export async function signIn(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  const { email: given, phone, password = '' } = await readBody(context, signInBody)
  if (!given && phone) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled')
  }
  const email = given?.trim().toLowerCase()
  if (!email) throw invalid('missing email or phone')
  // PostgreSQL stores no NUL; such an address belongs to nobody.
  const lookup = email.replaceAll('\0', ' ')

  const succeeded = await limits.signIn(createAddressOf(dependencies)(context), lookup)
  const [user] = await dependencies.db.select().from(users).where(eq(users.email, lookup))
  if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
    throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
  }

  const now = dependencies.now()
  const signedIn = await dependencies.db.transaction(async (tx) => {
    const [current] = await tx
      .update(users)
      .set({ lastSignInAt: now })
      .where(eq(users.id, user.id))
      .returning()
    // The password or the account may have gone while it was compared.
    if (!current || current.passwordHash !== user.passwordHash) return null
    const session = await openSession(tx, dependencies, context, user.id, 'password')
    return { user: current, session }
  })
  if (!signedIn) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials')
  await succeeded()
  return answerSession(
    dependencies,
    context,
    signedIn.user,
    signedIn.session,
    findWeakness(password, user.email),
  )
}
