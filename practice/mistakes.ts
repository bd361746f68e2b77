import type { OptionLetter } from '../platform/options.ts'
import { QUESTIONS_PER_TEST } from './test-of-ten.ts'

export interface WrongAnswer {
  questionId: number
  userAnswer: OptionLetter
  /** when the test was finished, milliseconds since 1970 */
  completedAtMs: number
}

export interface MissedQuestion {
  questionId: number
  timesWrong: number
  /** the latest wrong answer */
  userAnswer: OptionLetter
}

/**
 * The questions missed most often, at most ten, ties by id (product 3.6.1
 * practice).
 */
export function mostMissed(wrongAnswers: readonly WrongAnswer[]): MissedQuestion[] {
  const missed = new Map<number, MissedQuestion & { latestMs: number }>()
  for (const wrong of wrongAnswers) {
    const known = missed.get(wrong.questionId)
    if (!known) {
      missed.set(wrong.questionId, {
        questionId: wrong.questionId,
        timesWrong: 1,
        userAnswer: wrong.userAnswer,
        latestMs: wrong.completedAtMs,
      })
      continue
    }
    known.timesWrong += 1
    if (wrong.completedAtMs >= known.latestMs) {
      known.latestMs = wrong.completedAtMs
      known.userAnswer = wrong.userAnswer
    }
  }
  return [...missed.values()]
    .sort((a, b) => b.timesWrong - a.timesWrong || a.questionId - b.questionId)
    .slice(0, QUESTIONS_PER_TEST)
    .map(({ questionId, timesWrong, userAnswer }) => ({ questionId, timesWrong, userAnswer }))
}
