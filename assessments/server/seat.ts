import type { Context } from 'hono'
import type pg from 'pg'
import { whenFree } from '../../platform/database/transaction.ts'
import { createAddressOf } from '../../platform/server/address.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { CANDIDATE_TOKEN_HEADER, WINDOW_HEADER } from '../contract.ts'
import { LATE_MS } from '../deadline.ts'
import type { Attempt } from './attempt-store.ts'
import { CANDIDATE, type Candidate, hashToken, type Seat } from './candidate-store.ts'
import type { Origin } from './event-store.ts'
import { graceEnd } from './pulse.ts'
import { CALLS, CALLS_COLUMNS, forEachSeat, ROUND_EVERY_MS } from './seat-calls.ts'

/** Reads from the headers which attempt a call refers to, without checks. */
export function readSeat(code: string, user: CurrentUser, context: Context): Seat {
  const token = context.req.header(CANDIDATE_TOKEN_HEADER)
  return {
    code,
    tokenHash: token === undefined ? null : hashToken(token),
    userId: user.id,
    windowId: context.req.header(WINDOW_HEADER) ?? '',
  }
}

/** How a candidate's row is locked until the transaction ends. 'share' makes an organizer's change wait. */
type CandidateLock = 'none' | 'share'
const LOCKS = { none: '', share: 'for share of c' }

/** The result for a token: a candidate, 'replaced' after the society made a new password (product 6.2.11), or neither. */
type Seated = Candidate | 'replaced' | 'unknown'

/**
 * Finds the candidates of many calls' tokens (product 6.2.9). Revoked candidates are skipped, and a token ends with its
 * test (product 6.7.13). Only the session of a replaced token gets 'replaced'.
 */
async function findSeated(
  client: Pick<pg.Pool, 'query'>,
  seats: readonly Seat[],
  now: Date,
  lock: CandidateLock = 'none',
): Promise<Seated[]> {
  const rows = await forEachSeat<Candidate & { n: number; isReplaced: boolean }>(
    client,
    `seated-${lock}`,
    `select calls.n, c.*, c.id is null and exists (
       select from replaced_tokens k
         join sessions s on s.id = k.session_id and s.user_id = calls.user_id
         join candidates r on r.id = k.candidate_id and r.assessment = calls.assessment and r.revoked_at is null
       where k.token_hash = calls.token_hash) as "isReplaced"
     from ${CALLS}) as calls(${CALLS_COLUMNS})
     left join lateral (
       ${CANDIDATE} join candidate_tokens k on k.candidate_id = c.id
         left join attempts t on t.candidate_id = c.id
       where k.token_hash = calls.token_hash and k.user_id = calls.user_id
         and c.assessment = calls.assessment and c.revoked_at is null
         and (t.id is null or t.deadline_at > $1 or $1 < ${LATE_MS} * interval '1 ms'
           + greatest(k.created_at, ${graceEnd('t.deadline_at')}))
       limit 1 ${LOCKS[lock]}
     ) c on true`,
    now,
    seats,
    [],
  )
  return rows.map(([row]) => {
    if (!row?.id) return row?.isReplaced ? 'replaced' : 'unknown'
    return row
  })
}

/** Errors: 403 bad_candidate_token, with the reason password_changed after a reset. */
function seatedCandidate(seated: Seated): Candidate {
  if (seated === 'replaced') {
    throw new ApiError(
      403,
      'bad_candidate_token',
      'The society has given you a new password. Please go back to the recruitment page and sign in with it.',
      { more: { reason: 'password_changed' } },
    )
  }
  if (seated !== 'unknown') return seated
  throw new ApiError(403, 'bad_candidate_token', 'Please login through the recruitment page first.')
}

export async function requireCandidate(
  client: Pick<pg.Pool, 'query'>,
  seat: Seat,
  now: Date,
  lock: CandidateLock = 'none',
): Promise<Candidate> {
  const [seated = 'unknown'] = await findSeated(client, [seat], now, lock)
  return seatedCandidate(seated)
}

/** Database access for unbatched calls, which only candidates get. */
export interface Seats {
  /** The candidate of a call. Simultaneous reads are batched. Errors: 403 bad_candidate_token, 503. */
  candidateOf(seat: Seat): Promise<Candidate>
  /** Runs a transaction (whenFree) for a candidate. Errors: 403 bad_candidate_token, 429 busy, those of `act`. */
  transact<T>(seat: Seat, act: (client: pg.PoolClient) => Promise<T>): Promise<T>
}

/** Guests without a token can make hundreds of calls a second, so they must not occupy connections. */
export function createSeats({ db, log, now }: AppDependencies): Seats {
  const findInRound = inRounds(
    log,
    (seats: readonly Seat[]) => findSeated(db.$client, seats, now()),
    { everyMs: ROUND_EVERY_MS },
  )
  const candidateOf = async (seat: Seat) => {
    const seated = seat.tokenHash ? await findInRound(seat) : 'unknown'
    return seated ? seatedCandidate(seated) : requireCandidate(db.$client, seat, now())
  }
  return {
    candidateOf,
    async transact(seat, act) {
      await candidateOf(seat)
      return whenFree(db, act)
    },
  }
}

/** Whether a call comes from the attempt's window and account. Other accounts take over first (product 6.4.5). */
export const isOwnedBy = (
  attempt: Pick<Attempt, 'windowId' | 'userId'>,
  { windowId, userId }: Seat,
) => attempt.windowId === windowId && attempt.userId === userId

/** Reads where a call comes from. This is stored with verifications, starts and take-overs. */
export function createOriginOf(settings: {
  trustProxy: boolean
}): (user: CurrentUser, context: Context) => Origin {
  const addressOf = createAddressOf(settings)
  return (user, context) => ({
    userId: user.id,
    address: addressOf(context),
    agent: context.req.header('User-Agent')?.slice(0, 300) ?? null,
  })
}
