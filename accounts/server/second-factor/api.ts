import { and, count, eq, isNull } from 'drizzle-orm'
import { createAddressOf } from '../../../platform/server/address.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { getSecondFactor, giveProof, makeRecoveryCodes, useRecoveryCode } from '../../contract.ts'
import { isFreshProof } from '../../second-factor.ts'
import { freshProofRequired, hasFactor, readFactor, secondFactorRequired } from '../proof-store.ts'
import { requireSession, type SignedIn } from '../sessions/bearer.ts'
import { levelOf } from '../sessions/level.ts'
import { sessionJson } from '../sessions/sessions.ts'
import { confirmPassword } from '../sign-in/passwords.ts'
import type { RateLimits } from '../sign-in/rate-limits.ts'
import { secondFactorCodes, secondFactors, sessions } from '../tables.ts'
import { hashPaperCode, makePaperCodes } from './codes.ts'
import { judgeCode, noFactor, raiseSession, spent } from './second-step.ts'

/** Calls for the second factor that the protocol lacks: recovery codes and re-authentication. */
export function serveSecondFactor(
  api: Api,
  dependencies: AppDependencies,
  limits: RateLimits,
): void {
  const { db, now, secretKey, log } = dependencies
  const addressOf = createAddressOf(dependencies)

  api.serve(getSecondFactor, async ({ context }) => {
    const { user, session } = await requireSession(dependencies, context.req.raw)
    const factor = await readFactor(db, user)
    return {
      since: factor?.verifiedAt?.toISOString() ?? null,
      codesLeft: factor?.verifiedAt ? await countCodes(factor.id) : 0,
      isShown: levelOf(session) === 'aal2',
    }
  })

  api.serve(makeRecoveryCodes, async ({ context }) => {
    const { user, session } = await requireSession(dependencies, context.req.raw)
    const factor = await readFactor(db, user)
    if (!factor?.verifiedAt) throw noFactor()
    requireShown(session)
    if (!isFreshProof(session.provenAt, now())) throw freshProofRequired({ hasFactor: true })
    const codes = makePaperCodes()
    await db.transaction(async (tx) => {
      // With two concurrent calls, only the second one's codes are valid.
      const own = eq(secondFactors.id, factor.id)
      await tx.select().from(secondFactors).where(own).for('no key update')
      await tx.delete(secondFactorCodes).where(eq(secondFactorCodes.factorId, factor.id))
      await tx.insert(secondFactorCodes).values(
        codes.map((code) => ({
          factorId: factor.id,
          codeHash: hashPaperCode(secretKey, factor.id, code),
        })),
      )
    })
    return { codes }
  })

  api.serve(useRecoveryCode, async ({ body, context }) => {
    const signedIn = await requireSession(dependencies, context.req.raw)
    const { user } = signedIn
    const right = await judgeCode(dependencies, user, 'verified', body.code)
    const session = await raiseSession(dependencies, context, signedIn, right)
    log.info({ userId: user.id, method: right.method }, 'second factor')
    const codesLeft = await countCodes(right.factor.id)
    return { codesLeft, session: await sessionJson(dependencies, user, session) }
  })

  api.serve(giveProof, async ({ user, body, context }) => {
    const { session } = await requireSession(dependencies, context.req.raw)
    if (user.isAnonymous) {
      throw new ApiError(403, 'account_needed', 'A guest has no password. Create an account first.')
    }
    const at = now()
    const proven = { provenAt: at, organizerAt: null }
    const own = and(eq(sessions.id, user.sessionId), eq(sessions.userId, user.id))
    if (!(await hasFactor(db, user.id))) {
      await confirmPassword(db, limits, user, body.password, addressOf(context))
      await db.update(sessions).set(proven).where(own)
      return { provenAt: at.toISOString() }
    }
    // In a session without it, using the second factor opens a new session, so that copied tokens stop working.
    requireShown(session)
    if (!body.code) throw new ApiError(403, 'code_required', 'Please enter the code from your app.')
    const right = await judgeCode(dependencies, user, 'verified', body.code)
    await db.transaction(async (tx) => {
      if (!(await right.take(tx))) throw spent()
      await tx.update(sessions).set(proven).where(own)
    })
    return { provenAt: at.toISOString() }
  })

  async function countCodes(factorId: string): Promise<number> {
    const own = and(eq(secondFactorCodes.factorId, factorId), isNull(secondFactorCodes.usedAt))
    const [row] = await db.select({ left: count() }).from(secondFactorCodes).where(own)
    return row?.left ?? 0
  }
}

/** Errors: 403 second_factor_required in a session without it. */
function requireShown(session: SignedIn['session']): void {
  if (levelOf(session) !== 'aal2') throw secondFactorRequired(true)
}
