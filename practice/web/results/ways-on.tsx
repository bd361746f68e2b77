import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { percentageOf } from '../../scoring.ts'
import { fetchTestAhead } from '../ahead.ts'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import type { QuizState } from '../quiz/quiz-state.ts'
import { type ResultsData, type Reviewed, testAfter, wayOnOf } from './results-facts.ts'

/** Where a link leads, and its words. */
interface Way {
  label: string
  to: string
  state?: QuizState
}

/**
 * The ways on from a result (product 3.5.4, 3.5.10): the filled button follows the score, the three of old
 * stand beside it in plain text.
 */
export function useWaysOn(data: ResultsData, reviewed: readonly Reviewed[]) {
  const { category, difficulty, testNumber } = data
  // A test of these very mistakes leads on as one of a level's mistakes does.
  const isBuiltAnew = data.built !== undefined && data.built.againSearch !== ''
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect)
  const wayOn = wayOnOf({
    isErrorBasedTest: data.isErrorBasedTest && !isBuiltAnew,
    percentage: percentageOf(data.score, data.totalQuestions),
    mistakes: mistakes.length,
    isReadable: reviewed.length > 0,
  })
  const counts = useQuery(questionCountsQuery)
  const next =
    testNumber !== null && counts.data
      ? testAfter({ category, difficulty, testNumber }, counts.data)
      : null
  const needsToday = wayOn === 'today' || (wayOn === 'next-test' && counts.isFetched && !next)
  const today = useQuery({ ...todayQuery(), enabled: needsToday })

  const of = next && `${next.category}/${next.difficulty}/${next.testNumber}`
  // What the filled button opens shows its first question without a wait, also without a network.
  useEffect(() => {
    if (wayOn === 'mistakes') return whenIdle(() => fetchScreenAhead(URLS.quiz))
    const [category, difficulty, number] = wayOn === 'next-test' && of ? of.split('/') : []
    if (!category || !difficulty) return
    return whenIdle(() => fetchTestAhead(category, difficulty, Number(number)))
  }, [wayOn, of])

  const retake: Way = {
    label: data.built ? 'Another of these' : 'Retake Test',
    to: data.built
      ? `${URLS.builtTest}?${data.built.againSearch}`
      : testNumber === null
        ? errorPracticeUrl(category, difficulty)
        : quizUrl(category, difficulty, testNumber),
  }
  const allTests: Way = {
    label: data.built ? 'Build a test' : 'All Tests',
    to: data.built
      ? URLS.build
      : (testNumber === null ? errorPracticeUrl : testsUrl)(category, difficulty),
  }
  const ofToday = (): Way | null => {
    if (!today.isFetched) return null
    const { due, next: nextTest } = today.data ?? { due: { count: 0 }, next: null }
    if (due.count > 0) return { label: `Review ${due.count} due`, to: URLS.due }
    if (!nextTest)
      return data.built ? allTests : { ...allTests, to: testsUrl(category, difficulty) }
    const { category: of, difficulty: level, testNumber: number } = nextTest
    return { label: `Start Test ${number}`, to: quizUrl(of, level, number) }
  }
  const first = (): Way | null => {
    if (wayOn === 'retake') return retake
    if (wayOn === 'mistakes' && data.built) {
      const ids = mistakes.map(({ question }) => question.id).join()
      return { label: mistakesLabel(mistakes.length), to: `${URLS.builtTest}?ids=${ids}` }
    }
    if (wayOn === 'mistakes') {
      return {
        label: mistakesLabel(mistakes.length),
        to: URLS.quiz,
        state: {
          questions: mistakes.map(({ question }) => question),
          category,
          difficulty,
          isErrorBasedTest: true,
        },
      }
    }
    if (wayOn === 'next-test' && next) {
      const level = next.difficulty === difficulty ? '' : `, ${next.difficulty}`
      return {
        label: `Start Test ${next.testNumber}${level}`,
        to: quizUrl(next.category, next.difficulty, next.testNumber),
      }
    }
    return needsToday ? ofToday() : null
  }
  return {
    first: first(),
    others: [
      ...(wayOn === 'retake' ? [] : [retake]),
      allTests,
      { label: 'Dashboard', to: URLS.landing },
    ],
  }
}
const mistakesLabel = (count: number): string =>
  count === 1 ? 'Practice this mistake' : `Practice these ${count} mistakes`

export type WaysOn = ReturnType<typeof useWaysOn>

/** The row of them, which stands at the head of the page and once more at its end. */
export function WaysOnRow(props: { ways: WaysOn; firstRef?: RefObject<HTMLAnchorElement | null> }) {
  const { first, others } = props.ways
  return (
    <div className="ways-on print:hidden">
      {first ? (
        <Link ref={props.firstRef} to={first.to} state={first.state} className="btn btn-big">
          {first.label}
          <ArrowRight size={18} aria-hidden />
        </Link>
      ) : (
        // Its place, until it is known where it leads.
        <span aria-hidden className="btn btn-big invisible">
          Start Test 1
        </span>
      )}
      {others.map(({ label, to }) => (
        <Link key={label} to={to} className="btn btn-flat">
          {label}
        </Link>
      ))}
    </div>
  )
}
