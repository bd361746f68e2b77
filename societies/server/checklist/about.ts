import type { RowState } from '../../checklist.ts'

/** The assessment that a row of the checklist is about. */
export interface About {
  isDraft: boolean
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  now: Date
}

/**
 * A row's state: what is not done yet is no fault of a draft, but amber once candidates can see the assessment;
 * what is wrong is amber always.
 */
export function stateOfRow(
  { isDraft }: Pick<About, 'isDraft'>,
  { isDone, isWrong = false }: { isDone: boolean; isWrong?: boolean },
): RowState {
  if (isDone) return 'ready'
  return isWrong || !isDraft ? 'attention' : 'todo'
}
