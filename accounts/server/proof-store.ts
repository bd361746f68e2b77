import { and, eq, isNotNull } from 'drizzle-orm'
import type pg from 'pg'
import { type Database, fieldLists } from '../../platform/database/database.ts'
import { ApiError } from '../../platform/server/api.ts'
import {
  areKeysOpen,
  isFreshProof,
  isOrganizerSessionOver,
  ORGANIZER_CALL_STORED_EVERY_MS,
} from '../second-factor.ts'
import { secondFactors, type User } from './tables.ts'

/** SQL: whether a session (row n of sessions) used the second factor (levelOf). */
export const IS_AAL2 = `(n.amr @> '[{"method": "totp"}]' or n.amr @> '[{"method": "mfa/recovery_code"}]')`

/** What a session has proven about its user. */
export interface Proof {
  /** whether the account has a verified second factor */
  hasFactor: boolean
  /** whether it was used in this session */
  isShown: boolean
  /** the last password or code; null for none */
  provenAt: Date | null
  /** the last call as an organizer, as stored */
  organizerAt: Date | null
  /** the last call that returned keys, as stored */
  keysAt: Date | null
}

export const PROOF_COLUMNS = `n.proven_at as "provenAt", n.organiser_at as "organizerAt",
  n.keys_at as "keysAt",
  ${IS_AAL2} as "isShown",
  exists (select from second_factors f where f.user_id = n.user_id and f.verified_at is not null) as "hasFactor"`

/**
 * Checks the session of an organizer's call (product 7.8). Errors: 403 second_factor_required with `factor`,
 * organiser_session_over and fresh_proof_required with `by`. `keys`: needs a recent proof or already open keys.
 */
export function requireOrganizerProof(
  proof: Proof,
  asked: { factor: 'always' | 'where there is one' | 'never'; fresh: boolean; keys: boolean },
  now: Date,
): void {
  const { hasFactor, isShown } = proof
  if (!hasFactor && asked.factor === 'always') throw secondFactorRequired(false)
  // A member with a second factor must use it for every proof. Otherwise the password would be enough.
  const counts = asked.factor !== 'never' || asked.fresh || asked.keys
  if (hasFactor && counts && !isShown) throw secondFactorRequired(true)
  if (isOrganizerSessionOver(proof, now)) throw sessionOver(proof)
  if (asked.fresh && !isFreshProof(proof.provenAt, now)) throw freshProofRequired(proof)
  if (asked.keys && !areKeysUncovered(proof, now)) throw freshProofRequired(proof)
}

/** Whether keys may be shown: within five minutes of a proof, and then while they are being read. */
export const areKeysUncovered = (
  { hasFactor, isShown, provenAt, keysAt }: Proof,
  now: Date,
): boolean => (isShown || !hasFactor) && (isFreshProof(provenAt, now) || areKeysOpen(keysAt, now))

export interface OrganizerCall {
  sessionId: string
  /** whether keys were returned */
  keys: boolean
  at: Date
}

/** Whether a call needs no storing, because one like it was stored less than a minute ago. */
export function isOrganizerCallStored(
  { organizerAt, keysAt }: Pick<Proof, 'organizerAt' | 'keysAt'>,
  { keys, at: now }: Pick<OrganizerCall, 'keys' | 'at'>,
): boolean {
  const isStored = (at: Date | null) =>
    at !== null && now.getTime() - at.getTime() < ORGANIZER_CALL_STORED_EVERY_MS
  return isStored(organizerAt) && (!keys || isStored(keysAt))
}

/** Stores the time of organizers' calls and key reads for each session, in one statement. */
export async function storeOrganizerCalls(
  db: { $client: Pick<pg.Pool, 'query'> },
  calls: readonly OrganizerCall[],
): Promise<void> {
  await db.$client.query({
    name: 'organizer-calls',
    // Rows are locked in id order on every node, so that two statements never deadlock.
    text: `
      with asked as (
        select id, max(at) as at, max(at) filter (where keys) as keys_at
        from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) as call(id, at, keys) group by id),
      held as (
        select s.id, asked.at, asked.keys_at from sessions s join asked using (id) order by s.id
        for no key update of s)
      update sessions s set organiser_at = held.at, keys_at = coalesce(held.keys_at, s.keys_at)
      from held where s.id = held.id`,
    values: fieldLists(calls, 'sessionId', 'at', 'keys'),
  })
}

/** The session hasn't used the account's second factor, or the account needs one. */
export const secondFactorRequired = (hasFactor: boolean) =>
  new ApiError(
    403,
    'second_factor_required',
    hasFactor
      ? 'Please enter a code from your authenticator app first.'
      : 'You need a second factor for this. Please set one up in your Personal Hub.',
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

/** A person's second factor, verified or not, or null. A guest has none, so nothing is read. */
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

/** Removes a lost second factor and ends organizer sessions (product 2.10.9). @returns whether one was verified */
export async function resetFactor(
  client: Pick<pg.PoolClient, 'query'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await client.query<{ counted: boolean }>(
    'delete from second_factors where user_id = $1 returning verified_at is not null as counted',
    [userId],
  )
  if (!rows[0]?.counted) return false
  // Otherwise these sessions would count as having used the next factor.
  await client.query(
    `update sessions set amr = jsonb_path_query_array(amr,
       '$[*] ? (@.method != "totp" && @.method != "mfa/recovery_code")') where user_id = $1`,
    [userId],
  )
  await endStanding(client, userId)
  return true
}

/** Requires re-authentication in each of a person's sessions (product 7.13.8). Returns their number. */
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
