/** How long the link to a new address works (product 2.6.12). Mail and screen quote the text. */
export const ADDRESS_CHANGE_MS = 24 * 60 * 60 * 1000
export const ADDRESS_CHANGE_IN_WORDS = 'one day'

/** How long a recovery mail's link and digits work (product 2.6.7). Mail and screen quote the text. */
export const RECOVERY_MS = 60 * 60 * 1000
export const RECOVERY_IN_WORDS = 'one hour'

/** Number of digits in the mail, for another device (product 2.6.6). */
export const CODE_DIGITS = 6

/** Wrong tries after which a mail's digits stop working (product 2.6.6). */
export const CODE_TRIES = 5

/** Password length in characters (code points), without composition rules, as in ASVS 5.0. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
/** Requirements for a new password. The sign-up form doesn't show them (product 2.3.9). */
export const PASSWORD_HINT = `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, and none that many people use.`

/** Allowed years of studies, whole numbers (product 2.3.2). */
export const FIRST_YEAR_OF_STUDIES = 1
export const LAST_YEAR_OF_STUDIES = 10

/** Maximum characters of degree and university (product 2.3.1). */
export const METADATA_TEXT_LIMIT = 200

/** Parses the year of studies: null if empty, undefined if invalid (product 2.3.2). */
export function readYearOfStudies(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const year = /^[1-9]\d*$/.test(text.trim()) ? Number(text) : Number.NaN
  return year >= FIRST_YEAR_OF_STUDIES && year <= LAST_YEAR_OF_STUDIES ? year : undefined
}

/** The exact message when the terms' box isn't ticked (product 2.3.3). */
export const TERMS_REQUIRED =
  'Terms and conditions required: Please accept the terms and conditions to create an account.'

/** Guests who haven't returned for this long are deleted with all their data (product 2.4.7, 8.7.4). */
export const GUEST_DAYS = 30
