/** Maximum characters of the text in a help request. */
export const HELP_LENGTH = 200
/** Maximum help requests kept per attempt. */
export const HELP_LIMIT = 10

/** Normalizes the text to one line without control characters, as the server requires. Empty text gives ''. */
export const tidyHelp = (text: string): string =>
  text
    .normalize('NFC')
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu,
      ' ',
    )
    .trim()
    .slice(0, HELP_LENGTH)
    // Drops half of a surrogate pair that the length limit cut.
    .replace(/\p{Cs}/gu, '')
