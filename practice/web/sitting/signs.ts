import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'

/**
 * A text with real minus and multiplication signs, as people read them: 'EBIT - tax' → 'EBIT − tax',
 * '-$30 million' → '−$30 million', '0.5 x 11%' → '0.5 × 11%'. A multiple keeps its x ('8.33x'), a compound
 * and a range their hyphen.
 */
export function signs(text: string): string {
  return text
    .replace(/(?<=\S) - (?=\S)/g, ' − ')
    .replace(/(?<=^|[\s(=:])-(?=[$€£]?\d)/g, '−')
    .replace(/(?<=\S) [x*] (?=[\d$€£(−])/g, ' × ')
}

/** Options with real signs. */
export function withSigns(options: Record<OptionLetter, string>): Record<OptionLetter, string> {
  const shown = { ...options }
  for (const letter of OPTION_LETTERS) shown[letter] = signs(options[letter])
  return shown
}
