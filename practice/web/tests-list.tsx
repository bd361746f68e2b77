import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl } from '../../platform/urls.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { useUser } from '../../platform/web/session.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import type { ResultSummary } from '../contract.ts'
import { percentageOf } from '../scoring.ts'
import { countTests, QUESTIONS_PER_TEST } from '../test-of-ten.ts'
import { testQuestionsQuery } from './queries.ts'
import { scoreStyle } from './score.tsx'
import { type Attempt, TestsAttempts } from './tests-attempts.tsx'
import { useWaitingResults } from './use-outbox.tsx'

const GRID = 'mt-8 grid gap-4 sm:grid-cols-2 lg:grid-cols-4'

/** The tests of a cell with the best score of each, the way to the mistakes, and the past attempts. */
export function TestsList(props: {
  category: string
  difficulty: string
  questionCount: number
  results: ResultSummary[]
  /** given when the earlier attempts could not be loaded */
  onRetryResults: (() => void) | undefined
}) {
  const { category, difficulty, questionCount } = props
  const user = useUser()
  const waiting = useWaitingResults(user.id, category, difficulty)
  // A finished test that still waits to be saved counts, so that nothing seems lost.
  const known = new Set(props.results.map((result) => result.id))
  const attempts: Attempt[] = [
    ...waiting
      .filter((item) => !known.has(item.body.id))
      .map((item) => toAttempt({ ...item, ...item.body }, true)),
    ...props.results.map((result) => toAttempt(result, false)),
  ]
  const best = new Map<number, number>()
  for (const { testNumber, percentage } of attempts) {
    best.set(testNumber, Math.max(best.get(testNumber) ?? 0, percentage))
  }
  const testNumbers = Array.from({ length: countTests(questionCount) }, (_, index) => index + 1)
  const next = testNumbers.find((testNumber) => !best.has(testNumber))

  return (
    <>
      {props.onRetryResults && (
        <p role="alert" className="mt-6 text-ink-2">
          Your earlier scores could not be loaded.{' '}
          <button type="button" className="link" onClick={props.onRetryResults}>
            Try again
          </button>
        </p>
      )}
      <h2 className="sr-only">Tests</h2>
      <ul className={GRID}>
        {testNumbers.map((testNumber) => (
          <TestCard
            key={testNumber}
            category={category}
            difficulty={difficulty}
            testNumber={testNumber}
            questionCount={questionCount}
            best={best.get(testNumber)}
            isNext={testNumber === next}
          />
        ))}
        <MistakesCard category={category} difficulty={difficulty} tests={testNumbers.length} />
      </ul>
      <TestsAttempts category={category} difficulty={difficulty} attempts={attempts} />
    </>
  )
}

function toAttempt(
  result: Pick<ResultSummary, 'id' | 'testNumber' | 'score' | 'totalQuestions' | 'completedAt'>,
  isWaiting: boolean,
): Attempt {
  const { id, testNumber, completedAt } = result
  const percentage = percentageOf(result.score, result.totalQuestions)
  return { id, testNumber, completedAt, percentage, isWaiting }
}

function TestCard(props: {
  category: string
  difficulty: string
  testNumber: number
  questionCount: number
  best: number | undefined
  /** the first test not taken: its button stands out */
  isNext: boolean
}) {
  const { category, difficulty, testNumber, best } = props
  const first = (testNumber - 1) * QUESTIONS_PER_TEST + 1
  const last = Math.min(testNumber * QUESTIONS_PER_TEST, props.questionCount)
  // Does nothing when the whole cell has come already.
  const prefetch = () =>
    void queryClient.prefetchQuery(testQuestionsQuery(category, difficulty, String(testNumber)))
  return (
    <li
      className="card grid grid-cols-[1fr_auto] items-center gap-x-4 p-5 sm:flex sm:flex-col sm:items-stretch"
      onPointerEnter={prefetch}
      onPointerDown={prefetch}
      onFocus={prefetch}
    >
      <div>
        <h3>Test {testNumber}</h3>
        <p className="hint mt-1">
          Questions {first}–{last}
        </p>
      </div>
      {/* On a phone the button stands beside both lines. */}
      <div className="mt-2 flex min-h-9 items-center max-sm:row-start-2 sm:my-3 sm:min-h-12">
        {best === undefined ? (
          <p className="text-[15px] text-ink-2">Not taken yet</p>
        ) : (
          <p className={scoreStyle(best).text}>
            <span className="sr-only">Best score: </span>
            <span className="mr-1.5 font-medium font-serif text-[28px] leading-none sm:text-[34px] tracking-[-0.02em]">
              {best}%
            </span>
            <span className="text-[14px]">{scoreStyle(best).word}</span>
          </p>
        )}
      </div>
      <Link
        to={quizUrl(category, difficulty, testNumber)}
        className={`btn max-sm:row-span-2 max-sm:row-start-1 max-sm:min-w-[124px] sm:mt-auto ${props.isNext ? '' : 'btn-ghost'}`}
      >
        <span>
          {best === undefined ? 'Start Test' : 'Retake Test'}
          <span className="sr-only"> {testNumber}</span>
        </span>
      </Link>
    </li>
  )
}

/** What is left of a row of four (and of two), so that the mistakes always close the grid. */
const REST_OF_ROW = ['lg:col-span-4', 'lg:col-span-3', 'lg:col-span-2', 'lg:col-span-1']
const REST_OF_PAIR = ['sm:col-span-2', 'sm:col-span-1']

function MistakesCard(props: { category: string; difficulty: string; tests: number }) {
  const span = `${REST_OF_PAIR[props.tests % 2]} ${REST_OF_ROW[props.tests % 4]}`
  return (
    <li
      className={`relative flex justify-between gap-4 rounded-md border border-sunken bg-sunken p-5 ${span}`}
    >
      <div>
        <h3>
          <Link
            to={errorPracticeUrl(props.category, props.difficulty)}
            className="underline-offset-4 after:absolute after:inset-0 after:rounded-md hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            Practice Your Mistakes
          </Link>
        </h3>
        <p className="mt-1.5 max-w-[44ch] text-[15px] text-ink-2">
          A test of the questions you have missed most often here.
        </p>
      </div>
      <ArrowRight size={18} aria-hidden className="mb-1 flex-none self-end text-ink-2" />
    </li>
  )
}

/** The list's shape while it loads. */
export function TestsSkeleton() {
  return (
    <>
      <LoadingNote>Loading tests</LoadingNote>
      <div className={GRID}>
        {Array.from({ length: 4 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: four times the same shape
          <Skeleton key={index} className="h-[118px] w-full sm:h-[205px]" />
        ))}
      </div>
    </>
  )
}
