import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef } from 'react'
import { useLocation, useParams } from 'react-router'
import { testsUrl, URLS } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { difficultiesOf, isCategory, isDifficulty } from '../../categories.ts'
import { resultsQuery, testQuestionsQuery } from '../queries.ts'
import { SittingSkeleton } from '../sitting/frame.tsx'
import { useWaitingResults } from '../use-outbox.tsx'
import { QuizPlayer } from './quiz-player.tsx'
import { quizStateSchema } from './quiz-state.ts'

/** /quiz/{category}/{difficulty}/{testNumber} (product 3.3). */
export function TestQuiz() {
  const user = useUser()
  const { category = '', difficulty = '', testNumber: testNumberText = '' } = useParams()
  const testNumber = Number(testNumberText)
  const isNumber = Number.isSafeInteger(testNumber) && testNumber > 0
  const attempts = useAttemptsBefore(user.id, { category, difficulty, testNumber })
  const testName = isNumber ? String(testNumber) : testNumberText
  const questions = useQuery({
    ...testQuestionsQuery(category, difficulty, testName, attempts),
    enabled: attempts !== undefined,
    // The questions must not change while a person is answering.
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
  })
  useTitle(isNumber ? `Test ${testNumber} · ${category}` : 'Test')

  const isCell =
    isCategory(category) &&
    isDifficulty(difficulty) &&
    difficultiesOf(category).includes(difficulty)
  if (!isCell) return <QuizMessage title="No questions found for this test" backTo={URLS.landing} />
  const backTo = testsUrl(category, difficulty)
  if (!isNumber || questions.data?.length === 0) {
    return <QuizMessage title="No questions available for this test number" backTo={backTo} />
  }
  if (questions.data) {
    return (
      <QuizPlayer
        key={`${user.id} ${category} ${difficulty} ${testNumber}`}
        userId={user.id}
        test={{ category, difficulty, testNumber, questions: questions.data }}
      />
    )
  }
  if (questions.isError) {
    return (
      <QuizMessage
        title={
          questions.error instanceof ApiFailure
            ? 'Failed to load questions'
            : 'An unexpected error occurred'
        }
        backTo={backTo}
        query={questions}
      />
    )
  }
  return <SittingSkeleton closeTo={backTo} closeLabel="Close test" />
}

/** Returns the attempts before the quiz was opened, including unsaved ones. Undefined until known, then constant. */
function useAttemptsBefore(
  userId: string,
  test: { category: string; difficulty: string; testNumber: number },
): number | undefined {
  const results = useQuery(resultsQuery(test.category, test.difficulty))
  const waiting = useWaitingResults(userId, test.category, test.difficulty)
  const counted = useRef<{ test: string; attempts: number }>(undefined)
  const name = `${test.category}/${test.difficulty}/${test.testNumber}`
  // Offline, this device's data has to be enough.
  const isKnown = !results.isPending || results.fetchStatus === 'paused' || results.failureCount > 0
  if (counted.current?.test !== name && isKnown) {
    const waitingOnes = waiting.map(({ body }) => body)
    const ids = [...(results.data ?? []), ...waitingOnes].flatMap(({ id, testNumber }) =>
      testNumber === test.testNumber ? id : [],
    )
    counted.current = { test: name, attempts: new Set(ids).size }
  }
  return counted.current?.test === name ? counted.current.attempts : undefined
}

/** /quiz: the test that error practice passes in router state. */
export function ErrorQuiz() {
  const user = useUser()
  const { state, key } = useLocation()
  useTitle('Practice Your Mistakes')
  const quiz = quizStateSchema.safeParse(state)
  if (!quiz.success || quiz.data.questions.length === 0) {
    return <QuizMessage title="No questions available for this test." backTo={URLS.landing} />
  }
  const { category, difficulty, questions } = quiz.data
  return (
    <QuizPlayer
      key={`${user.id} ${key}`}
      userId={user.id}
      test={{ category, difficulty, testNumber: null, questions }}
    />
  )
}

function QuizMessage(props: {
  title: string
  backTo: string
  query?: ComponentProps<typeof NotLoaded>['query']
}) {
  const { backTo } = props
  const name = backTo === URLS.landing ? 'Return to Dashboard' : 'Back to Tests'
  return (
    <StandalonePage>
      <NotLoaded title={props.title} query={props.query ?? null} wayOut={{ to: backTo, name }} />
    </StandalonePage>
  )
}
