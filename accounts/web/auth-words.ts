import { AuthError, isAuthRetryableFetchError, isAuthWeakPasswordError } from '@supabase/auth-js'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../password.ts'

/** What is said when the server said nothing (product 2.7.7). */
export const UNEXPECTED = 'An unexpected error occurred. Please try again.'

/** Texts that the browser or a proxy wrote, not our server: nobody is helped by them. */
const NOT_FOR_PEOPLE =
  /^(HTTP \d+|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|\{.*)$/i

/** The server's message, or the fallback when none came. */
export function messageOf(error: unknown): string {
  if (!(error instanceof AuthError) || !error.message) return UNEXPECTED
  // Status 0: no answer; undefined: an answer that could not be read.
  if (!error.status || NOT_FOR_PEOPLE.test(error.message)) return UNEXPECTED
  return error.message
}

/** What stands beside the password when it was refused as weak, or undefined when that was not it. */
export function weaknessOf(error: unknown): string | undefined {
  if (isAuthWeakPasswordError(error)) {
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

/** The server's code, to switch on. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof AuthError ? error.code : undefined
}

/** Whether asking again later may succeed, so that nothing need be given up. */
export function isTemporary(error: unknown): boolean {
  return isAuthRetryableFetchError(error) || (error instanceof AuthError && error.status === 429)
}
