import pino from 'pino'

export type Logger = pino.Logger

/** Logs JSON lines to standard output, without passwords, tokens or authorization headers. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: undefined,
    redact: ['password', 'token', 'refresh_token', 'access_token', 'authorization', '*.password'],
  })
}

/** Describes an error for the log, without the values that Drizzle puts into its message. */
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
