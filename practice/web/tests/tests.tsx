import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, NavLink, useParams } from 'react-router'
import { testsUrl, URLS } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { countOf } from '../../../platform/words.ts'
import {
  DIFFICULTY_LEVELS,
  difficultiesOf,
  isCategory,
  isDifficulty,
  MENTAL_AGILITY,
} from '../../categories.ts'
import { countTests } from '../../test-of-ten.ts'
import { fetchCellAhead, fetchListAhead, onIntent } from '../ahead.ts'
import { DeadEnd } from '../kit.tsx'
import { questionCountsQuery, resultsQuery } from '../queries.ts'
import { TestsList, TestsSkeleton } from './tests-list.tsx'

/** /tests/{category}/{difficulty} (product 3.2): a cell's tests and attempts. */
export function Tests() {
  const { category = '', difficulty = '' } = useParams()
  const counts = useQuery(questionCountsQuery)
  const results = useQuery(resultsQuery(category, difficulty))
  useTitle(`${category} · ${difficulty}`, `Tests of ten questions: ${category}, ${difficulty}.`)
  // The questions and the quiz are fetched early.
  useEffect(() => whenIdle(() => fetchCellAhead(category, difficulty)), [category, difficulty])

  const questionCount = counts.data?.find(
    (cell) => cell.category === category && cell.difficulty === difficulty,
  )?.count
  const taken = new Set(results.data?.map((test) => test.testNumber)).size
  const isEmpty = counts.data !== undefined && !questionCount

  return (
    <main className="wrap tests-page pb-8">
      {/* This reserves the space, so nothing moves if there are no tests. */}
      <div className="min-h-11">
        {!isEmpty && <BackLink to={URLS.landing}>Back to Categories</BackLink>}
      </div>
      <div>
        {counts.isError && !counts.data ? (
          <NotLoaded
            title={
              counts.error instanceof ApiFailure
                ? 'Failed to load questions from database'
                : 'An unexpected error occurred'
            }
            query={counts}
          />
        ) : isEmpty ? (
          <DeadEnd title="No Tests Available" to={URLS.landing} name="Back to Categories">
            We haven't prepared tests for this difficulty level yet. Try selecting an easier
            difficulty or check back later!
          </DeadEnd>
        ) : (
          <>
            <div className="tests-head">
              <div>
                <p className="eyebrow">
                  {difficulty}
                  {isDifficulty(difficulty) && ` (${DIFFICULTY_LEVELS[difficulty]})`}
                </p>
                <h1>{category}</h1>
                <p className="tests-about">
                  {questionCount !== undefined &&
                    `${countOf(countTests(questionCount), 'test')} · ${countOf(questionCount, 'question')}`}
                  {taken > 0 && ` · ${taken} taken`}
                  {category === MENTAL_AGILITY && ' · No calculators allowed'}
                </p>
                {category === MENTAL_AGILITY && (
                  <p className="mt-2">
                    <Link to={URLS.drills} className="quiet-link">
                      Drills against the clock
                    </Link>
                  </p>
                )}
              </div>
              {isCategory(category) && category !== MENTAL_AGILITY && (
                <nav aria-label="Level" className="levels">
                  {difficultiesOf(category).map((other) => (
                    <NavLink
                      key={other}
                      to={testsUrl(category, other)}
                      {...onIntent(() => fetchListAhead(category, other))}
                    >
                      {other}
                    </NavLink>
                  ))}
                </nav>
              )}
            </div>
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
