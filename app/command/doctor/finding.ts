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
