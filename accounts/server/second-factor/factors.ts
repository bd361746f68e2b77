import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { deriveKey, seal } from '../../../platform/database/secret-key.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { isFreshProof } from '../../second-factor.ts'
import { noteAct, noteUser } from '../acts.ts'
import { AuthError, insufficientLevel, invalid } from '../errors.ts'
import { readBody } from '../input.ts'
import { IS_AAL2, readFactor } from '../proof-store.ts'
import { NOTICES } from '../recovery/address-change.ts'
import { requireSession } from '../sessions/bearer.ts'
import { levelOf, SECOND_METHODS } from '../sessions/level.ts'
import { answerSession } from '../sessions/sessions.ts'
import { isUuid, secondFactors, type User } from '../tables.ts'
import { FACTOR_NAME } from '../user-json.ts'
import {
  appUri,
  isAppCode,
  judgeChallenge,
  makeChallenge,
  makeSecret,
  qrCode,
  secretText,
} from './codes.ts'
import { judgeCode, noFactor, raiseSession, wrongDigits } from './second-step.ts'

/** Serves the protocol's calls for the second factor (product 2.10, 2.9.1). */
export function serveFactors(auth: Hono, dependencies: AppDependencies): void {
  auth.post('/factors', (context) => enroll(dependencies, context))
  auth.post('/factors/:factor/challenge', (context) => challenge(dependencies, context))
  auth.post('/factors/:factor/verify', (context) => verify(dependencies, context))
  auth.delete('/factors/:factor', (context) => unenroll(dependencies, context))
}

const enrollBody = z.object({ factor_type: z.string().optional() })

/**
 * POST /factors: creates a secret and replaces an unverified one. Errors: those of requireSession; 400; 403
 * fresh_proof_required, account_needed; 422 mfa_phone_enroll_not_enabled and similar, too_many_enrolled_mfa_factors.
 */
async function enroll(dependencies: AppDependencies, context: Context): Promise<Response> {
  const { db, secretKey } = dependencies
  const { user, session } = await requireSession(dependencies, context.req.raw)
  const now = dependencies.now()
  const { factor_type: type } = await readBody(context, enrollBody)
  if (type !== 'totp') throw refusedType(type)
  if (user.isAnonymous || !user.email) {
    throw new AuthError(
      403,
      'account_needed',
      'Guests have no password, so they cannot add a second factor. Create an account first.',
    )
  }
  // Tokens may be copied and computers left unlocked. Only a user who knows the password may add a factor.
  if (!isFreshProof(session.provenAt, now))
    throw freshProofRequired('Please enter your password first.')
  const id = randomUUID()
  const secret = makeSecret()
  const row = {
    id,
    secretEncrypted: seal(deriveKey(secretKey, 'second factor'), id, secret),
    createdAt: now,
    lastStep: 0,
    tries: 0,
    triesSince: null,
  }
  const [stored] = await db
    .insert(secondFactors)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: row,
      setWhere: isNull(secondFactors.verifiedAt),
    })
    .returning({ id: secondFactors.id })
  if (!stored) {
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'This account already has a second factor. Remove it before you set up another one.',
    )
  }
  const uri = appUri(secret, user.email)
  return context.json({
    id,
    type: 'totp',
    friendly_name: FACTOR_NAME,
    totp: { qr_code: qrCode(uri), secret: secretText(secret), uri },
  })
}

function refusedType(type: string | undefined): AuthError {
  if (type === 'phone' || type === 'webauthn') {
    return new AuthError(
      422,
      `mfa_${type}_enroll_not_enabled`,
      'MFA enroll is disabled for this type',
    )
  }
  return invalid('factor_type needs to be totp')
}

/** No proof in the last five minutes, with this call's message. */
const freshProofRequired = (message: string) => new AuthError(403, 'fresh_proof_required', message)

/** Reads the factor's id from the path. Errors: 404 mfa_factor_not_found, also for another user's factor. */
function factorOf(context: Context): string {
  const id = context.req.param('factor')
  if (!isUuid(id)) throw noFactor()
  return id.toLowerCase()
}

