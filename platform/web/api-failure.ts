import type { ErrorBody } from '../endpoint.ts'

/** A call that was refused or did not get through. Switch on `code`. */
export class ApiFailure extends Error {
  /** HTTP status, 0 when no answer came */
  readonly status: number
  readonly code: string
  /** the error's other fields, next to code and message */
  readonly details: Record<string, unknown>
  /** how long the server asks to wait (Retry-After), 0 when it doesn't */
  readonly retryAfterMs: number
  /** the server's clock when it answered (Date), or null */
  readonly serverTimeMs: number | null
  constructor(status: number, body: ErrorBody, headers?: Headers) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.details = { ...body }
    this.retryAfterMs = Math.max(0, Number(headers?.get('Retry-After')) || 0) * 1000
    this.serverTimeMs = Date.parse(headers?.get('Date') ?? '') || null
  }

  /** Whether sending it again later may succeed. */
  get isTemporary(): boolean {
    return (
      this.status === 0 ||
      this.status === 401 ||
      this.status === 408 ||
      this.status === 429 ||
      this.status >= 500
    )
  }
}

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

/** Milliseconds before the next try: one's own pause or the server's if longer, and up to a fifth more by chance. */
export function retryPauseMs(tries: number, askedMs: number, random: () => number): number {
  const ownMs = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] as number
  return Math.max(ownMs, askedMs) * (1 + JITTER * random())
}
