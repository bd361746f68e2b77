import type { ErrorBody } from '../endpoint.ts'

/** A call that was refused or did not get through. Switch on `code`. */
export class ApiFailure extends Error {
  /** HTTP status, 0 when no answer came */
  readonly status: number
  readonly code: string
  /** what the refusal says besides code and message */
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
