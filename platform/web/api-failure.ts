import type { ErrorBody } from '../endpoint.ts'

/** A call that was refused or got no response. Switch on `code`. */
export class ApiFailure extends Error {
  /** HTTP status; 0 without a response */
  readonly status: number
  readonly code: string
  /** the error's other fields, next to code and message */
  readonly details: Record<string, unknown>
  /** Retry-After in milliseconds; 0 if absent */
  readonly retryAfterMs: number
  /** the server's clock in its response (Date), or null */
  readonly serverTimeMs: number | null
  constructor(status: number, body: ErrorBody, headers?: Headers) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.details = { ...body }
    this.retryAfterMs = Math.max(0, Number(headers?.get('Retry-After')) || 0) * 1000
    this.serverTimeMs = Date.parse(headers?.get('Date') ?? '') || null
  }

  /** Whether a retry may succeed. */
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

/** Milliseconds between tries (product 6.6.4); the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
/** Prevents a lecture hall that comes back online from calling in step. */
const JITTER = 0.2
/** Upper limit for Retry-After, so that answers are sent and screens load. */
const LONGEST_WAIT_MS = 60_000

/** The wait that the server asked for (Retry-After) in milliseconds, or 0. */
export function askedWaitMs(error: unknown): number {
  return error instanceof ApiFailure ? Math.min(error.retryAfterMs, LONGEST_WAIT_MS) : 0
}

/** Milliseconds before the next try: our pause or the server's if longer, plus random jitter of up to a fifth. */
export function retryPauseMs(tries: number, askedMs: number, random: () => number): number {
  const ownMs = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] as number
  return Math.max(ownMs, askedMs) * (1 + JITTER * random())
}
