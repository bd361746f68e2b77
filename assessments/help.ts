/** Characters of the line that a candidate may add to a request for help. */
export const HELP_LENGTH = 200
/** Requests of one attempt that are kept. */
export const HELP_LIMIT = 10

/** A typed line as the server takes it: one line, without control characters; '' for none. */
export const tidyHelp = (text: string): string =>
  text
    .normalize('NFC')
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu,
      ' ',
    )
    .trim()
    .slice(0, HELP_LENGTH)
    // Half of a character, where the limit cut one in two.
    .replace(/\p{Cs}/gu, '')
