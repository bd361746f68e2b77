/** How long link and digits of a recovery mail work (product 2.6.7), and how mail and screen say so. */
export const RECOVERY_MS = 60 * 60 * 1000
export const RECOVERY_IN_WORDS = 'one hour'

/** How many digits the same mail has for another device (product 2.6.6). */
export const CODE_DIGITS = 6

/** Wrong tries after which the digits of a mail work no more (product 2.6.6). */
export const CODE_TRIES = 5