/** POST /factors/:factor/challenge. Errors: those of requireSession; 404 mfa_factor_not_found. */
async function challenge(dependencies: AppDependencies, context: Context): Promise<Response> {
  const { user, session } = await requireSession(dependencies, context.req.raw)
  const factorId = factorOf(context)
  const factor = await readFactor(dependencies.db, user)
  if (factor?.id !== factorId) throw noFactor()
  const { secretKey, now } = dependencies
  const { id, expiresAt } = makeChallenge({ secretKey, sessionId: session.id, factorId }, now())
  return context.json({ id, type: 'totp', expires_at: expiresAt })
}

const verifyBody = z.object({ challenge_id: z.string().optional(), code: z.string().optional() })

/**
 * POST /factors/:factor/verify: a correct code opens a session with both factors. Errors: those of requireSession and
 * judgeCode; 400 validation_failed; 404 mfa_factor_not_found; 422 mfa_challenge_expired.
 */
async function verify(dependencies: AppDependencies, context: Context): Promise<Response> {
  noteAct(context, 'second factor')
  const signedIn = await requireSession(dependencies, context.req.raw)
  const { user, session } = signedIn
  noteUser(context, user.id)
  const factorId = factorOf(context)
  const { challenge_id: challengeId, code } = await readBody(context, verifyBody)
  if (!challengeId || !code) throw invalid('challenge_id and code are required')
  const { secretKey, now } = dependencies
  const judged = judgeChallenge({ secretKey, sessionId: session.id, factorId }, challengeId, now())
  if (judged === 'unknown') throw noFactor()
  if (judged === 'expired') {
    throw new AuthError(
      422,
      'mfa_challenge_expired',
      'That took longer than five minutes. Please try again.',
    )
  }
  // Recovery codes have their own call. This one is only for app codes.
  if (!isAppCode(code)) throw wrongDigits()
  const right = await judgeCode(dependencies, user, { factorId }, code)
  const raised = await raiseSession(dependencies, context, signedIn, right)
  return answerSession(dependencies, context, user, raised)
}

/**
 * DELETE /factors/:factor. A verified one needs a session with both factors and a recent code. Errors: those of
 * requireSession; 401 insufficient_aal; 403 fresh_proof_required; 404 mfa_factor_not_found.
 */
async function unenroll(dependencies: AppDependencies, context: Context): Promise<Response> {
  noteAct(context, 'second factor off')
  const { user, session } = await requireSession(dependencies, context.req.raw)
  noteUser(context, user.id)
  const id = factorOf(context)
  const factor = await readFactor(dependencies.db, user)
  if (factor?.id !== id) throw noFactor()
  if (factor.verifiedAt) {
    if (levelOf(session) !== 'aal2') throw insufficientLevel()
    if (!isFreshProof(session.provenAt, dependencies.now())) {
      throw freshProofRequired('Please enter a code from your authenticator app first.')
    }
  }
  await removeFactor(dependencies, user, id)
  return context.json({ id })
}

async function removeFactor({ db, now }: AppDependencies, user: User, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(secondFactors)
      .where(and(eq(secondFactors.id, id), eq(secondFactors.userId, user.id)))
      .returning({ verifiedAt: secondFactors.verifiedAt })
    if (!gone[0]?.verifiedAt) return
    // The factor's proofs no longer count: the sessions continue with only the password.
    await tx.execute(sql`
      update sessions n set amr = coalesce(
        (select jsonb_agg(entry) from jsonb_array_elements(n.amr) entry
         where entry->>'method' not in ${[...SECOND_METHODS]}), '[]')
      where n.user_id = ${user.id} and ${sql.raw(IS_AAL2)}`)
    if (user.email) {
      const mail = { kind: 'second_factor_off', recipient: user.email, now: now() }
      await enqueueMail(tx, mail, NOTICES)
    }
  })
  nudgeMailQueue(db)
}
