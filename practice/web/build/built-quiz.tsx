import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { QuizPlayer } from '../quiz/quiz-player.tsx'
import { SittingSkeleton } from '../sitting/frame.tsx'
import { builtOf, builtTestQuery, choiceOf, givenOf, searchOf } from './built-test.ts'

/** /build/test?… (product 3.14.6). The address contains the questions, so a reload or second tab has the same test. */
export function BuiltQuiz() {
  const user = useUser()
  const [search, setSearch] = useSearchParams()
  const choice = choiceOf(search)
  const isChosen = choice.ids.length > 0
  const { state } = useLocation()
  const test = useQuery({ ...builtTestQuery(choice), initialData: givenOf(state, choice.ids) })
  const questions = test.data?.questions
  const built = builtOf(choice)
  useTitle(built.title)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the questions are loaded
  useEffect(() => {
    if (isChosen || !test.data || test.data.questions.length === 0) return
    const chosen = { ...choice, ids: test.data.questions.map(({ id }) => id) }
    queryClient.setQueryData(builtTestQuery(chosen).queryKey, test.data)
    setSearch(searchOf(chosen), { replace: true })
  }, [isChosen, test.data])

  if (questions && questions.length > 0) {
    if (!isChosen) return <SittingSkeleton closeTo={URLS.build} closeLabel="Close test" />
    return (
      <QuizPlayer
        key={`${user.id} ${built.search}`}
        userId={user.id}
        test={{
          category: built.title,
          difficulty: choice.levels.length === 1 ? (choice.levels[0] ?? '') : 'All levels',
          testNumber: null,
          questions,
          built,
        }}
      />
    )
  }
  if (questions || test.isError) {
    return (
      <StandalonePage>
        <NotLoaded
          title={questions ? 'No questions match this choice' : 'Failed to load questions'}
          query={questions ? null : test}
          wayOut={{ to: URLS.build, name: 'Build a test' }}
        />
      </StandalonePage>
    )
  }
  return <SittingSkeleton closeTo={URLS.build} closeLabel="Close test" />
}
