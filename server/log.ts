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
