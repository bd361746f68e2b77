import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl, testsUrl, URLS } from '../../platform/urls.ts'
import { longDate, spokenDuration } from '../../platform/web/dates.ts'
import { useUser } from '../../platform/web/session.tsx'
import { BackLink } from '../../platform/web/ui/page.tsx'
import { encouragementFor, percentageOf } from '../scoring.ts'
import { resultsQuery } from './queries.ts'
import type { ResultsState } from './quiz/quiz-state.ts'
import { ResultsReview } from './results-review.tsx'
import { scoreStyle } from './score.tsx'
import { useItemState, useWaitingResults } from './use-outbox.tsx'

/** What a results screen shows, whether just finished or loaded. */
export type ResultsData = ResultsState & { testNumber: number | null; completedAt?: string }

/** A time that no one test takes says nothing: the person was away. */
const LONGEST_TOLD_MS = 2 * 3600 * 1000

/** The result as its percentage, the ways on, and the review. */
export function ResultsView({ data }: { data: ResultsData }) {
  const { category, difficulty, testNumber } = data
  const percentage = percentageOf(data.score, data.totalQuestions)
  const { text, chip, word } = scoreStyle(percentage)
  const testsOf = testNumber === null ? errorPracticeUrl : testsUrl
  const backTo = testsOf(category, difficulty)
  const facts = [category]
  if (data.completedAt) facts.push(longDate(data.completedAt))
  if (data.durationMs !== undefined && data.durationMs < LONGEST_TOLD_MS) {
    facts.push(spokenDuration(data.durationMs))
  }
  return (
    <main className="wrap wrap-narrow pt-6 pb-20 sm:pt-8 print:p-0">
      <div className="print:hidden">
        <BackLink to={backTo}>Back to Tests</BackLink>
      </div>
      <div className="mt-6 grid gap-x-9 print:mt-0 gap-y-5 sm:grid-cols-[auto_1fr] sm:items-center">
        <h1 className={`text-[112px] leading-[0.86] tracking-[-0.045em] sm:text-[136px] ${text}`}>
          <span className="sr-only">Your score: </span>
          {percentage}
          <span className="text-[0.45em] tracking-normal">%</span>
        </h1>
        <div>
          <ul className="flex flex-wrap gap-1.5" aria-label="About this test">
            <li className={`chip ${chip}`}>
              {data.score} of {data.totalQuestions} · {word}
            </li>
            <li className="chip">{difficulty}</li>
            <li className="chip">{testNumber === null ? 'Your mistakes' : `Test ${testNumber}`}</li>
          </ul>
          <p className="mt-3 max-w-[24em] text-balance font-medium font-serif text-[26px] leading-[1.18] tracking-[-0.015em]">
            {encouragementFor(percentage)}
          </p>
          <p className="mt-2.5 text-ink-2">
            {facts.join(' · ')}
            {testNumber !== null && (
              <BestSoFar
                category={category}
                difficulty={difficulty}
                testNumber={testNumber}
                percentage={percentage}
              />
            )}
          </p>
          {data.attemptId && testNumber !== null && <SavingLine attemptId={data.attemptId} />}
        </div>
      </div>
      <div className="mt-7 flex flex-wrap gap-3 print:hidden max-sm:gap-2 max-sm:[&>*]:px-3.5">
        <Link
          className="btn"
          to={
            testNumber === null
              ? errorPracticeUrl(category, difficulty)
              : quizUrl(category, difficulty, testNumber)
          }
        >
          Retake Test
        </Link>
        <Link className="btn btn-ghost" to={backTo}>
          All Tests
        </Link>
        <Link className="btn btn-ghost" to={URLS.landing}>
          Dashboard
        </Link>
      </div>
      <ResultsReview questions={data.questions} userAnswers={data.userAnswers} />
    </main>
  )
}

/** The best of all attempts at a test, this one and the unsaved ones included; nothing until it's known. */
function BestSoFar(props: {
  category: string
  difficulty: string
  testNumber: number
  percentage: number
}) {
  const user = useUser()
  const saved = useQuery(resultsQuery(props.category, props.difficulty))
  const waiting = useWaitingResults(user.id, props.category, props.difficulty)
  if (!saved.data) return null
  const percentages = [
    props.percentage,
    ...[...saved.data, ...waiting.map((item) => ({ ...item, ...item.body }))]
      .filter((attempt) => attempt.testNumber === props.testNumber)
      .map((attempt) => percentageOf(attempt.score, attempt.totalQuestions)),
  ]
  return <> · best so far {Math.max(...percentages)}%</>
}

const SAVING_LINES = {
  sending: 'Saving…',
  waiting: 'Not saved yet. We keep it on this device and send it when you are back online.',
  saved: 'Saved',
  refused: 'This test could not be saved because the server refused it.',
}

function SavingLine({ attemptId }: { attemptId: string }) {
  const user = useUser()
  const state = useItemState(user.id, attemptId)
  return (
    <p role="status" className={`hint mt-2 print:hidden ${state === 'waiting' ? 'grade-mid' : ''}`}>
      {SAVING_LINES[state]}
    </p>
  )
}
