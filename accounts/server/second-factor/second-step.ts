import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Queryable } from '../../../platform/database/database.ts'
import { deriveKey, unseal } from '../../../platform/database/secret-key.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { AuthError, sessionNotFound, tooMany } from '../errors.ts'
import type { Factor } from '../proof-store.ts'
import { NOTICES } from '../recovery/address-change.ts'
import { firstOf, type SecondMethod } from '../sessions/level.ts'
import { openSession } from '../sessions/sessions.ts'
import { type Session, secondFactorCodes, secondFactors, sessions, type User } from '../tables.ts'
import { hashPaperCode, isAppCode, stepOfCode } from './codes.ts'

/** Tries per factor, across all callers and nodes (product 2.10.6). */
const CODE_TRIES = 10
const CODE_TRIES_WITHIN_MS = 15 * 60_000
/** How long an unverified secret is valid. */
const UNVERIFIED_MS = 60 * 60_000

/** A correct code, which `take` consumes. */
interface RightCode {
  factor: Factor
  method: SecondMethod
  /** Consumes it in the caller's transaction. @returns false if another call was faster */
  take(tx: Queryable): Promise<boolean>
}

/**
 * Checks a code: the app's six digits or a recovery code. One statement counts the try, so parallel calls get no extra
 * tries (429 after ten in 15 minutes). take() compares the step again, so only one of two calls with the same code
 * succeeds. Errors: 404 mfa_factor_not_found, 422 mfa_verification_failed, 429 over_request_rate_limit.
 * @param which 'verified': the verified factor; otherwise the id of one that may be new
 */
export async function judgeCode(
  dependencies: AppDependencies,
  user: Pick<User, 'id' | 'email'>,
  which: 'verified' | { factorId: string },
  typed: string,
): Promise<RightCode> {
  const now = dependencies.now()
  const factor = await countTry(dependencies, user, which)
  if (isAppCode(typed)) {
    const step = stepOfCode(openSecret(dependencies, factor), typed, now)
    if (step === null) throw wrongDigits()
    if (step <= factor.lastStep) throw spent()
    return { factor, method: 'totp', take: (tx) => takeStep(tx, factor, step, now) }
  }
  if (!factor.verifiedAt) throw wrongDigits()
  const codeHash = hashPaperCode(dependencies.secretKey, factor.id, typed)
  const [known] = await dependencies.db
    .select({ usedAt: secondFactorCodes.usedAt })
    .from(secondFactorCodes)
    .where(and(eq(secondFactorCodes.factorId, factor.id), eq(secondFactorCodes.codeHash, codeHash)))
  if (!known) throw wrongCode('This isn’t one of your recovery codes. Please check the letters.')
  if (known.usedAt) throw wrongCode('This recovery code was already used. Please use another one.')
  return {
    factor,
    method: 'mfa/recovery_code',
    take: (tx) => takePaperCode(tx, factor, codeHash, now),
  }
}

export const wrongDigits = () =>
  wrongCode(
    "This code is wrong. Please enter the one that your app shows now. If it's still wrong, your phone's clock may be off.",
  )

const wrongCode = (message: string) => new AuthError(422, 'mfa_verification_failed', message)

/** The code was correct but is already used, possibly by a faster call. */
export const spent = () =>
  wrongCode('This code was already used. Please wait for the next one in your app.')

/** Decrypts the secret. Errors: when SECRET_KEY has changed since it was stored. */
function openSecret({ secretKey }: AppDependencies, factor: Factor): Buffer {
  const secret = unseal(deriveKey(secretKey, 'second factor'), factor.id, factor.secretEncrypted)
  if (!secret) throw new Error('the secret of a second factor cannot be read with this SECRET_KEY')
  return secret
}

