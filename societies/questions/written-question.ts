import type { OptionLetter } from '../../platform/options.ts'
import type { LeftOutReason } from './question-files.ts'
import type { Form } from './two-forms.ts'

/** A question as files have it. */
export interface WrittenQuestion {
  question: string
  options: Record<OptionLetter, string>
  answer: OptionLetter
  explanation: string
  /** null: both forms ask it */
  form: Form | null
}

/** Characters of an imported question's texts (product 7.2.9), which the editor takes too (CONTENT_LIMITS). */
export const LONGEST = { stem: 5_000, option: 1_000, explanation: 4_000, topic: 60 } as const

/** What nobody sees or what turns the direction of letters, and halves of characters. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/u

/** Whether a text has characters that nobody sees. */
export const hasHidden = (text: string) => HIDDEN.test(text)

/**
 * What keeps a question with its four options from being imported, or null (product 7.2.8); the page asks
 * while somebody mends one, the server when a file is read and when it is stored.
 */
export function flawOfTexts(stem: string, options: readonly string[]): LeftOutReason | null {
  const texts = [stem, ...options]
  if (texts.some((text) => text.trim() === '')) return 'empty_text'
  if (stem.length > LONGEST.stem) return 'too_long'
  if (options.some((text) => text.length > LONGEST.option)) return 'too_long'
  if (texts.some(hasHidden)) return 'hidden_characters'
  const isDistinct =
    new Set(options.map((text) => text.trim().toLowerCase())).size === options.length
  return isDistinct ? null : 'same_options'
}

/** A question without regard to case and line breaks. */
export const normaliseStem = (question: string): string =>
  question.toLowerCase().replace(/\s+/g, ' ').trim()
