import { type Category, difficultiesOf } from '../../categories.ts'
import type { Difficulty } from '../../difficulties.ts'
import { gradeOf, percentageOf } from '../../scoring.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'

/** What is most worth doing after a result: the first button of the screen (product 3.5.10). */
export type NextStep =
  | { kind: 'mistakes'; count: number }
  | { kind: 'test'; category: Category; difficulty: Difficulty; testNumber: number }
  | { kind: 'due'; count: number }
  | { kind: 'dashboard' }

/** What is known of what else there is; undefined while it is asked for. */
export interface Known {
  /** questions of each cell */
  counts: readonly { category: Category; difficulty: Difficulty; count: number }[] | undefined
  /** what the dashboard leads with */
  today:
    | {
        due: { count: number }
        next: { category: Category; difficulty: Difficulty; testNumber: number } | null
      }
    | undefined
}

/**
 * Below 80 % the mistakes of just this test; from 80 % the next test, after the last of a level the first of
 * the next level. After practicing mistakes, and after the last test of a category, what is due, else what
 * the dashboard would lead with, so that no screen is a dead end.
 * @param finished `testNumber` is null for a test of mistakes
 */
export function nextStep(
  finished: {
    category: string
    difficulty: string
    testNumber: number | null
    score: number
    totalQuestions: number
  },
  known: Known,
): NextStep {
  const percentage = percentageOf(finished.score, finished.totalQuestions)
  if (gradeOf(percentage).colour !== 'green') {
    return { kind: 'mistakes', count: finished.totalQuestions - finished.score }
  }
  const next = finished.testNumber === null ? null : testAfter(finished, known.counts ?? [])
  if (next) return next
  if (known.today && known.today.due.count > 0) return { kind: 'due', count: known.today.due.count }
  return known.today?.next ? { kind: 'test', ...known.today.next } : { kind: 'dashboard' }
}

function testAfter(
  { category, difficulty, testNumber }: Parameters<typeof nextStep>[0],
  counts: NonNullable<Known['counts']>,
): NextStep | null {
  const cells = counts.filter((cell) => cell.category === category)
  const here = cells.find((cell) => cell.difficulty === difficulty)
  if (!here || testNumber === null) return null
  if (testNumber * QUESTIONS_PER_TEST < here.count) {
    return {
      kind: 'test',
      category: here.category,
      difficulty: here.difficulty,
      testNumber: testNumber + 1,
    }
  }
  const levels = difficultiesOf(here.category)
  const harder = levels[levels.indexOf(here.difficulty) + 1]
  const cell = cells.find((one) => one.difficulty === harder)
  return cell
    ? { kind: 'test', category: cell.category, difficulty: cell.difficulty, testNumber: 1 }
    : null
}
