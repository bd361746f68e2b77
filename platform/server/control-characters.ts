/** What a terminal interprets: control characters except line break and tab, and direction marks. */
const OBEYED = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Replaces such characters with readable escapes (\x1b, \u202e). */
export function showControls(text: string): string {
  return text.replace(OBEYED, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
  })
}