/** Counts a try in the same statement that reads the row. */
async function countTry(
  { db, now }: AppDependencies,
  user: Pick<User, 'id' | 'email'>,
  which: 'verified' | { factorId: string },
): Promise<Factor> {
  const at = now()
  const since = new Date(at.getTime() - CODE_TRIES_WITHIN_MS)
  const own = and(
    eq(secondFactors.userId, user.id),
    which === 'verified'
      ? sql`${secondFactors.verifiedAt} is not null`
      : eq(secondFactors.id, which.factorId),
    sql`(${secondFactors.verifiedAt} is not null or ${secondFactors.createdAt} > ${new Date(at.getTime() - UNVERIFIED_MS).toISOString()})`,
  )
  const isOver = sql`(${secondFactors.triesSince} is null or ${secondFactors.triesSince} <= ${since.toISOString()})`
  const [factor] = await db
    .update(secondFactors)
    .set({
      tries: sql`case when ${isOver} then 1 else ${secondFactors.tries} + 1 end`,
      triesSince: sql`case when ${isOver} then ${at.toISOString()}::timestamptz else ${secondFactors.triesSince} end`,
    })
    .where(and(own, sql`(${isOver} or ${lt(secondFactors.tries, CODE_TRIES)})`))
    .returning()
  if (!factor) {
    const [held] = await db
      .select({ triesSince: secondFactors.triesSince })
      .from(secondFactors)
      .where(own)
    if (!held) throw noFactor()
    throw tooManyCodes((held.triesSince ?? at).getTime() + CODE_TRIES_WITHIN_MS - at.getTime())
  }
  if (factor.tries === CODE_TRIES && factor.verifiedAt && user.email) {
    // Anyone who gets this far knows the password, so the owner should learn of it and change it.
    const mail = { kind: 'second_factor_tries', recipient: user.email, now: at }
    await enqueueMail(db, mail, { count: 1, withinMs: 24 * 60 * 60_000 })
    nudgeMailQueue(db)
  }
  return factor
}

export const noFactor = () =>
  new AuthError(404, 'mfa_factor_not_found', 'This second factor no longer exists.')

function tooManyCodes(waitMs: number): AuthError {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000))
  return tooMany(
    `Too many codes were entered. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`,
    Math.max(1, Math.ceil(waitMs / 1000)),
  )
}

async function takeStep(tx: Queryable, factor: Factor, step: number, now: Date): Promise<boolean> {
  const taken = await tx
    .update(secondFactors)
    .set({ lastStep: step, tries: 0, triesSince: null, verifiedAt: factor.verifiedAt ?? now })
    .where(and(eq(secondFactors.id, factor.id), lt(secondFactors.lastStep, step)))
    .returning({ id: secondFactors.id })
  return taken.length > 0
}

async function takePaperCode(
  tx: Queryable,
  factor: Factor,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const taken = await tx
    .update(secondFactorCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(secondFactorCodes.factorId, factor.id),
        eq(secondFactorCodes.codeHash, codeHash),
        isNull(secondFactorCodes.usedAt),
      ),
    )
    .returning({ id: secondFactorCodes.factorId })
  if (taken.length === 0) return false
  await tx
    .update(secondFactors)
    .set({ tries: 0, triesSince: null })
    .where(eq(secondFactors.id, factor.id))
  return true
}

/**
 * Consumes a correct code and replaces the session with one that has both factors, so that copied tokens stop working.
 * A factor's first code also ends every other session (product 2.10.2). Errors: 422 when the code was used meanwhile,
 * 403 session_not_found.
 */
export async function raiseSession(
  dependencies: AppDependencies,
  context: Context,
  { user, session }: { user: User; session: Session },
  right: RightCode,
): Promise<Session> {
  const raised = await dependencies.db.transaction(async (tx) => {
    if (!(await right.take(tx))) throw spent()
    const isNew = right.factor.verifiedAt === null
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), isNew ? undefined : eq(sessions.id, session.id)))
      .returning({ id: sessions.id })
    if (!ended.some(({ id }) => id === session.id)) throw sessionNotFound()
    const now = dependencies.now()
    if (isNew && user.email) {
      const mail = { kind: 'second_factor_on', recipient: user.email, now }
      await enqueueMail(tx, mail, NOTICES)
    }
    return openSession(tx, dependencies, context, user.id, right.method, firstOf(session))
  })
  nudgeMailQueue(dependencies.db)
  return raised
}
