import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { type AnswerFact, cardOf, exactly, standingOf } from './schedule.ts'

const START = '2026-03-02'
/** A card after answers on days from the start, each right or wrong. */
const answered = (...answers: [day: number, isRight: boolean][]) =>
  cardOf(
    answers.map(
      ([day, isRight]): AnswerFact => ({
        day: dayAfter(START, day),
        isRight,
        isGuess: false,
        tookMs: null,
        usualMs: null,
      }),
    ),
    exactly,
  )
const on = (day: number) => dayAfter(START, day)

describe('the mastery of a question', () => {
  it.each([
    ['never answered', answered(), 0, 'new'],
    ['right once', answered([0, true]), 0, 'shaky'],
    ['right twice on one day', answered([0, true], [0, true]), 0, 'shaky'],
    ['right on two days, on the second', answered([0, true], [3, true]), 3, 'solid'],
    ['right on two days, a week after', answered([0, true], [3, true]), 10, 'solid'],
    ['right on two days, a month after: it has faded', answered([0, true], [3, true]), 33, 'shaky'],
    ['wrong after two right ones', answered([0, true], [3, true], [9, false]), 9, 'shaky'],
    [
      'wrong, then right on the next two days: it will not last a week',
      answered([0, false], [1, true], [2, true]),
      2,
      'shaky',
    ],
  ] as const)('is right for a question %s', (_, card, day, standing) => {
    expect(standingOf(card, on(day))).toBe(standing)
  })

  it('is not solid after one right answer, whatever its expected memory', () => {
    const card = (rightInRow: number) => ({ rightInRow, stability: 40, lastDay: START })
    expect([1, 2].map((row) => standingOf(card(row), START))).toEqual(['shaky', 'solid'])
  })

  it('drops with time and never rises without an answer', () => {
    const card = answered([0, true], [3, true])
    const days = Array.from({ length: 120 }, (_, day) => standingOf(card, on(3 + day)))
    const falls = days.indexOf('shaky')
    expect(falls).toBeGreaterThan(7)
    expect(days.slice(falls)).not.toContain('solid')
  })
})
