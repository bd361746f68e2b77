import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { noteAct } from '../acts.ts'
import { AuthError, invalid } from '../errors.ts'
import { checkMetadata, metadataSchema, parseEmail, readBody } from '../input.ts'
import { type AuthMethod, answerSession, openSession } from '../sessions/sessions.ts'
import { profiles, type Session, type User, users } from '../tables.ts'
import { hashPassword, requireStrongPassword } from './passwords.ts'
import { type Caller, createCallerOf, type RateLimits } from './rate-limits.ts'

const signUpBody = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
  data: metadataSchema.optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  gotrue_meta_security: z.object({ captcha_token: z.string().optional() }).optional().catch({}),
})

/** Checks the proof sent as a captcha token (product 9.3.17). Returns an id to count it under, or null. */
export type AdmitGuest = (proof: string) => Promise<string | null>

/**
 * POST /signup: creates an account, or a guest without email and password. Checks in the order of product 2.9.7.
 * Errors: 400 validation_failed, phone_provider_disabled; 422 weak_password, user_already_exists; 429.
 */
export async function signUp(
  dependencies: AppDependencies,
  limits: RateLimits,
  admitGuest: AdmitGuest,
  context: Context,
): Promise<Response> {
  noteAct(context, 'sign-up')
  const body = await readBody(context, signUpBody)
  const caller = createCallerOf(dependencies)(context)
  if (!body.email && !body.phone && !body.password) {
    noteAct(context, 'guest sign-up')
    const metadata = checkMetadata(body.data ?? {})
    await countGuest(limits, admitGuest, caller, body.gotrue_meta_security?.captcha_token)
    const guest = { email: null, passwordHash: null, isAnonymous: true, metadata }
    const created = await createUser(dependencies, context, guest, 'anonymous')
    if (!created) throw new Error('A guest has no address that could be taken.')
    return answerSession(dependencies, context, created.user, created.session)
  }

  if (!body.password) throw invalid('Signup requires a valid password')
  requireStrongPassword(body.password, body.email?.trim().toLowerCase() ?? null)
  if (body.email && body.phone) {
    throw invalid('Only an email address or phone number should be provided on signup.')
  }
  requireWholeChallenge(body.code_challenge, body.code_challenge_method)
  if (body.phone) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  const email = parseEmail(body.email)
  const metadata = checkMetadata(body.data ?? {})
  await limits.signUp(caller.address, email)

  const taken = new AuthError(422, 'user_already_exists', 'User already registered')
  // This precedes hashing, because a taken address must not cost that work.
  if (await isTaken(dependencies, email)) throw taken
  const passwordHash = await hashPassword(body.password, caller.address)
  const created = await createUser(
    dependencies,
    context,
    { email, passwordHash, isAnonymous: false, metadata },
    'password',
  )
  if (!created) throw taken
  await limits.remember(caller, email)
  return answerSession(dependencies, context, created.user, created.session, {
    factor: null,
  })
}

/** Errors: 429, unless the proof belongs to a candidate, who has a test to take. */
async function countGuest(
  limits: RateLimits,
  admitGuest: AdmitGuest,
  { address }: Caller,
  proof: string | undefined,
): Promise<void> {
  try {
    await limits.guest(address)
  } catch (refusal) {
    const candidateId = proof ? await admitGuest(proof) : null
    if (!candidateId) throw refusal
    await limits.guestOfCandidate(candidateId)
  }
}

export async function isTaken({ db }: AppDependencies, email: string): Promise<boolean> {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return row !== undefined
}

/** Creates user, profile and first session together. Returns null if the address was taken meanwhile. */
async function createUser(
  dependencies: AppDependencies,
  context: Context,
  given: Pick<User, 'email' | 'passwordHash' | 'isAnonymous' | 'metadata'>,
  method: AuthMethod,
): Promise<{ user: User; session: Session } | null> {
  const now = dependencies.now()
  return dependencies.db.transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({ id: randomUUID(), ...given, createdAt: now, updatedAt: now, lastSignInAt: now })
      .onConflictDoNothing({ target: users.email })
      .returning()
    if (!user) return null
    await tx.insert(profiles).values({ userId: user.id, createdAt: now })
    return { user, session: await openSession(tx, dependencies, context, user.id, method) }
  })
}

/** PKCE has no use here, so a challenge is only validated as in the protocol, then ignored. */
function requireWholeChallenge(challenge: string | undefined, method: string | undefined): void {
  if (!challenge && !method) return
  if (!challenge || !method) {
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
  if (!/^(s256|plain)$/i.test(method)) throw invalid('Invalid code_challenge_method')
  if (challenge.length < 43 || challenge.length > 128) {
    throw invalid('code challenge has to be between 43 and 128 characters')
  }
  if (!/^[A-Za-z0-9._~-]+$/.test(challenge)) {
    throw invalid(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    )
  }
}
