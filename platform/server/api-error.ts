import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** An error that any code can throw. answerError responds with { code, message }. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  /** seconds for Retry-After */
  readonly retryAfterSeconds: number | undefined
  /** what a client needs in addition to code and message */
  readonly more: Record<string, unknown>

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    options: { retryAfterSeconds?: number; more?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.more = options.more ?? {}
  }
}

export const callerGone = () =>
  new ApiError(408, 'caller_gone', 'The caller did not wait for the response.')
