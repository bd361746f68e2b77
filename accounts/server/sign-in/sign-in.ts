import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { noteAct, noteUser } from '../acts.ts'
import { AuthError, invalid } from '../errors.ts'
import { readBody } from '../input.ts'
import { answerSession, makeSession } from '../sessions/sessions.ts'
import { users } from '../tables.ts'
import { findWeakness, verifyPassword } from './passwords.ts'
import { createCallerOf, type RateLimits } from './rate-limits.ts'

const signInBody = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
})

/**
 * POST /token?grant_type=password. An unknown address and a wrong password get the same message, statements and
 * hashing. Errors: 400 invalid_credentials, validation_failed, phone_provider_disabled; 429; 503.
 */
export async function signIn(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  noteAct(context, 'sign-in')
  const { email: given, phone, password = '' } = await readBody(context, signInBody)
  if (!given && phone) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled')
  }
  const email = given?.trim().toLowerCase()
  if (!email) throw invalid('missing email or phone')
  // PostgreSQL can't store NUL, so no account has such an address.
  const lookup = email.replaceAll('\0', ' ')

  const caller = createCallerOf(dependencies)(context)
  const counted = await limits.signIn(caller, lookup)
  const [user] = await dependencies.db
    .select()
    .from(users)
    .where(eq(users.email, lookup))
    .prepare('find-account')
    .execute()
  noteUser(context, user?.id)
  const isRight = await verifyPassword(user?.passwordHash, password, caller.address).catch(
    async (error) => {
      // The password wasn't checked because of overload, so the try doesn't count against the address or the account.
      await counted.untried()
      throw error
    },
  )
  if (!isRight || !user) throw wrong()
  await counted.right()

  const session = makeSession(dependencies, context, user.id, 'password')
  const { rows } = await dependencies.db.$client.query<SignedIn>({
    name: 'sign-in',
    text: OPEN_SESSION,
    values: [
      user.id,
      user.passwordHash,
      session.id,
      JSON.stringify(session.amr),
      session.userAgent,
      session.ip,
      session.createdAt,
    ],
  })
  // The password or the account may have changed during the comparison.
  const [opened] = rows
  if (!opened) throw wrong()
  const { factorId: id, factorMadeAt: createdAt, factorVerifiedAt: verifiedAt } = opened
  return answerSession(
    dependencies,
    context,
    { ...user, lastSignInAt: session.createdAt },
    session,
    {
      weakness: findWeakness(password, user.email),
      factor: id && createdAt ? { id, createdAt, verifiedAt } : null,
    },
  )
}

/** The second factor of the user who signed in, or null. */
interface SignedIn {
  factorId: string | null
  factorMadeAt: Date | null
  factorVerifiedAt: Date | null
}

const wrong = () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials')

/** One statement, because each round trip waits while hashes fill the cores. */
const OPEN_SESSION = `
  with person as (
    update users set last_sign_in_at = $7 where id = $1 and password_hash = $2 returning id
  ), opened as (
    insert into sessions
      (id, user_id, refresh_counter, amr, user_agent, ip, created_at, refreshed_at, proven_at)
    select $3, id, 0, $4, $5, $6, $7, $7, $7 from person returning user_id
  )
  select f.id as "factorId", f.created_at as "factorMadeAt", f.verified_at as "factorVerifiedAt"
  from opened left join second_factors f on f.user_id = opened.user_id`
