import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { percentageOf } from '../../scoring.ts'
import { fetchTestAhead } from '../ahead.ts'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import { firstWayOf } from './first-way.ts'
import { placesOf, type ResultsData, type Reviewed, testAfter, wayOnOf } from './results-facts.ts'

/**
 * The ways on from a result (product 3.5.4, 3.5.10): the filled button follows the score, the three of old
 * stand beside it in plain text.
 */
export function useWaysOn(data: ResultsData, reviewed: readonly Reviewed[]) {
  const { category, difficulty, testNumber, built } = data
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect)
  const wayOn = wayOnOf({
    isErrorBasedTest: built ? built.ofMistakes : data.isErrorBasedTest,
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
  const mistakesAt = built ? URLS.builtTest : URLS.quiz

  // What the filled button opens shows its first question without a wait, also without a network.
  useEffect(() => {
    if (wayOn === 'mistakes') return whenIdle(() => fetchScreenAhead(mistakesAt))
    if (wayOn !== 'next-test' || !next?.category) return
    return whenIdle(() => fetchTestAhead(next.category, next.difficulty, next.testNumber))
  }, [wayOn, mistakesAt, next?.category, next?.difficulty, next?.testNumber])

  const { again: retake, list: allTests } = placesOf(data)
  return {
    first: firstWayOf({
      wayOn,
      data,
      mistakes,
      next,
      today: needsToday && today.isFetched ? (today.data ?? null) : undefined,
    }),
    others: [
      ...(wayOn === 'retake' ? [] : [retake]),
      allTests,
      { label: 'Dashboard', to: URLS.landing },
    ],
  }
}
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
