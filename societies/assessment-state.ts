/** Where an assessment is in its life (product 7.8.1). */
export type AssessmentState = 'draft' | 'preparing' | 'running' | 'closed'

export interface StateFacts {
  isDraft: boolean
  /** first and last moment to start, milliseconds since 1970; null is open */
  opensAtMs: number | null
  closesAtMs: number | null
  /** attempts that go on */
  runningCount: number
}

/**
 * The state at a moment: a draft until it is published; running from the first moment to start until nobody can
 * start and nobody is inside.
 */
export function stateOf(
  { isDraft, opensAtMs, closesAtMs, runningCount }: StateFacts,
  nowMs: number,
): AssessmentState {
  if (isDraft) return 'draft'
  if (opensAtMs !== null && nowMs < opensAtMs) return 'preparing'
  return closesAtMs !== null && nowMs > closesAtMs && runningCount === 0 ? 'closed' : 'running'
}

export const STATE_WORDS: Readonly<Record<AssessmentState, string>> = {
  draft: 'Draft',
  preparing: 'Preparing',
  running: 'Running',
  closed: 'Closed',
}
