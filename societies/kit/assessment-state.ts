import { listOf } from '../../platform/words.ts'

/** An assessment's phase (product 7.8.1). */
export type AssessmentState = 'draft' | 'preparing' | 'running' | 'closed'

/**
 * Returns the state at a moment. A test is running from its first start until no one can start or is taking it.
 * @param assessment its first start and the last one of any candidate, null if open; and the number of running attempts
 */
export function stateOf(
  assessment: {
    isDraft: boolean
    opensAt: Date | string | null
    lastStartAt: Date | string | null
    runningCount: number
  },
  now: Date | number,
): AssessmentState {
  const { isDraft, opensAt, lastStartAt, runningCount } = assessment
  if (isDraft) return 'draft'
  if (runningCount > 0) return 'running'
  if (opensAt !== null && new Date(now) < new Date(opensAt)) return 'preparing'
  const isOver = lastStartAt !== null && new Date(now) > new Date(lastStartAt)
  return isOver ? 'closed' : 'running'
}

export const STATE_WORDS: Readonly<Record<AssessmentState, string>> = {
  draft: 'Draft',
  preparing: 'Preparing',
  running: 'Running',
  closed: 'Closed',
}

/** The reason a draft can't be published (product 7.8.4). */
export type PublicationError =
  | { kind: 'no_questions' }
  | { kind: 'wrong_questions'; positions: readonly number[] }
  | { kind: 'uneven_forms'; A: number; B: number }
  | { kind: 'window_past' }

export function describePublicationError(error: PublicationError): string {
  switch (error.kind) {
    case 'no_questions':
      return 'It has no questions.'
    case 'window_past':
      return 'The last moment to start has passed, so no candidate could start.'
    case 'uneven_forms':
      return `Form A has ${error.A} questions and form B ${error.B}; both need the same number.`
    case 'wrong_questions':
      return error.positions.length === 1
        ? `Question ${error.positions[0]} has an error.`
        : `Questions ${listOf(error.positions)} have errors.`
  }
}
