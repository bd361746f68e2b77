import { describe, expect, it } from 'vitest'
import type { OptionLetter } from '../platform/options.ts'
import type { Question } from './question.ts'
import { encouragementFor, gradeOf, markAnswers, meanPercentage, percentageOf } from './scoring.ts'

const question = (id: number, correctOption: OptionLetter): Question => ({
  id,
  category: 'Financial Accounting & Analysis',
  difficulty: 'Intern',
  question: `Question ${id}?`,
  options: { A: 'a', B: 'b', C: 'c', D: 'd' },
  correctOption,
  explanation: null,
  why: {},
})
const TEST = [question(1, 'A'), question(2, 'B'), question(3, 'C')]

describe('marking answers', () => {
  it('counts the answers equal to the correct option, in the order of the questions', () => {
    const marked = markAnswers(TEST, [
      { questionId: 3, selectedAnswer: 'C' },
      { questionId: 1, selectedAnswer: 'A' },
      { questionId: 2, selectedAnswer: 'D' },
    ])
    expect(marked?.score).toBe(2)
    expect(
      marked?.entries.map((entry) => [entry.question.id, entry.userAnswer, entry.isCorrect]),
    ).toEqual([
      [1, 'A', true],
      [2, 'D', false],
      [3, 'C', true],
    ])
  })

  it.each([
    ['a missing answer', [1, 2]],
    ['an answer twice', [1, 2, 2]],
    ['one twice and one missing', [1, 1, 2]],
    ['a question outside the test', [1, 2, 4]],
    ['one too many', [1, 2, 3, 4]],
    ['none', []],
  ])('refuses %s', (_, ids) => {
    const answers = ids.map((questionId) => ({ questionId, selectedAnswer: 'A' as const }))
    expect(markAnswers(TEST, answers)).toBeNull()
  })
})

describe('the percentage', () => {
  it.each([
    [0, 10, 0],
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [7, 10, 70],
    [10, 10, 100],
    [0, 0, 0],
  ])('of %i out of %i is %i', (score, total, percentage) => {
    expect(percentageOf(score, total)).toBe(percentage)
  })

  it.each([
    [100, 'green', 'default', "Outstanding performance! You've mastered this topic."],
    [90, 'green', 'default', "Outstanding performance! You've mastered this topic."],
    [89, 'green', 'default', 'Great job! You have a solid understanding of the material.'],
    [80, 'green', 'default', 'Great job! You have a solid understanding of the material.'],
    [79, 'yellow', 'secondary', "Good work! You're on the right track."],
    [70, 'yellow', 'secondary', "Good work! You're on the right track."],
    [69, 'yellow', 'secondary', "Not bad! With some review, you'll improve even more."],
    [60, 'yellow', 'secondary', "Not bad! With some review, you'll improve even more."],
    [59, 'red', 'destructive', 'Keep practicing! Every attempt helps you learn and grow.'],
    [0, 'red', 'destructive', 'Keep practicing! Every attempt helps you learn and grow.'],
  ])('%i is %s, %s: %s', (percentage, color, badge, text) => {
    expect(gradeOf(percentage)).toEqual({ color, badge })
    expect(encouragementFor(percentage)).toBe(text)
  })
})

it.each([
  [[], null],
  [[70], 70],
  [[70, 80], 75],
  [[60, 70, 70], 66.7],
  [[0, 0], 0],
])('the average of %j is %j', (percentages, average) => {
  expect(meanPercentage(percentages)).toBe(average)
})
