import { describe, expect, it } from 'vitest'
import { mostMissed } from './mistakes.ts'

describe('the most missed questions', () => {
  const wrong = (questionId: number, completedAtMs: number, userAnswer: 'A' | 'B' = 'A') => ({
    questionId,
    userAnswer,
    completedAtMs,
  })

  it('come most often missed first, ties by id, with the latest wrong answer', () => {
    expect(
      mostMissed([
        wrong(5, 1),
        wrong(9, 1),
        wrong(9, 3, 'B'),
        wrong(9, 2),
        wrong(2, 1),
        wrong(7, 1),
        wrong(7, 2),
      ]),
    ).toEqual([
      { questionId: 9, timesWrong: 3, userAnswer: 'B' },
      { questionId: 7, timesWrong: 2, userAnswer: 'A' },
      { questionId: 2, timesWrong: 1, userAnswer: 'A' },
      { questionId: 5, timesWrong: 1, userAnswer: 'A' },
    ])
  })

  it('are ten at most', () => {
    const missed = mostMissed(Array.from({ length: 15 }, (_, index) => wrong(index + 1, 1)))
    expect(missed.map((entry) => entry.questionId)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('are none without mistakes', () => {
    expect(mostMissed([])).toEqual([])
  })
})
