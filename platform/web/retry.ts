import { ApiFailure } from './api-failure.ts'

/** The pauses between tries (product 6.6.4); the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
/** So that a lecture hall that comes back online doesn't call in step. */
const JITTER = 0.2
/** No Retry-After keeps an answer from the server, or a screen from its reader, for longer. */
const LONGEST_WAIT_MS = 60_000

/** How long the server asked to wait (Retry-After), milliseconds; 0 when it didn't. */
export function askedWaitMs(error: unknown): number {
  return error instanceof ApiFailure ? Math.min(error.retryAfterMs, LONGEST_WAIT_MS) : 0
}

/**
 * The pause before the next try, milliseconds: one's own, or what the server asked for if that is longer.
 * Up to a fifth more comes by chance, on either: the server asked everybody for the same.
 * @param tries how many pauses there were before this one
 * @param askedMs see askedWaitMs
 */
export function retryPauseMs(tries: number, askedMs: number, random: () => number): number {
  const ownMs = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] as number
  return Math.max(ownMs, askedMs) * (1 + JITTER * random())
}
