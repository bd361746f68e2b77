import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Queryable } from '../../../platform/database/database.ts'
import { keyedHash } from '../../../platform/database/secret-key.ts'
import { createAddressOf } from '../../../platform/server/address.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { CODE_DIGITS, CODE_TRIES, RECOVERY_MS } from '../../limits.ts'
import { noteAct, noteUser } from '../acts.ts'
import { AuthError, invalid } from '../errors.ts'
import { parseEmail, readBody } from '../input.ts'
import { answerSession, openSession } from '../sessions/sessions.ts'
import { createCallerOf, type RateLimits } from '../sign-in/rate-limits.ts'
import {
  addressChanges,
  recoveryTokens,
  type Session,
  sessions,
  type User,
  users,
} from '../tables.ts'
import { confirmAddress } from './address-change.ts'

/** Two requests for one address within a minute send only one mail. */
const MAIL_LIMIT = { count: 1, withinMs: 60_000 }

/** POST /recover: responds with {} without a lookup, so it doesn't reveal accounts. Errors: 400, 429. */
export async function askForRecovery(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  noteAct(context, 'recovery mail')
  const body = await readBody(context, z.object({ email: z.string().optional() }))
  if (!body.email) throw invalid('Password recovery requires an email')
  const email = parseEmail(body.email)
  await limits.recovery(createAddressOf(dependencies)(context), email)
  const { db } = dependencies
  await db.transaction(async (tx) => {
    // Without the lock, two concurrent requests would both find no earlier mail.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`recover ${email}`}, 0))`)
    await enqueueMail(
      tx,
      { kind: 'recovery', recipient: email, now: dependencies.now() },
      MAIL_LIMIT,
    )
  })
  nudgeMailQueue(db)
  return context.json({})
}

const verifyBody = z.object({
  type: z.string().optional(),
  token_hash: z.string().optional(),
  token: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
})

/** Mail types of the protocol. Only recovery and email_change are sent here. */
const MAIL_TYPES = ['signup', 'invite', 'recovery', 'magiclink', 'email_change', 'email']

/** POST /verify: ends all sessions and opens one that may set the password. Errors: 400, 403 otp_expired, 429. */
export async function verifyRecovery(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
): Promise<Response> {
  noteAct(context, 'recovery')
  const body = await readBody(context, verifyBody)
  if (!body.type) throw invalid('Verify requires a verification type')
  if (!body.token === !body.token_hash) {
    throw invalid('Verify requires either a token or a token hash')
  }
  if (body.token_hash && (body.email || body.phone)) {
    throw invalid('Only the token_hash and type should be provided')
  }
  const address = createAddressOf(dependencies)(context)
  if (body.token_hash) {
    requireMailType(body.type)
    const tokenHash = body.token_hash
    if (body.type === 'email_change') return answerMail(dependencies, limits, context, tokenHash)
    const take = (tx: Queryable) => takeToken(tx, dependencies, tokenHash)
    const proven = body.type === 'recovery' ? await prove(dependencies, context, take) : null
    // Only invalid links count, so that tries from the same network can't lock out a user with a valid one. 256 bits
    // can't be guessed.
    if (!proven) {
      await limits.verify(address)
      throw expired('Email link is invalid or has expired')
    }
    return answerProof(dependencies, limits, context, proven)
  }
  if (!body.email === !body.phone) {
    throw invalid('Only an email address or phone number should be provided on verify')
  }
  if (body.phone) {
    if (!E164.test(body.phone)) throw invalid('Invalid phone number format (E.164 required)')
    // Accounts have no phone numbers, so no digits were ever sent to one.
    await limits.verify(address)
    throw expired('Token has expired or is invalid')
  }
  requireMailType(body.type)
  const email = parseEmail(body.email)
  const code = (body.token as string).replace(/\s/g, '')
  await limits.verify(address)
  await limits.verifyCode(email)
  const take = (tx: Queryable) => takeCode(tx, dependencies, email, code)
  const proven = body.type === 'recovery' ? await prove(dependencies, context, take) : null
  if (!proven) throw expired('Token has expired or is invalid')
  return answerProof(dependencies, limits, context, proven)
}

/** The same for a mail to a new address, which doesn't sign anyone in (product 2.6.12). */
async function answerMail(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
  token: string,
): Promise<Response> {
  noteAct(context, 'address confirmation')
  const userId = await confirmAddress(dependencies, token)
  if (!userId) {
    await limits.verify(createAddressOf(dependencies)(context))
    throw expired('Email link is invalid or has expired')
  }
  noteUser(context, userId)
  // The protocol's response for a mail that opens no session.
  return context.json({ msg: 'Confirmation link accepted.', code: '200' })
}

const E164 = /^\+?[1-9]\d{6,14}$/

