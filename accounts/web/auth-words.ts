import type { AuthError, AuthWeakPasswordError } from '@supabase/auth-js'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../limits.ts'

/** The message when the server sent none (product 2.7.7). */
export const UNEXPECTED = 'An unexpected error occurred. Please try again.'

/** Messages of the browser or a proxy, which don't help users. */
const NOT_FOR_PEOPLE =
  /^(HTTP \d+|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|\{.*)$/i

export function messageOf(error: unknown): string {
  if (!isAuthError(error) || !error.message) return UNEXPECTED
  // Status 0: no response; undefined: an unreadable response.
  if (!error.status || NOT_FOR_PEOPLE.test(error.message)) return UNEXPECTED
  return error.message
}

/** The message next to a password that was rejected as weak, or undefined for other errors. */
export function weaknessOf(error: unknown): string | undefined {
  if (isNamed<AuthWeakPasswordError>(error, 'AuthWeakPasswordError')) {
    const sentences = error.reasons.map((reason) => {
      if (reason === 'length') {
        return `Use ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters.`
      }
      if (reason === 'pwned') return 'Many people use this password, so it is easily guessed.'
      return error.message
    })
    return [...new Set(sentences)].join(' ') || error.message
  }
  return codeOf(error) === 'same_password' ? messageOf(error) : undefined
}

export function codeOf(error: unknown): string | undefined {
  return isAuthError(error) ? error.code : undefined
}

/** Whether a retry may succeed, so that nothing has to be given up. */
export function isTemporary(error: unknown): boolean {
  return isUnfetched(error) || (isAuthError(error) && error.status === 429)
}

// Compares names and not classes, because the client's code is loaded later than these messages.

/** Whether the client reports that a call got no response, or a temporary error. */
export const isUnfetched = (error: unknown): error is AuthError =>
  isNamed<AuthError>(error, 'AuthRetryableFetchError')

/** Whether the client reports that there is no session. */
export const isSessionMissing = (error: unknown): boolean =>
  isNamed<AuthError>(error, 'AuthSessionMissingError')

const isAuthError = (error: unknown): error is AuthError =>
  error instanceof Error && error.name.startsWith('Auth')

const isNamed = <E extends AuthError>(error: unknown, name: E['name']): error is E =>
  isAuthError(error) && error.name === name
