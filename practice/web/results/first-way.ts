import { quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { ANYTHING, type BuiltState, builtTestUrl } from '../build/built-test.ts'
import type { Today } from '../dashboard/lead-content.ts'
import type { QuizState } from '../quiz/quiz-state.ts'
import {
  placesOf,
  type ResultsData,
  type Reviewed,
  type TestOfLevel,
  type Way,
  type WayOn,
} from './results-facts.ts'

/** What the day asks for, of all that /api/practice/today answers. */
type Asked = Pick<Today, 'next'> & { due: Pick<Today['due'], 'count'> }

/**
 * Where the filled button of a results screen leads, and its words (product 3.5.10).
 * @param mistakes the wrong answers among the reviewed ones
 * @param next the test after this one; null where there is none
 * @param today undefined while it isn't known, null where it could not be read
 * @returns null while it isn't known
 */
export function firstWayOf(result: {
  wayOn: WayOn
  data: ResultsData
  mistakes: readonly Reviewed[]
  next: TestOfLevel | null
  today: Asked | null | undefined
}): Way | null {
  const { wayOn, data, next } = result
  if (wayOn === 'retake') return placesOf(data).again
  if (wayOn === 'mistakes') return toMistakes(data, result.mistakes)
  if (wayOn === 'next-test' && next) {
    const level = next.difficulty === data.difficulty ? '' : `, ${next.difficulty}`
    return {
      label: `Start Test ${next.testNumber}${level}`,
      to: quizUrl(next.category, next.difficulty, next.testNumber),
    }
  }
  return result.today === undefined ? null : toToday(data, result.today)
}

function toMistakes(
  { category, difficulty, built }: ResultsData,
  mistakes: readonly Reviewed[],
): Way {
  const label =
    mistakes.length === 1 ? 'Practice this mistake' : `Practice these ${mistakes.length} mistakes`
  const questions = mistakes.map(({ question }) => question)
  if (built) {
    const ids = questions.map(({ id }) => id)
    // They come along, so that it opens without a network too.
    const to = builtTestUrl({ ...ANYTHING, ids, ofMistakes: true })
    return { label, to, state: { questions } satisfies BuiltState }
  }
  const state: QuizState = { questions, category, difficulty, isErrorBasedTest: true }
  return { label, to: URLS.quiz, state }
}

function toToday(data: ResultsData, today: Asked | null): Way {
  if (today && today.due.count > 0) return { label: `Review ${today.due.count} due`, to: URLS.due }
  if (today?.next) {
    const { category, difficulty, testNumber } = today.next
    return {
      label: `Start Test ${testNumber}`,
      to: quizUrl(category, difficulty, testNumber),
    }
  }
  const { list } = placesOf(data)
  return data.built ? list : { ...list, to: testsUrl(data.category, data.difficulty) }
}
