/** Where an assessment is in its life (product 7.8.1). */
export type AssessmentState = 'draft' | 'preparing' | 'running' | 'closed'

/**
 * The state at a moment: a draft until it is published; running from the first moment to start until nobody can
 * start and nobody is inside.
 * @param assessment first and last moment to start, null is open; and how many attempts go on
 */
export function stateOf(
  {
    isDraft,
    opensAt,
    closesAt,
    runningCount,
  }: {
    isDraft: boolean
    opensAt: Date | string | null
    closesAt: Date | string | null
    runningCount: number
  },
  now: Date | number,
): AssessmentState {
  if (isDraft) return 'draft'
  if (opensAt !== null && new Date(now) < new Date(opensAt)) return 'preparing'
  const isOver = closesAt !== null && new Date(now) > new Date(closesAt) && runningCount === 0
  return isOver ? 'closed' : 'running'
}

export const STATE_WORDS: Readonly<Record<AssessmentState, string>> = {
  draft: 'Draft',
  preparing: 'Preparing',
  running: 'Running',
  closed: 'Closed',
}
