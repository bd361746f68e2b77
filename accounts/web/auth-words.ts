import type { AuthError, AuthWeakPasswordError } from '@supabase/auth-js'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../limits.ts'

/** What is said when the server said nothing (product 2.7.7). */
export const UNEXPECTED = 'An unexpected error occurred. Please try again.'

/** Texts that the browser or a proxy wrote, not our server: nobody is helped by them. */
const NOT_FOR_PEOPLE =
  /^(HTTP \d+|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|\{.*)$/i

export function messageOf(error: unknown): string {
  if (!isAuthError(error) || !error.message) return UNEXPECTED
  // Status 0: no answer; undefined: an answer that could not be read.
  if (!error.status || NOT_FOR_PEOPLE.test(error.message)) return UNEXPECTED
  return error.message
}

/** What stands beside the password when it was refused as weak, or undefined when that was not it. */
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

/** Whether asking again later may succeed, so that nothing need be given up. */
export function isTemporary(error: unknown): boolean {
  return isUnfetched(error) || (isAuthError(error) && error.status === 429)
}

// By name and not by class: the client's code is fetched when it is needed, and words are not.

/** Whether the client says that a call got no answer, or one that may be another the next time. */
export const isUnfetched = (error: unknown): error is AuthError =>
  isNamed<AuthError>(error, 'AuthRetryableFetchError')

/** Whether the client says that there is no session to make a call with. */
export const isSessionMissing = (error: unknown): boolean =>
  isNamed<AuthError>(error, 'AuthSessionMissingError')

const isAuthError = (error: unknown): error is AuthError =>
  error instanceof Error && error.name.startsWith('Auth')

const isNamed = <E extends AuthError>(error: unknown, name: E['name']): error is E =>
  isAuthError(error) && error.name === name
