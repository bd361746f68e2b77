import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Loading } from '../kit.tsx'
import { isMissing, resultQuery } from '../queries.ts'
import { resultsStateSchema } from '../quiz/quiz-state.ts'
import type { ResultsData } from './results-facts.tsx'
import { ResultsView } from './results-view.tsx'

/** /results/… (product 3.5.1, 3.5.7, 3.5.9), from router state or ?attempt=ID. Viewing changes nothing. */
export function Results() {
  const user = useUser()
  const { state, pathname } = useLocation()
  const [query] = useSearchParams()
  useTitle('Results')
  const finished = resultsStateSchema.safeParse(state)
  const isMine = finished.success && (finished.data.userId ?? user.id) === user.id
  if (finished.success && isMine) {
    const { isErrorBasedTest } = finished.data
    const testNumber = isErrorBasedTest ? null : Number(pathname.split('/').at(-1))
    return (
      <ResultsView
        key={finished.data.attemptId}
        data={{ ...finished.data, testNumber, isOpenedAgain: false }}
      />
    )
  }
  const attemptId = query.get('attempt')
  return attemptId ? <SavedResults attemptId={attemptId} /> : <NoResults />
}

function SavedResults({ attemptId }: { attemptId: string }) {
  const result = useQuery(resultQuery(attemptId))
  if (result.data) {
    const { review, times, id, ...attempt } = result.data
    const data: ResultsData = {
      ...attempt,
      attemptId: id,
      isOpenedAgain: true,
      tookMs: Object.fromEntries(
        review.flatMap(({ question }, place) => {
          const ms = times[place]
          return typeof ms === 'number' ? [[question.id, ms]] : []
        }),
      ),
      isErrorBasedTest: false,
      questions: review.map((entry) => entry.question),
      userAnswers: review.map((entry) => ({
        questionId: entry.question.id,
        selectedAnswer: entry.userAnswer,
      })),
    }
    return <ResultsView key={id} data={data} />
  }
  if (!result.isError) {
    return (
      <main className="wrap pt-16 pb-16">
        <Loading
          note="Loading results"
          shapes={['h-[240px] nav:h-[200px]', 'mt-8 h-[100px]', 'mt-14 h-8 w-52', 'mt-8 h-[360px]']}
        />
      </main>
    )
  }
  if (isMissing(result.error)) return <NoResults />
  return (
    <main className="wrap wrap-narrow py-12">
      <NotLoaded
        title="An unexpected error occurred"
        query={result}
        wayOut={{ to: URLS.dashboard, name: 'Return to Dashboard' }}
      />
    </main>
  )
}

function NoResults() {
  return (
    <main className="wrap wrap-narrow py-12">
      <Message
        title="No results data found"
        actions={
          <Link to={URLS.dashboard} className="btn">
            Return to Dashboard
          </Link>
        }
      />
    </main>
  )
}
