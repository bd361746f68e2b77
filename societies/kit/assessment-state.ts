import { listOf } from '../../platform/words.ts'

/** Where an assessment is in its life (product 7.8.1). */
export type AssessmentState = 'draft' | 'preparing' | 'running' | 'closed'

/**
 * The state at a moment: a draft until it is published; running from the first moment to start until nobody can
 * start and nobody is inside.
 * @param assessment first moment to start and the last one of any candidate, null is open; and how many attempts go on
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

/** Why a draft is not published (product 7.8.4). */
export type PublicationError =
  | { kind: 'no_questions' }
  /** numbers of the questions that have an error */
  | { kind: 'wrong_questions'; positions: readonly number[] }
  /** two forms, of which each has another number of questions */
  | { kind: 'uneven_forms'; A: number; B: number }
  /** nobody could start any more */
  | { kind: 'window_past' }

export function describePublicationError(error: PublicationError): string {
  switch (error.kind) {
    case 'no_questions':
      return 'It has no questions.'
    case 'window_past':
      return 'The last moment to start has passed, so no candidate could start.'
    case 'uneven_forms':
      return `Form A has ${error.A} questions and form B ${error.B}; both need as many.`
    case 'wrong_questions':
      return error.positions.length === 1
        ? `Question ${error.positions[0]} has an error.`
        : `Questions ${listOf(error.positions)} have errors.`
  }
}
