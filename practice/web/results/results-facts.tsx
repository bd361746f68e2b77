import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { Link } from 'react-router'
import { clockTime, wholeLength } from '../../../platform/durations.ts'
import { errorPracticeUrl, hubUrl, quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { longDate } from '../../../platform/web/dates.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { type Difficulty, difficultiesOf, isCategory } from '../../categories.ts'
import type { ResultSummary } from '../../contract.ts'
import type { Question } from '../../question.ts'
import { GREEN_FROM, percentageOf } from '../../scoring.ts'
import { countTests } from '../../test-of-ten.ts'
import { fetchTestAhead } from '../ahead.ts'
import { ANYTHING, type BuiltState, builtTestUrl, SECONDS_A_QUESTION } from '../build/built-test.ts'
import type { TestAddress, Today } from '../dashboard/lead-content.ts'
import { Cell, StreakCell } from '../dashboard/streak-strip.tsx'
import { OnLink } from '../kit.tsx'
import { questionCountsQuery, resultsQuery, todayQuery } from '../queries.ts'
import type { QuizState, ResultsState } from '../quiz/quiz-state.ts'
import { useWaitingResults } from '../use-outbox.tsx'

export type ResultsData = ResultsState & { testNumber: number | null; isOpenedAgain: boolean }

export interface Reviewed {
  question: Question
  number: number
  selected: keyof Question['options'] | undefined
  isCorrect: boolean
  tookMs: number | null
}

/** Returns the level's next test, or the next level's first one after the last (product 3.5.10), or null. */
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

/** Error practice leads to today's work, so there is no dead end and no second round. */
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

interface Standing {
  /** percentage points against the previous attempt; null for a first attempt */
  change: { points: number; since: string } | null
  best: number
  /** the earlier best if this attempt beats it, or null; undefined for a first attempt */
  bestBefore: number | null | undefined
}

/** Compares an attempt. `others` are the cell's attempts, saved or waiting, possibly with this one. */
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

/** Returns the pace of measured questions in milliseconds, or null if none was measured (product 3.5.12). */
export function paceOf(
  tookMs: readonly (number | null)[],
): { meanMs: number; allMs: number } | null {
  const measured = tookMs.filter((ms) => ms !== null)
  if (measured.length === 0) return null
  const allMs = measured.reduce((sum, ms) => sum + ms, 0)
  return { meanMs: allMs / measured.length, allMs }
}

interface Way {
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
        label: built.ofMistakes ? 'Retake Test' : 'Another like this',
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

/** Returns a result's buttons (product 3.5.4, 3.5.10). The score decides which one is filled. */
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

  // The filled button's screen is fetched early, so its first question shows instantly, even offline.
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
type WaysOn = ReturnType<typeof useWaysOn>

export function WaysOnRow(props: { ways: WaysOn; firstRef?: RefObject<HTMLAnchorElement | null> }) {
  const { first, others } = props.ways
  return (
    <div className="ways-on print:hidden">
      {first ? (
        <OnLink ref={props.firstRef} to={first.to} state={first.state}>
          {first.label}
        </OnLink>
      ) : (
        // This reserves the space until the target is known.
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

/** Returns a result's filled button (product 3.5.10). `today` is undefined while loading and null on failure. */
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
    // The questions are passed along, so the test opens offline.
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

export function Ledger({ data, reviewed }: { data: ResultsData; reviewed: readonly Reviewed[] }) {
  const pace = paceOf(reviewed.map(({ tookMs }) => tookMs))
  return (
    <dl className={`ledger ledger-results mt-8 ${pace ? '' : 'ledger-without-pace'}`}>
      {data.built || data.testNumber === null ? (
        <OfSitting data={data} />
      ) : (
        <AmongAttempts data={data} testNumber={data.testNumber} />
      )}
      {pace && (
        <Cell label={`per question · ${besidePace(data, pace.allMs)}`}>
          {clockTime(Math.round(pace.meanMs / 1000))}
        </Cell>
      )}
      <StreakCell />
    </dl>
  )
}

const besidePace = ({ built }: ResultsData, allMs: number): string =>
  built && built.clock !== 'off'
    ? `target ${clockTime(SECONDS_A_QUESTION)}`
    : `${wholeLength(allMs)} total`

/** A sitting without a result of its own: mistakes or a custom test. */
function OfSitting({ data: { built, score, totalQuestions, userAnswers } }: { data: ResultsData }) {
  const open = totalQuestions - userAnswers.length
  const [right, wrong] = built
    ? [`right of ${totalQuestions}`, open > 0 ? `wrong, and ${open} not reached` : 'wrong']
    : [score === 1 ? 'mistake right this time' : 'mistakes right this time', 'still wrong']
  return (
    <>
      <Cell label={right}>{score}</Cell>
      <Cell label={wrong}>{userAnswers.length - score}</Cell>
    </>
  )
}

function AmongAttempts({ data, testNumber }: { data: ResultsData; testNumber: number }) {
  const { category, difficulty } = data
  const user = useUser()
  const saved = useQuery(resultsQuery(category, difficulty))
  const waiting = useWaitingResults(user.id, category, difficulty)
  if (!saved.data) {
    // This reserves the space until earlier attempts are known.
    return (
      <>
        <Cell label={saved.isError ? 'earlier attempts not loaded' : 'against the attempt before'}>
          –
        </Cell>
        <Cell label="best so far">–</Cell>
      </>
    )
  }
  const percentage = percentageOf(data.score, data.totalQuestions)
  const { change, best, bestBefore } = standingOf(
    { id: data.attemptId, testNumber, percentage, completedAt: data.completedAt ?? '9999' },
    [...saved.data, ...waiting.map((item) => ({ ...item, ...item.body }))],
  )
  return (
    <>
      {change ? (
        <Cell label={`points since ${dayOf(change.since)}`}>{signed(change.points)}</Cell>
      ) : (
        <Cell label="first attempt">1</Cell>
      )}
      <Cell label={typeof bestBefore === 'number' ? `new best, was ${bestBefore}%` : 'best so far'}>
        {bestBefore === null ? best : percentage}
        <small>%</small>
      </Cell>
    </>
  )
}

function dayOf(iso: string): string {
  const [day = '', year] = longDate(iso).split(', ')
  return longDate(new Date().toISOString()).endsWith(year ?? '') ? day : `${day}, ${year}`
}

const signed = (points: number) => (points > 0 ? `+${points}` : `${points}`.replace('-', '−'))
