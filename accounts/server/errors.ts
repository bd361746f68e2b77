import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { ApiError } from '../../platform/server/api.ts'
import { describeError, type Logger } from '../../platform/server/log.ts'

/** Why a password is refused, in the protocol's terms. */
export type WeakReason = 'length' | 'pwned'

/** An error in the protocol of Supabase Auth (product 2.9.3). The calls of /api answer with its ApiError part. */
export class AuthError extends ApiError {
  /** the protocol's code; `code` is the API's */
  readonly authCode: string
  readonly reasons: WeakReason[] | undefined

  constructor(
    status: ContentfulStatusCode,
    authCode: string,
    message: string,
    more: { reasons?: WeakReason[]; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(status, API_CODES[authCode] ?? authCode, message, more)
    this.authCode = authCode
    this.reasons = more.reasons
  }
}
const API_CODES: Record<string, string> = {
  over_request_rate_limit: 'too_many_tries',
  mfa_verification_failed: 'wrong_code',
  mfa_factor_not_found: 'no_second_factor',
}

/** 400 validation_failed, with a message that says what is missing or wrong. */
export const invalid = (message: string) => new AuthError(400, 'validation_failed', message)

/** 429 over_request_rate_limit, with the wait in seconds as Retry-After. */
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new AuthError(429, 'over_request_rate_limit', message, { retryAfterSeconds })

export const sessionNotFound = () =>
  new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')

/** The API version that introduced the new error format. Clients send theirs. */
const NEW_SHAPE_SINCE = '2024-01-01'

/** The session hasn't used the second factor. */
export const insufficientLevel = () =>
  new AuthError(
    401,
    'insufficient_aal',
    'Please enter a code from your authenticator app first, then try again.',
  )

/** Responds to any error under /auth/v1. Never a stack trace, and never a 5xx for bad input. */
export function answerAuthError(error: unknown, context: Context, log: Logger): Response {
  const refusal = toAuthError(error, context, log)
  const { status, authCode: code, message, reasons } = refusal
  if (refusal.retryAfterSeconds !== undefined) {
    context.header('Retry-After', String(refusal.retryAfterSeconds))
  }
  context.header('Cache-Control', 'no-store')
  context.header('X-Sb-Error-Code', code)
  const weakPassword = reasons ? { weak_password: { reasons } } : {}
  if (speaksNewShape(context.req.header('X-Supabase-Api-Version'))) {
    // Without this header the client library looks for `error_code` and finds none.
    context.header('X-Supabase-Api-Version', NEW_SHAPE_SINCE)
    return context.json({ code, message, ...weakPassword }, status)
  }
  const errorId = status >= 500 ? { error_id: randomUUID() } : {}
  return context.json(
    { code: status, error_code: code, msg: message, ...weakPassword, ...errorId },
    status,
  )
}

function toAuthError(error: unknown, context: Context, log: Logger): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof ApiError) {
    const code = error.code === 'body_too_large' ? 'request_entity_too_large' : error.code
    return new AuthError(error.status, code, error.message, {
      retryAfterSeconds: error.retryAfterSeconds,
    })
  }
  if (isDatabaseUnavailable(error)) {
    log.warn({ path: context.req.path, error: describeError(error) }, 'database unavailable')
    // Only 503 works here: on a refresh, the client keeps its session only for temporary errors (product 2.1.6, 2.1.7).
    return new AuthError(503, 'unavailable', 'The service is busy. Please try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }
  log.error({ path: context.req.path, error: describeError(error) }, 'unexpected error')
  return new AuthError(500, 'unexpected_failure', 'An unexpected error occurred. Please try again.')
}

function speaksNewShape(version: string | undefined): boolean {
  if (!version || !/^\d{4}-\d{2}-\d{2}$/.test(version)) return false
  return !Number.isNaN(Date.parse(version)) && version >= NEW_SHAPE_SINCE
}
