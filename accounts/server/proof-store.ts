import { and, eq, isNotNull } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { ApiError } from '../../platform/server/api.ts'
import {
  areKeysOpen,
  isFreshProof,
  isOrganizerSessionOver,
  ORGANIZER_CALL_STORED_EVERY_MS,
} from '../second-factor.ts'
import { secondFactors, type User } from './tables.ts'

/** SQL: whether the second factor was shown in a session, row n of sessions (levelOf). */
export const IS_AAL2 = `(n.amr @> '[{"method": "totp"}]' or n.amr @> '[{"method": "mfa/recovery_code"}]')`

/** What a session has shown of who has it. */
export interface Proof {
  /** whether the account has a second factor that counts */
  hasFactor: boolean
  /** whether it was shown in this session */
  isShown: boolean
  /** the last password or code; null for none */
  provenAt: Date | null
  /** the last call as an organizer, as it is stored */
  organizerAt: Date | null
  /** the last call that handed out keys, as it is stored */
  keysAt: Date | null
}

export const PROOF_COLUMNS = `n.proven_at as "provenAt", n.organiser_at as "organizerAt",
  n.keys_at as "keysAt",
  ${IS_AAL2} as "isShown",
  exists (select from second_factors f where f.user_id = n.user_id and f.verified_at is not null) as "hasFactor"`

/**
 * What an organizer's call asks of its session (product 7.8). Errors: 403 second_factor_required with `factor`,
 * organiser_session_over and fresh_proof_required with `by`. `keys`: a fresh proof, or keys that are open already.
 */
export function requireOrganizerProof(
  proof: Proof,
  asked: { factor: 'always' | 'where there is one' | 'never'; fresh: boolean; keys: boolean },
  now: Date,
): void {
  const { hasFactor, isShown } = proof
  if (!hasFactor && asked.factor === 'always') throw secondFactorRequired(false)
  // Who has one is asked for it wherever a proof is: else the password alone would do in its place.
  const counts = asked.factor !== 'never' || asked.fresh || asked.keys
  if (hasFactor && counts && !isShown) throw secondFactorRequired(true)
  if (isOrganizerSessionOver(proof, now)) throw sessionOver(proof)
  if (asked.fresh && !isFreshProof(proof.provenAt, now)) throw freshProofRequired(proof)
  if (asked.keys && !areKeysUncovered(proof, now)) throw freshProofRequired(proof)
}

/** Whether keys may be told: after a proof of the last five minutes, and while one goes on reading them. */
export const areKeysUncovered = (
  { hasFactor, isShown, provenAt, keysAt }: Proof,
  now: Date,
): boolean => (isShown || !hasFactor) && (isFreshProof(provenAt, now) || areKeysOpen(keysAt, now))

export interface OrganizerCall {
  sessionId: string
  /** whether keys were handed out */
  keys: boolean
  at: Date
}

/** Whether a call need not be noted: one like it was less than a minute ago. */
export function isOrganizerCallStored(
  { organizerAt, keysAt }: Pick<Proof, 'organizerAt' | 'keysAt'>,
  { keys, at: now }: Pick<OrganizerCall, 'keys' | 'at'>,
): boolean {
  const isStored = (at: Date | null) =>
    at !== null && now.getTime() - at.getTime() < ORGANIZER_CALL_STORED_EVERY_MS
  return isStored(organizerAt) && (!keys || isStored(keysAt))
}

/** Notes of each session that it was an organizer's just now, or read keys. One statement, in the order of the ids. */
export async function storeOrganizerCalls(
  db: { $client: Pick<pg.Pool, 'query'> },
  calls: readonly OrganizerCall[],
): Promise<void> {
  await db.$client.query({
    name: 'organizer-calls',
    // Rows are locked in one order, whichever node notes them: so two never wait for each other.
    text: `
      with asked as (
        select id, max(at) as at, max(at) filter (where keys) as keys_at
        from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) as call(id, at, keys) group by id),
      held as (
        select s.id, asked.at, asked.keys_at from sessions s join asked using (id) order by s.id
        for no key update of s)
      update sessions s set organiser_at = held.at, keys_at = coalesce(held.keys_at, s.keys_at)
      from held where s.id = held.id`,
    values: [
      calls.map(({ sessionId }) => sessionId),
      calls.map(({ at }) => at),
      calls.map(({ keys }) => keys),
    ],
  })
}

/** The account has a second factor that was not shown in this session, or needs one. */
export const secondFactorRequired = (hasFactor: boolean) =>
  new ApiError(
    403,
    'second_factor_required',
    hasFactor
      ? 'Please enter a code from your authenticator app first.'
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
      ? 'Please enter a code from your authenticator app again.'
      : 'Please enter your password again.',
    byOf(proof),
  )

const sessionOver = (proof: Proof) =>
  new ApiError(
    403,
    'organiser_session_over',
    proof.hasFactor
      ? 'You were away for a while. Please enter a code from your authenticator app to continue.'
      : 'You were away for a while. Please enter your password to continue.',
    byOf(proof),
  )

export type Factor = typeof secondFactors.$inferSelect

/** A person's second factor, verified or not, or null. A guest has none and costs no read. */
export async function readFactor(
  db: Pick<Database, 'select'>,
  user: Pick<User, 'id' | 'isAnonymous'>,
): Promise<Factor | null> {
  if (user.isAnonymous) return null
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id))
  return factor ?? null
}

export async function hasFactor(db: Pick<Database, 'select'>, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: secondFactors.id })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.verifiedAt)))
  return found.length > 0
}

/** Takes a lost second factor away, and ends what every session is as an organizer's (product 2.10.9). @returns whether one counted */
export async function resetFactor(
  client: Pick<pg.PoolClient, 'query'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await client.query<{ counted: boolean }>(
    'delete from second_factors where user_id = $1 returning verified_at is not null as counted',
    [userId],
  )
  if (!rows[0]?.counted) return false
  // No session counts as one that has shown the next factor.
  await client.query(
    `update sessions set amr = jsonb_path_query_array(amr,
       '$[*] ? (@.method != "totp" && @.method != "mfa/recovery_code")') where user_id = $1`,
    [userId],
  )
  await endStanding(client, userId)
  return true
}

/** Makes each session of a person prove itself before organizer calls (product 7.13.8). Returns their number. */
export async function endStanding(
  client: Pick<pg.PoolClient, 'query'>,
  userId: string,
): Promise<number> {
  const { rowCount } = await client.query(
    'update sessions set proven_at = null, keys_at = null where user_id = $1',
    [userId],
  )
  return rowCount ?? 0
}
