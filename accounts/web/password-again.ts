import { ApiFailure } from '../../platform/web/api.ts'

/** Said when the password that is asked for again was left empty. */
export const PASSWORD_MISSING = 'Please enter your password.'

const REFUSALS = ['wrong_password', 'password_required', 'too_many_tries']

/** What the server says of the password that was given again, or undefined when that was not it. */
export function passwordRefusal(error: unknown): string | undefined {
  return error instanceof ApiFailure && REFUSALS.includes(error.code) ? error.message : undefined
}
