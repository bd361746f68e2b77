import { errorPracticeUrl, hubUrl, quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { type Difficulty, difficultiesOf, isCategory } from '../../categories.ts'
import type { ResultSummary } from '../../contract.ts'
import type { Question } from '../../question.ts'
import { GREEN_FROM, percentageOf } from '../../scoring.ts'
import { countTests } from '../../test-of-ten.ts'
import type { BuiltState } from '../build/built-test.ts'
import type { TestAddress } from '../dashboard/lead-content.ts'
import type { QuizState, ResultsState } from '../quiz/quiz-state.ts'

export type ResultsData = ResultsState & { testNumber: number | null; isOpenedAgain: boolean }

export interface Reviewed {
  question: Question
  number: number
  selected: keyof Question['options'] | undefined
  isCorrect: boolean
  tookMs: number | null
}

/** The next test of the level, after the last one the next level's first (product 3.5.10), or null. */
export function testAfter(
  test: { category: string; difficulty: string; testNumber: number },
  counts: readonly { category: string; difficulty: string; count: number }[],
): TestAddress | null {
  const { category } = test
  if (!isCategory(category)) return null
  const levels = difficultiesOf(category)
  const testsOf = (difficulty: Difficulty) =>
    countTests(
      counts.find((cell) => cell.category === category && cell.difficulty === difficulty)?.count ??
        0,
    )
  const here = levels.find((difficulty) => difficulty === test.difficulty)
  if (!here) return null
  if (test.testNumber < testsOf(here)) {
    return { category, difficulty: here, testNumber: test.testNumber + 1 }
  }
  const next = levels.slice(levels.indexOf(here) + 1).find((difficulty) => testsOf(difficulty) > 0)
  return next ? { category, difficulty: next, testNumber: 1 } : null
}

export type WayOn = 'mistakes' | 'next-test' | 'today' | 'retake'

/** After a test of mistakes it is what the day asks for: there is no dead end, and no second round of the same. */
export function wayOnOf(result: {
  isErrorBasedTest: boolean
  percentage: number
  mistakes: number
  isReadable: boolean
}): WayOn {
  if (result.isErrorBasedTest) return 'today'
  if (result.percentage >= GREEN_FROM) return 'next-test'
  return result.isReadable && result.mistakes > 0 ? 'mistakes' : 'retake'
}

export interface Standing {
  /** against the attempt before it, percentage points; null for a first attempt */
  change: { points: number; since: string } | null
  best: number
  /** the best before it, where it is better than that; null where it isn't, undefined for a first attempt */
  bestBefore: number | null | undefined
}

/** `others`: attempts at the cell, saved or waiting; this one may be among them. */
export function standingOf(
  attempt: { id: string | undefined; testNumber: number; percentage: number; completedAt: string },
  others: readonly ResultSummary[],
): Standing {
  const same = others.filter(
    ({ id, testNumber }) => testNumber === attempt.testNumber && id !== attempt.id,
  )
  const percentages = (list: readonly ResultSummary[]) =>
    list.map(({ score, totalQuestions }) => percentageOf(score, totalQuestions))
  const before = same
    .filter(({ completedAt }) => completedAt < attempt.completedAt)
    .sort((a, b) => b.completedAt.localeCompare(a.completedAt))
  const [last] = before
  const bestBefore = Math.max(...percentages(before))
  return {
    change: last
      ? {
          points: attempt.percentage - percentageOf(last.score, last.totalQuestions),
          since: last.completedAt,
        }
      : null,
    best: Math.max(attempt.percentage, ...percentages(same)),
    bestBefore: !last ? undefined : attempt.percentage > bestBefore ? bestBefore : null,
  }
}

/** Pace over the measured questions, milliseconds; null where none was (product 3.5.12). */
export function paceOf(
  tookMs: readonly (number | null)[],
): { meanMs: number; allMs: number } | null {
  const measured = tookMs.filter((ms) => ms !== null)
  if (measured.length === 0) return null
  const allMs = measured.reduce((sum, ms) => sum + ms, 0)
  return { meanMs: allMs / measured.length, allMs }
}

export interface Way {
  label: string
  to: string
  state?: QuizState | BuiltState
}

export function placesOf({ category, difficulty, testNumber, built }: ResultsData): {
  again: Way
  list: Way
} {
  if (built) {
    return {
      again: {
        label: built.ofMistakes ? 'Retake Test' : 'Another of these',
        to: `${URLS.builtTest}?${built.againSearch}`,
      },
      list:
        built.kind === 'slip'
          ? { label: 'Your mistakes', to: hubUrl('mistakes') }
          : { label: 'Build a test', to: URLS.build },
    }
  }
  const mistakes = errorPracticeUrl(category, difficulty)
  return {
    again: {
      label: 'Retake Test',
      to: testNumber === null ? mistakes : quizUrl(category, difficulty, testNumber),
    },
    list: {
      label: 'All Tests',
      to: testNumber === null ? mistakes : testsUrl(category, difficulty),
    },
  }
}
