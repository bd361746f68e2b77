import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { longDate } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { BackLink } from '../../../platform/web/ui/page.tsx'
import { encouragementFor, percentageOf } from '../../scoring.ts'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import type { QuizState } from '../quiz/quiz-state.ts'
import { scoreStyle } from '../score.tsx'
import { useItemState } from '../use-outbox.tsx'
import { KeepThis } from './keep-this.tsx'
import { Ledger } from './ledger.tsx'
import { type NextStep, nextStep } from './next-step.ts'
import { measuredTimes } from './pace.ts'
import type { ResultsData } from './results-data.ts'
import { ResultsReview, type Reviewed } from './review.tsx'
import { Times } from './times.tsx'

/** The result as its percentage, what comes next, what it was made of, and the review (product 3.5). */
export function ResultsView({ data }: { data: ResultsData }) {
  const { category, difficulty, testNumber } = data
  const percentage = percentageOf(data.score, data.totalQuestions)
  const { text, chip, word } = scoreStyle(percentage)
  const backTo = (testNumber === null ? errorPracticeUrl : testsUrl)(category, difficulty)
  const reviewed = reviewOf(data)
  const times = measuredTimes(data.times)
  const actions = <Actions data={data} backTo={backTo} reviewed={reviewed} />
  const missed = data.totalQuestions - data.score
  return (
    <main className="wrap pt-6 pb-20 sm:pt-8 print:p-0">
      <div className="print:hidden">
        <BackLink to={backTo}>Back to Tests</BackLink>
      </div>
      <div className="results-head">
        <h1 className={`fig results-figure ${text}`}>
          <span className="sr-only">Your score: </span>
          {percentage}
          <small>%</small>
        </h1>
        <div>
          <p className="eyebrow">
            {category}
            {data.completedAt && ` · ${longDate(data.completedAt)}`}
          </p>
          <p className="results-sentence serif">{encouragementFor(percentage)}</p>
          <ul className="mt-3.5 flex flex-wrap gap-1.5" aria-label="About this test">
            <li className={`chip ${chip}`}>
              {data.score} of {data.totalQuestions} · {word}
            </li>
            <li className="chip">{difficulty}</li>
            <li className="chip">{testNumber === null ? 'Your mistakes' : `Test ${testNumber}`}</li>
          </ul>
          {data.attemptId && testNumber !== null && <SavingLine attemptId={data.attemptId} />}
          {actions}
        </div>
      </div>
      <Ledger data={data} percentage={percentage} />
      {times && <Times times={times} marks={reviewed.map(({ isCorrect }) => isCorrect)} />}
      <KeepThis />
      <ResultsReview reviewed={reviewed} />
      <nav aria-label="What next" className="results-end print:hidden">
        <p className="serif text-[23px] max-nav:hidden">
          {missed === 0 ? 'Nothing to mend.' : missed === 1 ? 'One to mend.' : `${missed} to mend.`}
        </p>
        {actions}
      </nav>
    </main>
  )
}

function reviewOf(data: ResultsData): Reviewed[] {
  const selectedById = new Map(
    data.userAnswers.map((answer) => [answer.questionId, answer.selectedAnswer]),
  )
  return data.questions.map((question, index) => {
    const selected = selectedById.get(question.id)
    return {
      question,
      number: index + 1,
      selected,
      isCorrect: selected === question.correctOption,
      tookMs: data.times?.[index] ?? null,
    }
  })
}

/** The one thing most worth doing, and the spec's three ways on as plain text beside it. */
function Actions(props: { data: ResultsData; backTo: string; reviewed: readonly Reviewed[] }) {
  const { data, backTo, reviewed } = props
  const { category, difficulty, testNumber } = data
  const { data: counts } = useQuery(questionCountsQuery)
  const { data: today } = useQuery(todayQuery())
  const step = nextStep(data, { counts, today })
  return (
    <div className="results-actions print:hidden">
      <Primary step={step} data={data} reviewed={reviewed} />
      <Link
        className="btn btn-flat"
        to={
          testNumber === null
            ? errorPracticeUrl(category, difficulty)
            : quizUrl(category, difficulty, testNumber)
        }
      >
        Retake Test
      </Link>
      <Link className="btn btn-flat" to={backTo}>
        All Tests
      </Link>
      <Link className="btn btn-flat" to={URLS.landing}>
        Dashboard
      </Link>
    </div>
  )
}

function Primary(props: { step: NextStep; data: ResultsData; reviewed: readonly Reviewed[] }) {
  const { step, data, reviewed } = props
  const arrow = <ArrowRight size={18} aria-hidden />
  switch (step.kind) {
    case 'mistakes': {
      const questions = reviewed.flatMap((one) => (one.isCorrect ? [] : [one.question]))
      const { category, difficulty } = data
      const state: QuizState = { questions, category, difficulty, isErrorBasedTest: true }
      // Of a result in an older format there are no questions to practise.
      if (questions.length === 0) return null
      return (
        <Link to={URLS.quiz} state={state} className="btn btn-big">
          {questions.length === 1
            ? 'Practice this mistake'
            : `Practice these ${questions.length} mistakes`}
          {arrow}
        </Link>
      )
    }
    case 'test':
      return (
        <Link to={quizUrl(step.category, step.difficulty, step.testNumber)} className="btn btn-big">
          {step.category === data.category && step.difficulty === data.difficulty
            ? `Start Test ${step.testNumber}`
            : `Start Test ${step.testNumber} · ${step.difficulty}`}
          {arrow}
        </Link>
      )
    case 'due':
      return (
        <Link to={URLS.due} className="btn btn-big">
          {step.count === 1 ? 'Review what is due' : `Review ${step.count} that are due`}
          {arrow}
        </Link>
      )
    case 'dashboard':
      return null
  }
}

const SAVING_LINES = {
  sending: 'Saving…',
  waiting: 'Saved when you are back online. Until then it is kept on this device.',
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
