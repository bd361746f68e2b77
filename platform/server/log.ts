import pino from 'pino'

export type Logger = pino.Logger

/** JSON lines on standard output; never a password, token or authorization header. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    redact: ['password', 'token', 'refresh_token', 'access_token', 'authorization', '*.password'],
  })
}

/** What a log may have of an error: never the values, which Drizzle writes into its message. */
export function describeError(error: unknown): Record<string, unknown> {
  let cause = error
  let query: unknown
  while (cause instanceof Error) {
    query ??= (cause as { query?: unknown }).query
    if (!(cause.cause instanceof Error)) break
    cause = cause.cause
  }
  if (!(cause instanceof Error)) return { message: String(cause), query }
  const { code, constraint } = cause as { code?: unknown; constraint?: unknown }
  return { message: cause.message, code, constraint, query, stack: cause.stack }
}
