import { describe, expect, it } from 'vitest'
import { summarizeProgress, type TestTaken } from './progress.ts'

const FAA = 'Financial Accounting & Analysis'
const MENTAL = 'Mental Agility & Problem Solving'
const taken = (testNumber: number, scores: number[], totalQuestions = 10): TestTaken => ({
  category: FAA,
  difficulty: 'Intern',
  testNumber,
  bestScore: Math.max(...scores),
  attempts: scores.length,
  percentageSum: scores.reduce((sum, score) => sum + (score / totalQuestions) * 100, 0),
})

describe('progress', () => {
  const counts = [
    { category: FAA, difficulty: 'Intern', count: 25 },
    { category: FAA, difficulty: 'Analyst', count: 20 },
    { category: MENTAL, difficulty: 'Discover Finance', count: 30 },
  ]

  it('counts each distinct test as ten questions, with its best score', () => {
    const progress = summarizeProgress(counts, [taken(1, [4, 9, 6]), taken(2, [7])])
    expect(progress.categories[FAA]?.difficulties.Intern).toEqual({
      questionsAnswered: 20,
      totalQuestions: 25,
      percentage: 80,
      correctAnswers: 16,
      averageScore: 65,
    })
    expect(progress.categories[FAA]?.overallPercentage).toBe(44)
    expect(progress.overallPercentage).toBe(27)
    expect(progress.categoriesStarted).toBe(1)
    expect(progress.totalCategories).toBe(5)
    expect(progress.attemptCount).toBe(4)
  })

  it("caps the answered questions at the cell's size", () => {
    const progress = summarizeProgress(counts, [taken(1, [10]), taken(2, [10]), taken(3, [5])])
    expect(progress.categories[FAA]?.difficulties.Intern?.questionsAnswered).toBe(25)
    expect(progress.categories[FAA]?.difficulties.Intern?.percentage).toBe(100)
  })

  it('is all zero without attempts', () => {
    const progress = summarizeProgress(counts, [])
    expect(progress.overallPercentage).toBe(0)
    expect(progress.averageScore).toBe(0)
    expect(progress.categoriesStarted).toBe(0)
    expect(Object.keys(progress.categories)).toHaveLength(5)
  })

  it('is all zero with an empty bank', () => {
    expect(summarizeProgress([], [taken(1, [5])]).overallPercentage).toBe(0)
  })

  it.each([
    [[[7, 10]], 70],
    [
      [
        [7, 10],
        [8, 10],
        [8, 10],
      ],
      76.7,
    ],
    [[[1, 3]], 33.3],
    [
      [
        [2, 3],
        [1, 3],
      ],
      50,
    ],
  ])('averages %j to %d', (scores, average) => {
    const tests = (scores as [number, number][]).map(([score, totalQuestions], index) =>
      taken(index + 1, [score], totalQuestions),
    )
    expect(summarizeProgress(counts, tests).averageScore).toBe(average)
  })
})
