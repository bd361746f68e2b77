import { FINDING_WORDS } from '../../../assessments/rehearsal.ts'

/** A finding in a few words; one that a newer server names stays as it is. */
export const findingText = (finding: string) =>
  (FINDING_WORDS as Readonly<Record<string, string>>)[finding] ?? finding

/** Several of them. */
export const findingsText = (findings: readonly string[]) => findings.map(findingText).join(', ')
