import type { Context } from 'hono'
import type pg from 'pg'
import { createAddressOf } from '../../platform/server/address.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import { CANDIDATE_TOKEN_HEADER, WINDOW_HEADER } from '../contract.ts'
import type { Attempt } from './attempt-store.ts'
import {
  type Candidate,
  type CandidateLock,
  getCandidateOfSeat,
  hashToken,
  isReplacedToken,
  type Seat,
} from './candidate-store.ts'
import type { Origin } from './event-store.ts'

/** Which attempt a call means, as its headers say; nothing is checked yet. */
export function readSeat(code: string, user: CurrentUser, context: Context): Seat {
  const token = context.req.header(CANDIDATE_TOKEN_HEADER)
  return {
    code,
    tokenHash: token === undefined ? null : hashToken(token),
    userId: user.id,
    windowId: context.req.header(WINDOW_HEADER) ?? '',
  }
}

/** The candidate of a seat (product 6.2.9). Errors: 403 bad_candidate_token, for a reset password_changed (6.2.11). */
export async function requireCandidate(
  client: Pick<pg.Pool, 'query'>,
  seat: Seat,
  now: Date,
  lock: CandidateLock = 'none',
): Promise<Candidate> {
  const candidate = await getCandidateOfSeat(client, seat, now, lock)
  if (candidate) return candidate
  if (await isReplacedToken(client, seat)) {
    throw new ApiError(
      403,
      'bad_candidate_token',
      'The society has given you a new password. Please go back to the recruitment page and sign in with it.',
      { more: { reason: 'password_changed' } },
    )
  }
  throw new ApiError(403, 'bad_candidate_token', 'Please login through the recruitment page first.')
}

/** Whether a call comes from the attempt's window and account; another account has to take it over (product 6.4.5). */
export const isOwnedBy = (
  attempt: Pick<Attempt, 'windowId' | 'userId'>,
  { windowId, userId }: Seat,
) => attempt.windowId === windowId && attempt.userId === userId

/** Tells where a call comes from, as it is kept beside verifications, starts and take-overs. */
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
