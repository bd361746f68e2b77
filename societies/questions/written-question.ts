import type { LeftOutReason } from './question-files.ts'

// Rules for question texts everywhere. They are separate from the schema, which the import thread doesn't load, and
// from import messages, which the editor doesn't load.

/** Maximum characters of a question's parts, written here or imported (product 7.2.9). */
export const CONTENT_LIMITS = { question: 5_000, option: 1_000, explanation: 5_000, topic: 60 }

/** Normalizes a question by ignoring case and line breaks. */
export const normaliseStem = (question: string): string =>
  question.toLowerCase().replace(/\s+/g, ' ').trim()

/** Equal for two questions with the same stem and the same options in any order. */
export const identityOf = (question: string, options: readonly string[]): string =>
  [normaliseStem(question), ...options.map(normaliseStem).sort()].join('\n')

/** Checks for invisible characters, text direction controls, and unpaired surrogates. */
export const hasHidden = (text: string) =>
  /(?![\n\t])[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u.test(text)

/** Says why a question can't be imported, or null (product 7.2.8). */
export function flawOfTexts(stem: string, options: readonly string[]): LeftOutReason | null {
  const texts = [stem, ...options]
  if (texts.some((text) => text.trim() === '')) return 'empty_text'
  if (stem.length > CONTENT_LIMITS.question) return 'too_long'
  if (options.some((text) => text.length > CONTENT_LIMITS.option)) return 'too_long'
  if (texts.some(hasHidden)) return 'hidden_characters'
  const different = new Set(options.map((text) => text.trim().toLowerCase()))
  return different.size === options.length ? null : 'same_options'
}

/** Splits off the first sentence as a title without its period. */
export function titleAndRest(text: string): [title: string, rest: string] {
  const at = text.indexOf('. ')
  return [text.slice(0, at), text.slice(at + 2)]
}

const ANSWER_IS =
  /\b(?:[Cc]orrect|[Rr]ight)(?: (?:answer|option|choice))?(?: is|:)? \(?([A-D])\b(?!')|\b[Aa]nswer(?: is|:) \(?([A-D])\b(?!')|(?:^|[.;] )\(?([A-D])\)? is (?:the )?(?:correct|right)\b/

/**
 * Finds another option that the explanation calls right: by letter, or by text if the key's text is missing. Returns
 * its index from 0, or null.
 */
export function quotedInstead(
  explanation: string,
  options: readonly string[],
  key: number,
): number | null {
  const text = explanation.replace(/\s+/g, ' ')
  const said = ANSWER_IS.exec(text)?.slice(1).find(Boolean)
  if (said) {
    const place = 'ABCD'.indexOf(said)
    return place === key ? null : place
  }
  const wordsOf = (one: string) =>
    ` ${one
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
  const words = wordsOf(text)
  const quotes = (option = '') => wordsOf(option).length > 5 && words.includes(wordsOf(option))
  if (quotes(options[key])) return null
  const found = options.flatMap((option, at) => (at !== key && quotes(option) ? [at] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}
