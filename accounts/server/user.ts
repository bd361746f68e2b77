import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { isUniqueViolation } from '../../platform/database/database.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../platform/server/mail-queue.ts'
import { type Act, noteAct, noteUser } from './acts.ts'
import { AuthError, insufficientLevel } from './errors.ts'
import { checkMetadata, metadataSchema, parseEmail, readBody } from './input.ts'
import { hasFactor, readFactor } from './proof-store.ts'
import { askAddress, emailExists, NOTICES } from './recovery/address-change.ts'
import { requireSession, type SignedIn } from './sessions/bearer.ts'
import { levelOf, secondOf } from './sessions/level.ts'
import { isRecoverySession, openSession, sessionJson } from './sessions/sessions.ts'
import { hashPassword, requireStrongPassword, verifyPassword } from './sign-in/passwords.ts'
import { createCallerOf, type RateLimits } from './sign-in/rate-limits.ts'
import { isTaken } from './sign-in/sign-up.ts'
import {
  addressChanges,
  recoveryTokens,
  type Session,
  secondFactors,
  sessions,
  type User,
  users,
} from './tables.ts'
import { userJson } from './user-json.ts'

/** GET /user. Errors: those of requireSession. */
export async function answerUser(
  dependencies: AppDependencies,
  context: Context,
): Promise<Response> {
  const { user } = await requireSession(dependencies, context.req.raw)
  return context.json(userJson(user, await readFactor(dependencies.db, user)))
}

const updateBody = z.object({
  email: z.string().optional(),
  phone: z.string().optional(),
  password: z.string().optional(),
  current_password: z.string().optional(),
  data: metadataSchema.optional(),
  app_metadata: z.unknown().optional(),
})

type Update = z.output<typeof updateBody>

/** What a call changes in the user's row. Undefined fields stay. */
interface Changes {
  email?: string
  password?: string
  metadata?: Record<string, unknown>
}

/**
 * PUT /user: changes metadata, password or address (confirmed by a mail to it), or turns a guest into an account with
 * the same id and results. A new password ends every session and pending mail, and sends a notice. The response has the
 * caller's new session as `session` (decision 021). Password and address need the current password, except for a
 * password from a recovery mail. Errors: those of requireSession; 400 validation_failed, phone_provider_disabled,
 * current_password_required, current_password_invalid; 401 insufficient_aal; 403 not_admin; 409 conflict; 422
 * weak_password, same_password, email_exists, validation_failed.
 */
export async function updateUser(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  const caller = createCallerOf(dependencies)(context)
  const signedIn = await requireSession(dependencies, context.req.raw)
  const body = await readBody(context, updateBody)
  if (body.app_metadata !== undefined) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  if (body.phone) {
    throw new AuthError(400, 'phone_provider_disabled', 'Phone numbers are disabled')
  }
  const changes = readChanges(signedIn.user, body)
  if (changes.email !== undefined || changes.password !== undefined) {
    noteAct(context, actOf(signedIn.user, changes))
    noteUser(context, signedIn.user.id)
    await limits.change(signedIn.user.id)
    if (signedIn.user.isAnonymous) requireBoth(changes)
    else {
      await requireSecondFactor(dependencies, signedIn, changes)
      await requireOwner(signedIn, body, changes, caller.address)
    }
    if (changes.password !== undefined) {
      await requireNewPassword(signedIn.user, changes, caller.address)
    }
    if (changes.email !== undefined) {
      // The answer reveals whether the address has an account, so it counts as a sign-up with it.
      await limits.signUp(caller.address, changes.email)
      if (await isTaken(dependencies, changes.email)) throw emailExists()
      if (!signedIn.user.isAnonymous) await limits.addressMail(caller.address, signedIn.user.id)
    }
  }
  const { user, session } = await storeChanges(dependencies, context, signedIn, changes)
  const json = {
    ...userJson(user, await readFactor(dependencies.db, user)),
    ...(changes.email === undefined || changes.email === user.email
      ? {}
      : { new_email: changes.email, email_change_sent_at: dependencies.now().toISOString() }),
  }
  if (!session) return context.json(json)
  if (user.email) await limits.remember(caller, user.email)
  return context.json({
    ...json,
    session: await sessionJson(dependencies, user, session),
  })
}

function readChanges(user: User, body: Update): Changes {
  const changes: Changes = {}
  if (body.data) changes.metadata = checkMetadata(mergeMetadata(user.metadata, body.data))
  const email = body.email ? parseEmail(body.email) : undefined
  // The form may send the account's current address, which is no change.
  if (email !== undefined && email !== user.email) changes.email = email
  if (body.password !== undefined) changes.password = body.password
  return changes
}

function actOf(user: User, { email, password }: Changes): Act {
  if (user.isAnonymous) return 'guest to account'
  if (email === undefined) return 'password change'
  return password === undefined ? 'address change' : 'password and address change'
}

