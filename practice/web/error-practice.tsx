import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { testsUrl, URLS } from '../../platform/urls.ts'
import { NotLoaded } from '../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import type { getMistakes } from '../contract.ts'
import { DeadEnd, Loaded } from './kit.tsx'
import { mistakesQuery } from './queries.ts'
import type { QuizState } from './quiz/quiz-state.ts'
import { timesWord } from './slips/slip-words.ts'

type Mistakes = ResponseOf<typeof getMistakes>

/** /error-practice/{category}/{difficulty} (product 3.6.3): the missed questions and a start button. */
export function ErrorPractice() {
  const { category = '', difficulty = '' } = useParams()
  const mistakes = useQuery(mistakesQuery(category, difficulty))
  useTitle('Practice Your Mistakes')
  const backTo = testsUrl(category, difficulty)
  const nothing = mistakes.data && whyNothing(mistakes.data)
  if (nothing) {
    return (
      <main className="wrap wrap-narrow py-12 sm:py-16">
        <DeadEnd title="Practice Your Mistakes" to={backTo} name="Back to Tests">
          {nothing}
        </DeadEnd>
      </main>
    )
  }
  return (
    <main className="wrap wrap-narrow pt-6 pb-20 sm:pt-8">
      <BackLink to={backTo}>Back to Tests</BackLink>
      <div className="mt-4">
        <Loaded
          query={mistakes}
          note="Loading your mistakes"
          shapes={['h-3 w-56', 'mt-4 h-11 max-w-[420px]', 'mt-6 h-11 w-36', 'mt-14 h-[380px]']}
          failed={
            <NotLoaded title="Practice Your Mistakes" query={mistakes}>
              Failed to load wrong questions. Please try again.
            </NotLoaded>
          }
        >
          {(data) => <Summary category={category} difficulty={difficulty} data={data} />}
        </Loaded>
      </div>
    </main>
  )
}

/** Explains why there is nothing to practice (product 3.6.4, 3.6.5), or returns null. */
function whyNothing({ attempts, mistakes, cleared }: Mistakes): string | null {
  if (mistakes.length > 0) return null
  if (cleared > 0) return `${countCleared(cleared)} Cleared mistakes come back if missed again.`
  if (attempts === 0) return 'No previous test results found. Take some regular tests first!'
  return "Great job! You haven't made any mistakes in this category and difficulty level yet, or your test data is in an old format. Take some new tests to enable error-based practice!"
}

const countCleared = (cleared: number) =>
  cleared === 1
    ? 'You have cleared one mistake at this level.'
    : `You have cleared ${cleared} mistakes at this level.`

function Summary(props: { category: string; difficulty: string; data: Mistakes }) {
  const { category, difficulty } = props
  const { mistakes, cleared } = props.data
  const state: QuizState = {
    questions: mistakes.map(({ timesWrong: _, userAnswer: __, ...question }) => question),
    category,
    difficulty,
    isErrorBasedTest: true,
  }
  return (
    <>
      <p className="eyebrow">
        {category} · {difficulty}
      </p>
      <h1 className="mt-2 text-[clamp(32px,3.8vw,48px)]">Practice Your Mistakes</h1>
      <p className="mt-3 max-w-[60ch] text-ink-2">
        {mistakes.length === 1
          ? 'One question that you have missed here.'
          : `The ${mistakes.length} questions that you have missed most often here.`}{' '}
        The result isn't saved, but each answer counts toward your schedule, and the test toward
        your day streak.{cleared > 0 && ` ${countCleared(cleared)}`}
      </p>
      <Link to={URLS.quiz} state={state} className="btn mt-6">
        Start Practice
      </Link>
      <h2 className="mt-12 border-ink border-b pb-3">Up next</h2>
      <ol>
        {mistakes.map((mistake, index) => (
          <li
            key={mistake.id}
            className="grid grid-cols-[36px_1fr] gap-x-2 border-line border-b py-4 sm:grid-cols-[48px_1fr_auto]"
          >
            <span aria-hidden className="font-serif text-[17px] text-ink-2">
              {String(index + 1).padStart(2, '0')}
            </span>
            <p className="running line-clamp-2 max-w-[56ch]">{mistake.question}</p>
            <p className="hint whitespace-nowrap pt-0.5 max-sm:col-start-2">
              missed {timesWord(mistake.timesWrong)}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}
