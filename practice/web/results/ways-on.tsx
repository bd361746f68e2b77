import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { Link } from 'react-router'
import { quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { percentageOf } from '../../scoring.ts'
import { fetchTestAhead } from '../ahead.ts'
import { ANYTHING, type BuiltState, builtTestUrl } from '../build/built-test.ts'
import type { TestAddress, Today } from '../dashboard/lead-content.ts'
import { OnLink } from '../kit.tsx'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import type { QuizState } from '../quiz/quiz-state.ts'
import {
  placesOf,
  type ResultsData,
  type Reviewed,
  testAfter,
  type Way,
  type WayOn,
  wayOnOf,
} from './results-facts.ts'

/** The ways on from a result (product 3.5.4, 3.5.10): the filled button follows the score. */
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

export function WaysOnRow(props: { ways: WaysOn; firstRef?: RefObject<HTMLAnchorElement | null> }) {
  const { first, others } = props.ways
  return (
    <div className="ways-on print:hidden">
      {first ? (
        <OnLink ref={props.firstRef} to={first.to} state={first.state}>
          {first.label}
        </OnLink>
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

type Asked = Pick<Today, 'next'> & { due: Pick<Today['due'], 'count'> }

/** A result's filled button (product 3.5.10); null while `today` is undefined. `today` null: could not be read. */
export function firstWayOf(result: {
  wayOn: WayOn
  data: ResultsData
  mistakes: readonly Reviewed[]
  next: TestAddress | null
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
