/** Password length in characters (code points): ASVS 5.0, no rules of composition. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128
