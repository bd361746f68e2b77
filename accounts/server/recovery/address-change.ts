import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import {
  type Database,
  isUniqueViolation,
  type Queryable,
} from '../../../platform/database/database.ts'
import { keyedHash } from '../../../platform/database/secret-key.ts'
import { createAddressOf } from '../../../platform/server/address.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { verifyAddress } from '../../contract.ts'
import { ADDRESS_CHANGE_MS } from '../../limits.ts'
import { AuthError } from '../errors.ts'
import { requireSession } from '../sessions/bearer.ts'
import { isRecoverySession } from '../sessions/sessions.ts'
import type { RateLimits } from '../sign-in/rate-limits.ts'
import { addressChanges, recoveryTokens, users } from '../tables.ts'

/** Name of the queued mail to a new address. It is about the user. */
export const ADDRESS_CHANGE_MAIL = 'email_change'
/** Per address across all senders, because it may be a stranger's, typed by mistake or to annoy them. */
const MAIL_LIMIT = { count: 5, withinMs: 3_600_000 }

/** Limit of each notice to one address (product 9.6.5). */
export const NOTICES = { count: 5, withinMs: 3_600_000 }

/** Mails an address. The account keeps its own, possibly the same, until it is confirmed (product 2.6.12, 2.6.13). */
export async function askAddress(
  tx: Queryable,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const row = { email, createdAt: now, expiresAt: new Date(now.getTime() + ADDRESS_CHANGE_MS) }
  await tx
    .insert(addressChanges)
    .values({ userId, ...row })
    .onConflictDoUpdate({
      target: addressChanges.userId,
      set: {
        ...row,
        // An earlier link to the same address stays valid, because the next mail may not be sent.
        tokenHash: sql`case when ${addressChanges.email} = ${email} then ${addressChanges.tokenHash} end`,
      },
    })
  const mail = { kind: ADDRESS_CHANGE_MAIL, recipient: email, about: userId, now }
  await enqueueMail(tx, mail, MAIL_LIMIT)
}

/** Creates a link's token and stores its keyed hash. Returns null if the change is no longer requested. */
export async function makeAddressToken(
  db: Database,
  secretKey: Buffer,
  now: Date,
  asked: { userId: string; email: string },
): Promise<string | null> {
  const token = randomBytes(32).toString('base64url')
  const made = await db
    .update(addressChanges)
    .set({ tokenHash: hashAddressToken(secretKey, token) })
    .where(
      and(
        eq(addressChanges.userId, asked.userId),
        eq(addressChanges.email, asked.email),
        gt(addressChanges.expiresAt, now),
      ),
    )
    .returning({ userId: addressChanges.userId })
  return made.length > 0 ? token : null
}

const hashAddressToken = (secretKey: Buffer, token: string) =>
  keyedHash(secretKey, 'address change', token)

/** Confirms an address by its mail. Returns the user's id, or null for a bad token. Errors: 422 email_exists. */
export async function confirmAddress(
  { db, secretKey, now }: AppDependencies,
  token: string,
): Promise<string | null> {
  const at = now()
  try {
    const userId = await db.transaction(async (tx) => {
      const [asked] = await tx
        .delete(addressChanges)
        .where(
          and(
            eq(addressChanges.tokenHash, hashAddressToken(secretKey, token)),
            gt(addressChanges.expiresAt, at),
          ),
        )
        .returning()
      if (!asked) return null
      const own = and(
        eq(users.id, asked.userId),
        isNull(users.deletingSince),
        eq(users.isAnonymous, false),
      )
      const [before] = await tx.select({ email: users.email }).from(users).where(own).for('update')
      if (!before) return null
      await tx
        .update(users)
        .set({ email: asked.email, emailVerifiedAt: at, updatedAt: at })
        .where(own)
      if (before.email === asked.email) return asked.userId
      // Mails to the old address must stop working.
      await tx.delete(recoveryTokens).where(eq(recoveryTokens.userId, asked.userId))
      if (before.email) {
        // The notice goes to the old address, so that an owner who lost the account finds out.
        const mail = { kind: 'email_changed', recipient: before.email, now: at }
        await enqueueMail(tx, mail, NOTICES)
      }
      return asked.userId
    })
    nudgeMailQueue(db)
    return userId
  } catch (error) {
    if (isUniqueViolation(error)) throw emailExists()
    throw error
  }
}

export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered')

/** Mails the account's own address to verify it (product 2.6.13), except in an unfinished recovery (2.6.10). */
export function serveAddressVerification(
  api: Api,
  dependencies: AppDependencies,
  limits: RateLimits,
): void {
  const { db, now } = dependencies
  const addressOf = createAddressOf(dependencies)

  api.serve(verifyAddress, async ({ context }) => {
    const { user, session } = await requireSession(dependencies, context.req.raw)
    const { id: userId, email } = user
    if (user.isAnonymous || !email) {
      throw new ApiError(403, 'account_needed', 'A guest has no address. Create an account first.')
    }
    if (user.emailVerifiedAt) return { email, isVerified: true }
    if (isRecoverySession(session)) {
      throw new ApiError(403, 'new_password_needed', 'Please set your new password first.')
    }
    await limits.change(userId)
    await limits.addressMail(addressOf(context), userId)
    await db.transaction((tx) => askAddress(tx, { userId, email, now: now() }))
    nudgeMailQueue(db)
    return { email, isVerified: false }
  })
}