/** Merges by key. Null removes a key. */
function mergeMetadata(
  old: Record<string, unknown>,
  given: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...old, ...given }).filter(([key]) => given[key] !== null),
  )
}

/** A guest with only an address or only a password couldn't sign in again. */
function requireBoth(changes: Changes): void {
  if (changes.email === undefined) {
    throw new AuthError(
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    )
  }
  if (changes.password === undefined) {
    throw new AuthError(
      422,
      'validation_failed',
      'Please choose a password together with the email address.',
    )
  }
}

/** Requires the second factor, except for setting the password after a recovery mail (product 2.10.5). */
async function requireSecondFactor(
  { db }: AppDependencies,
  { user, session }: SignedIn,
  changes: Changes,
): Promise<void> {
  if (changes.email === undefined && isRecoverySession(session)) return
  if (levelOf(session) === 'aal1' && (await hasFactor(db, user.id))) throw insufficientLevel()
}

async function requireOwner(
  signedIn: SignedIn,
  body: Update,
  changes: Changes,
  address: string,
): Promise<void> {
  // A recovery mail proves the address, so it may set the password. Changing the address needs the password, which it
  // doesn't prove.
  if (changes.email === undefined && isRecoverySession(signedIn.session)) return
  if (!body.current_password) {
    throw new AuthError(
      400,
      'current_password_required',
      'Please enter your current password to change this.',
    )
  }
  if (!(await verifyPassword(signedIn.user.passwordHash, body.current_password, address))) {
    throw new AuthError(400, 'current_password_invalid', 'Your current password is wrong.')
  }
}

async function requireNewPassword(user: User, changes: Changes, address: string): Promise<void> {
  const password = changes.password as string
  requireStrongPassword(password, changes.email ?? user.email)
  if (user.passwordHash && (await verifyPassword(user.passwordHash, password, address))) {
    throw new AuthError(
      422,
      'same_password',
      'New password should be different from the old password.',
    )
  }
}

/** Stores the change and queues the mail in one transaction. A new password also replaces all sessions. */
async function storeChanges(
  dependencies: AppDependencies,
  context: Context,
  { user, session }: SignedIn,
  changes: Changes,
): Promise<{ user: User; session: Session | null }> {
  const { db } = dependencies
  const now = dependencies.now()
  const passwordHash =
    changes.password === undefined
      ? undefined
      : await hashPassword(changes.password, createCallerOf(dependencies)(context).address)
  try {
    const stored = await db.transaction(async (tx) => {
      const [updated] = await tx
        .update(users)
        .set({
          updatedAt: now,
          metadata: changes.metadata,
          passwordHash,
          ...(changes.email !== undefined && user.isAnonymous
            ? { email: changes.email, emailVerifiedAt: null, isAnonymous: false }
            : {}),
          // Only the new password verifies the address. Until then the old password still works, and its owner may have
          // signed up with someone else's address (product 2.6.10).
          ...(changes.password !== undefined && isRecoverySession(session)
            ? { emailVerifiedAt: user.emailVerifiedAt ?? now }
            : {}),
        })
        .where(
          and(
            eq(users.id, user.id),
            isNull(users.deletingSince),
            // The checks above must still hold, because two concurrent changes could each pass them.
            sql`${users.passwordHash} is not distinct from ${user.passwordHash}`,
            sql`${users.email} is not distinct from ${user.email}`,
            changes.metadata && sql`${users.metadata} = ${JSON.stringify(user.metadata)}::jsonb`,
          ),
        )
        .returning()
      if (!updated) {
        throw new AuthError(
          409,
          'conflict',
          'Your account was changed in the meantime. Please try again.',
        )
      }
      if (changes.password !== undefined) {
        await tx.delete(recoveryTokens).where(eq(recoveryTokens.userId, user.id))
        await tx.delete(addressChanges).where(eq(addressChanges.userId, user.id))
        // The person who set up the app didn't own the address (product 2.6.10).
        if (isRecoverySession(session) && !user.emailVerifiedAt) {
          await tx.delete(secondFactors).where(eq(secondFactors.userId, user.id))
        }
      }
      let opened: Session | null = null
      if (changes.password !== undefined) {
        await tx.delete(sessions).where(eq(sessions.userId, user.id))
        // A second factor that was used before still counts.
        const shown = secondOf(session)
        opened = await openSession(tx, dependencies, context, user.id, 'password', shown)
        if (user.email)
          await enqueueMail(tx, { kind: 'password_changed', recipient: user.email, now }, NOTICES)
      }
      if (changes.email !== undefined && !user.isAnonymous) {
        await askAddress(tx, { userId: user.id, email: changes.email, now })
      }
      return { user: updated, session: opened }
    })
    nudgeMailQueue(db)
    return stored
  } catch (error) {
    if (isUniqueViolation(error)) throw emailExists()
    throw error
  }
}
