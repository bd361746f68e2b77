import { QUESTIONS_PER_TEST } from './test-of-ten.ts'

/** A mistake is cleared once nine in ten still know it after so many days (product 3.6.7). */
const CLEARED_AFTER_DAYS = 21

interface MissedQuestion {
  questionId: number
  timesWrong: number
  /** days, of its card */
  stability: number
}

/** Whether a mistake counts no more, typically after three right answers in a row on different days. */
export function isCleared({ stability }: Pick<MissedQuestion, 'stability'>): boolean {
  return stability > CLEARED_AFTER_DAYS
}

/** Of what is not cleared, the questions missed most often, at most ten, ties by id (product 3.6.1). */
export function mostMissed<T extends MissedQuestion>(missed: readonly T[]): T[] {
  return missed
    .filter((one) => one.timesWrong > 0 && !isCleared(one))
    .sort((a, b) => b.timesWrong - a.timesWrong || a.questionId - b.questionId)
    .slice(0, QUESTIONS_PER_TEST)
}
