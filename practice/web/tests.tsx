import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { ApiFailure } from '../../platform/web/api.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { Message, TryAgain } from '../../platform/web/ui/message.tsx'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import { isCategory, MENTAL_AGILITY } from '../categories.ts'
import { DIFFICULTY_LEVELS, isDifficulty } from '../difficulties.ts'
import { countTests } from '../test-of-ten.ts'
import { cellQuestionsQuery, questionCountsQuery, resultsQuery } from './queries.ts'
import { TestsList, TestsSkeleton } from './tests-list.tsx'

/** /tests/{category}/{difficulty} (product 3.2): the tests of a cell and its attempts. */
export function Tests() {
  const { category = '', difficulty = '' } = useParams()
  const counts = useQuery(questionCountsQuery)
  const results = useQuery(resultsQuery(category, difficulty))
  useTitle(`${category} · ${difficulty}`, `Tests of ten questions: ${category}, ${difficulty}.`)
  useQuestionsAhead(category, difficulty)

  const questionCount = counts.data?.find(
    (cell) => cell.category === category && cell.difficulty === difficulty,
  )?.count
  const isEmpty = counts.data !== undefined && !questionCount

  return (
    <main className="wrap pt-6 pb-20 sm:pt-8">
      {/* Its place stays, so that nothing moves when it turns out that there are no tests. */}
      <div className="min-h-11">
        {!isEmpty && <BackLink to={URLS.landing}>Back to Categories</BackLink>}
      </div>
      <div className="mt-4">
        {counts.isError && !counts.data ? (
          <Message
            title={
              counts.error instanceof ApiFailure
                ? 'Failed to load questions from database'
                : 'An unexpected error occurred'
            }
            isError
            actions={<TryAgain onClick={() => void counts.refetch()} isBusy={counts.isFetching} />}
          />
        ) : isEmpty ? (
          <NoTests />
        ) : (
          <>
            <Heading category={category} difficulty={difficulty} questionCount={questionCount} />
            {!questionCount || results.isPending ? (
              <TestsSkeleton />
            ) : (
              <TestsList
                category={category}
                difficulty={difficulty}
                questionCount={questionCount}
                results={results.data ?? []}
                onRetryResults={results.data ? undefined : () => void results.refetch()}
              />
            )}
          </>
        )}
      </div>
    </main>
  )
}

/** Every test's questions and the quiz itself are here before one is opened. */
function useQuestionsAhead(category: string, difficulty: string): void {
  useEffect(() => {
    void queryClient.prefetchQuery(cellQuestionsQuery(category, difficulty))
    import('./quiz/quiz.tsx').catch(() => {})
  }, [category, difficulty])
}

function Heading(props: {
  category: string
  difficulty: string
  questionCount: number | undefined
}) {
  const { category, difficulty, questionCount } = props
  const level = isDifficulty(difficulty) ? ` (${DIFFICULTY_LEVELS[difficulty]})` : ''
  return (
    <>
      <p className="eyebrow">
        {difficulty}
        {level}
      </p>
      <h1 className="mt-2 text-[clamp(32px,3.8vw,48px)]">{category}</h1>
      <p className="mt-3 min-h-6 text-ink-2">
        {questionCount !== undefined &&
          `${countOf(countTests(questionCount), 'test')} · ${countOf(questionCount, 'question')}`}
        {isCategory(category) && category === MENTAL_AGILITY && ' · No calculators allowed'}
      </p>
      {category === MENTAL_AGILITY && (
        <p className="mt-3">
          <Link to={URLS.drills} className="quiet-link">
            Drills against the clock
          </Link>
        </p>
      )}
    </>
  )
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function NoTests() {
  return (
    <Message
      title="No Tests Available"
      actions={
        <Link to={URLS.landing} className="btn">
          Back to Categories
        </Link>
      }
    >
      We haven't prepared tests for this difficulty level yet. Try selecting an easier difficulty or
      check back later!
    </Message>
  )
}
