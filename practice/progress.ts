import type { ResponseOf } from '../platform/endpoint.ts'
import { CATEGORIES } from './categories.ts'
import type { getProgress } from './contract.ts'
import { percentageOf, roundedMean } from './scoring.ts'
import { QUESTIONS_PER_TEST } from './test-of-ten.ts'

export interface CellCount {
  category: string
  difficulty: string
  count: number
}

export interface TestTaken {
  category: string
  difficulty: string
  testNumber: number
  bestScore: number
  attempts: number
  /** the sum of its attempts' percentages, unrounded */
  percentageSum: number
}

type Summary = Omit<ResponseOf<typeof getProgress>, 'attempts'>
type CategoryProgress = Summary['categories'][string]

/** Summarizes progress (product 3.8.1 to 3.8.3). Results of cells without questions count only toward the average. */
export function summarizeProgress(
  counts: readonly CellCount[],
  tests: readonly TestTaken[],
): Summary {
  const categories: Record<string, CategoryProgress> = {}
  const all = { answered: 0, available: 0, started: 0 }
  for (const category of CATEGORIES) {
    const difficulties: CategoryProgress['difficulties'] = {}
    let answered = 0
    let available = 0
    const ofCategory: TestTaken[] = []
    for (const cell of counts.filter((count) => count.category === category)) {
      const taken = tests.filter(
        (test) => test.category === category && test.difficulty === cell.difficulty,
      )
      const questionsAnswered = Math.min(taken.length * QUESTIONS_PER_TEST, cell.count)
      difficulties[cell.difficulty] = {
        questionsAnswered,
        totalQuestions: cell.count,
        percentage: percentageOf(questionsAnswered, cell.count),
        correctAnswers: taken.reduce((sum, { bestScore }) => sum + bestScore, 0),
        averageScore: averageOf(taken),
      }
      answered += questionsAnswered
      available += cell.count
      ofCategory.push(...taken)
    }
    categories[category] = {
      overallPercentage: percentageOf(answered, available),
      averageScore: averageOf(ofCategory),
      difficulties,
    }
    all.answered += answered
    all.available += available
    if (answered > 0) all.started += 1
  }

  return {
    overallPercentage: percentageOf(all.answered, all.available),
    categoriesStarted: all.started,
    totalCategories: CATEGORIES.length,
    averageScore: averageOf(tests) ?? 0,
    attemptCount: tests.reduce((count, { attempts }) => count + attempts, 0),
    categories,
  }
}

function averageOf(tests: readonly TestTaken[]): number | null {
  return roundedMean(
    tests.reduce((sum, { percentageSum }) => sum + percentageSum, 0),
    tests.reduce((count, { attempts }) => count + attempts, 0),
  )
}
