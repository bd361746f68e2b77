/** What one look has found: `mend` must be mended, `look` is worth a person's thought, `well` is well. */
export interface Finding {
  is: 'well' | 'look' | 'mend'
  /** for people, with what to do where something is to be done */
  sentence: string
}

export const well = (sentence: string): Finding => ({ is: 'well', sentence })
export const look = (sentence: string): Finding => ({ is: 'look', sentence })
export const mend = (sentence: string): Finding => ({ is: 'mend', sentence })
/** One to mend where something is so, and none where it is not. */
export const mendIf = (isSo: boolean, sentence: string) => (isSo ? [mend(sentence)] : [])

/** The words of an error, also of a name with several addresses, which has one error for each. */
export function wordsOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const words = errors.map((one) => {
    const { message, code } = one as { message?: string; code?: string }
    return message || code || String(one)
  })
  return [...new Set(words)].join(', ').replace(/\.$/, '')
}
