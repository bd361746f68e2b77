/** The result of one check: `fix` must be fixed, `look` needs a person's judgment, `well` is fine. */
export interface Finding {
  is: 'well' | 'look' | 'fix'
  /** for the operator, with the action to take if there is one */
  sentence: string
}

export const well = (sentence: string): Finding => ({ is: 'well', sentence })
export const look = (sentence: string): Finding => ({ is: 'look', sentence })
export const fix = (sentence: string): Finding => ({ is: 'fix', sentence })
/** A finding to fix if the condition holds, otherwise none. */
export const fixIf = (isSo: boolean, sentence: string) => (isSo ? [fix(sentence)] : [])

/** An error's message. A host with several addresses has one error for each. */
export function wordsOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const words = errors.map((one) => {
    const { message, code } = one as { message?: string; code?: string }
    return message || code || String(one)
  })
  return [...new Set(words)].join(', ').replace(/\.$/, '')
}
