import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from 'react-router'
import { testsUrl, URLS } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { difficultiesOf, isCategory } from '../../categories.ts'
import { isDifficulty } from '../../difficulties.ts'
import { testQuestionsQuery } from '../queries.ts'
import { SittingSkeleton } from '../sitting/sitting-skeleton.tsx'
import { QuizPlayer } from './quiz-player.tsx'
import { quizStateSchema } from './quiz-state.ts'

/** /quiz/{category}/{difficulty}/{testNumber} (product 3.3). */
export function TestQuiz() {
  const user = useUser()
  const { category = '', difficulty = '', testNumber: testNumberText = '' } = useParams()
  const testNumber = Number(testNumberText)
  const isNumber = Number.isSafeInteger(testNumber) && testNumber > 0
  const questions = useQuery({
    ...testQuestionsQuery(category, difficulty, isNumber ? String(testNumber) : testNumberText),
    // Nothing changes under somebody who is answering.
    refetchOnWindowFocus: false,
    // But what could not be loaded heals itself when the network is back.
    refetchOnReconnect: ({ state }) => state.data === undefined,
  })
  useTitle(isNumber ? `Test ${testNumber} · ${category}` : 'Test')

  const isCell =
    isCategory(category) &&
    isDifficulty(difficulty) &&
    difficultiesOf(category).includes(difficulty)
  if (!isCell) return <QuizMessage title="No questions found for this test" backTo={URLS.landing} />
  const backTo = testsUrl(category, difficulty)
  if (!isNumber) {
    return <QuizMessage title="No questions available for this test number" backTo={backTo} />
  }
  if (questions.data) {
    if (questions.data.length === 0) {
      return <QuizMessage title="No questions available for this test number" backTo={backTo} />
    }
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
        onTryAgain={() => void questions.refetch()}
        isBusy={questions.isFetching}
      />
    )
  }
  return <SittingSkeleton closeTo={backTo} closeLabel="Close test" />
}

/** /quiz: the error-based test that error practice hands over in the router's state. */
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
  onTryAgain?: () => void
  isBusy?: boolean
}) {
  return (
    <StandalonePage>
      <Message
        title={props.title}
        isError
        actions={
          <>
            {props.onTryAgain && (
              <TryAgain onClick={props.onTryAgain} isBusy={props.isBusy === true} />
            )}
            <Link to={props.backTo} className={props.onTryAgain ? 'btn btn-ghost' : 'btn'}>
              {props.backTo === URLS.landing ? 'Return to Dashboard' : 'Back to Tests'}
            </Link>
          </>
        }
      />
    </StandalonePage>
  )
}