const expired = (message: string) => new AuthError(403, 'otp_expired', message)

function requireMailType(type: string): void {
  if (!MAIL_TYPES.includes(type)) throw invalid('Invalid email verification type')
}

/** Consumes the token and returns its user, or null if it doesn't exist or is too old. */
async function takeToken(
  tx: Queryable,
  { secretKey, now }: AppDependencies,
  token: string,
): Promise<string | null> {
  const [row] = await tx
    .delete(recoveryTokens)
    .where(
      and(
        eq(recoveryTokens.tokenHash, hashRecoveryToken(secretKey, token)),
        gt(recoveryTokens.expiresAt, now()),
      ),
    )
    .returning()
  return row?.userId ?? null
}

/**
 * Like takeToken, by digits. The statement that reads them also counts the try, so parallel tries gain nothing. After
 * the last try the mail's link still works. Otherwise a stranger could disable every mail.
 */
async function takeCode(
  tx: Queryable,
  { secretKey, now }: AppDependencies,
  email: string,
  code: string,
): Promise<string | null> {
  const [row] = await tx
    .update(recoveryTokens)
    .set({ codeTries: sql`${recoveryTokens.codeTries} + 1` })
    .where(
      and(
        inArray(
          recoveryTokens.userId,
          tx.select({ id: users.id }).from(users).where(eq(users.email, email)),
        ),
        lt(recoveryTokens.codeTries, CODE_TRIES),
        gt(recoveryTokens.expiresAt, now()),
      ),
    )
    .returning()
  if (!row) return null
  if (!timingSafeEqual(row.codeHash, hashRecoveryCode(secretKey, row.userId, code))) return null
  await tx.delete(recoveryTokens).where(eq(recoveryTokens.userId, row.userId))
  return row.userId
}

interface Proven {
  user: User
  session: Session
}

/** Consumes the proof and signs in, in one transaction. If it fails, the mail stays valid. */
function prove(
  dependencies: AppDependencies,
  context: Context,
  take: (tx: Queryable) => Promise<string | null>,
): Promise<Proven | null> {
  const now = dependencies.now()
  return dependencies.db.transaction(async (tx) => {
    const userId = await take(tx)
    if (!userId) return null
    const [user] = await tx
      .update(users)
      .set({
        lastSignInAt: now,
        updatedAt: now,
      })
      .where(and(eq(users.id, userId), isNull(users.deletingSince)))
      .returning()
    if (!user) return null
    // Another signed-in person may be why the owner asked for recovery.
    await tx.delete(sessions).where(eq(sessions.userId, userId))
    await tx.delete(addressChanges).where(eq(addressChanges.userId, userId))
    return { user, session: await openSession(tx, dependencies, context, userId, 'otp') }
  })
}

async function answerProof(
  dependencies: AppDependencies,
  limits: RateLimits,
  context: Context,
  { user, session }: Proven,
): Promise<Response> {
  if (user.email) await limits.remember(createCallerOf(dependencies)(context), user.email)
  return answerSession(dependencies, context, user, session)
}

/** GET /verify: redirects to the page with the button. Consumes nothing, because scanners open links. Errors: 400. */
export function redirectToRecovery(context: Context): Response {
  const token = context.req.query('token') || context.req.query('token_hash')
  const type = context.req.query('type')
  if (!type) throw invalid('Verify requires a verification type')
  if (!token) throw invalid('Verify requires a token or a token hash')
  requireMailType(type)
  // Cut by code points, because a split surrogate pair can't be encoded.
  const short = [...token].slice(0, 200).join('')
  return context.redirect(`/auth?recovery=${encodeURIComponent(short)}`, 303)
}

interface RecoveryToken {
  /** the token in the mail's link; the protocol calls it token_hash */
  token: string
  code: string
}

/** Replaces a person's recovery token. Only keyed hashes are stored. */
export async function makeRecoveryToken(
  db: Queryable,
  secretKey: Buffer,
  now: Date,
  userId: string,
): Promise<RecoveryToken> {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(0, 10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const row = {
    tokenHash: hashRecoveryToken(secretKey, token),
    codeHash: hashRecoveryCode(secretKey, userId, code),
    codeTries: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + RECOVERY_MS),
  }
  await db
    .insert(recoveryTokens)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: recoveryTokens.userId, set: row })
  return { token, code }
}

const hashRecoveryToken = (secretKey: Buffer, token: string) =>
  keyedHash(secretKey, 'recovery token', token)

/** There are few six-digit codes, so the hash includes the person: equal codes of two people look different. */
const hashRecoveryCode = (secretKey: Buffer, userId: string, code: string) =>
  keyedHash(secretKey, 'recovery code', `${userId} ${code}`)
