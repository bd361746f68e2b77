import type pg from 'pg'
import { ApiError } from '../../platform/server/api.ts'
import {
  isFreshProof,
  isOrganiserSessionOver,
  ORGANISER_CALL_STORED_EVERY_MS,
} from '../second-factor.ts'
import { IS_AAL2 } from './second-factor-store.ts'

/** What a session has shown of who has it. */
export interface Proof {
  /** whether the account has a second factor that counts */
  hasFactor: boolean
  /** whether it was shown in this session */
  isShown: boolean
  /** the last password or code; null for none */
  provenAt: Date | null
  /** the last call as an organiser, as it is stored */
  organiserAt: Date | null
}

/** SQL: the columns of a Proof. Of a row n of sessions. */
export const PROOF_COLUMNS = `n.proven_at as "provenAt", n.organiser_at as "organiserAt",
  ${IS_AAL2} as "isShown",
  exists (select from second_factors f where f.user_id = n.user_id and f.verified_at is not null) as "hasFactor"`

/**
 * What an organiser's call asks of its session (product 7.8).
 * Errors: 403 second_factor_required with `factor` (verified or none), organiser_session_over and
 * fresh_proof_required with `by` (code or password).
 * @param asked `factor`: whether the roles need one, 'always' or where there is one
 */
export function requireOrganiserProof(
  proof: Proof,
  asked: { factor: 'always' | 'where there is one' | 'never'; fresh: boolean },
  now: Date,
): void {
  const { hasFactor, isShown } = proof
  if (!hasFactor && asked.factor === 'always') throw secondFactorRequired(false)
  // Who has one is asked for it wherever a proof is: else the password alone would do in its place.
  const counts = asked.factor !== 'never' || asked.fresh
  if (hasFactor && counts && !isShown) throw secondFactorRequired(true)
  if (isOrganiserSessionOver(proof, now)) throw sessionOver(proof)
  if (asked.fresh && !isFreshProof(proof.provenAt, now)) throw freshProofRequired(proof)
}

/** Notes that a session was an organiser's just now, once a minute. */
export async function storeOrganiserCall(
  db: { $client: Pick<pg.Pool, 'query'> },
  sessionId: string,
  { organiserAt }: Proof,
  now: Date,
): Promise<void> {
  const sinceMs = organiserAt ? now.getTime() - organiserAt.getTime() : Number.POSITIVE_INFINITY
  if (sinceMs < ORGANISER_CALL_STORED_EVERY_MS) return
  await db.$client.query({
    name: 'organiser-call',
    text: 'update sessions set organiser_at = $2 where id = $1',
    values: [sessionId, now],
  })
}

/** The account has a second factor that was not shown in this session, or needs one. */
export const secondFactorRequired = (hasFactor: boolean) =>
  new ApiError(
    403,
    'second_factor_required',
    hasFactor
      ? 'Please enter a code of your authenticator app first.'
      : 'For this you need a second factor. Please set one up in your Personal Hub.',
    { more: { factor: hasFactor ? 'verified' : 'none' } },
  )

const byOf = ({ hasFactor }: Pick<Proof, 'hasFactor'>) => ({
  more: { by: hasFactor ? 'code' : 'password' },
})

/** The last proof is older than five minutes. */
export const freshProofRequired = (proof: Pick<Proof, 'hasFactor'>) =>
  new ApiError(
    403,
    'fresh_proof_required',
    proof.hasFactor
      ? 'Please enter a code of your authenticator app once more.'
      : 'Please enter your password once more.',
    byOf(proof),
  )

const sessionOver = (proof: Proof) =>
  new ApiError(
    403,
    'organiser_session_over',
    proof.hasFactor
      ? 'You have been away from this for a while. Please enter a code of your authenticator app to go on.'
      : 'You have been away from this for a while. Please enter your password to go on.',
    byOf(proof),
  )
