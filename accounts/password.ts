/** Password length in characters (code points): ASVS 5.0, no rules of composition. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
/** What a new password needs, before it is typed. At sign-up it stands nowhere (product 2.3.9). */
export const PASSWORD_HINT = `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, and none that many people use.`
