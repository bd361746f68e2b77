/** What a terminal obeys: control characters but line break and tab, and marks that turn the direction. */
const OBEYED = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A text in which such characters can be read (\x1b, \u202e) and do nothing. */
export function showControls(text: string): string {
  return text.replace(OBEYED, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })
}
