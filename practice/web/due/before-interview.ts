import type { Card } from '../../schedule/schedule.ts'

/** Whether a question comes back before an interview; without one it always does. */
export const isBackBefore = (interviewOn: string | null | undefined, { due }: Pick<Card, 'due'>) =>
  !interviewOn || due < interviewOn

/** What stands in place of a date that would lie after the interview. */
export const NOT_AGAIN = 'Not again before your interview'
