/** How long the link to a new address works (product 2.6.12), and how mail and screen say so. */
export const ADDRESS_CHANGE_MS = 24 * 60 * 60 * 1000
export const ADDRESS_CHANGE_IN_WORDS = 'one day'

/** How long link and digits of a recovery mail work (product 2.6.7), and how mail and screen say so. */
export const RECOVERY_MS = 60 * 60 * 1000
export const RECOVERY_IN_WORDS = 'one hour'

/** How many digits the same mail has for another device (product 2.6.6). */
export const CODE_DIGITS = 6

/** Wrong tries after which the digits of a mail work no more (product 2.6.6). */
export const CODE_TRIES = 5

/** Password length in characters (code points): ASVS 5.0, no rules of composition. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
/** What a new password needs, before it is typed. At sign-up it stands nowhere (product 2.3.9). */
export const PASSWORD_HINT = `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, and none that many people use.`

/** Years of studies that a person can give, whole numbers (product 2.3.2). */
export const FIRST_YEAR_OF_STUDIES = 1
export const LAST_YEAR_OF_STUDIES = 10

/** Characters of degree and university (product 2.3.1). */
export const METADATA_TEXT_LIMIT = 200

/** The year of studies that was typed: null for an empty field, undefined for a wrong one (product 2.3.2). */
export function readYearOfStudies(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const year = /^[1-9]\d*$/.test(text.trim()) ? Number(text) : Number.NaN
  return year >= FIRST_YEAR_OF_STUDIES && year <= LAST_YEAR_OF_STUDIES ? year : undefined
}

/** What is said when the box of the terms is not ticked, to the letter (product 2.3.3). */
export const TERMS_REQUIRED =
  'Terms and conditions required: Please accept the terms and conditions to create an account.'

/** Guests who have not been here for so long go, with all they have (product 2.4.7, 8.7.4). */
export const GUEST_DAYS = 30
