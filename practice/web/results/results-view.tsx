import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { daysBetween, localDay } from '../../../platform/local-day.ts'
import { deviceTimeZone, longDate } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { BackLink } from '../../../platform/web/ui/page.tsx'
import { encouragementFor, percentageOf } from '../../scoring.ts'
import { againIn } from '../due/comes-back.tsx'
import { PlanAsk } from '../plan/plan-ask.tsx'
import { returnsQuery } from '../queries.ts'
import { scoreStyle } from '../score.tsx'
import { slipsBeforeQuery } from '../slips/queries.ts'
import { SlipAgain } from '../slips/slip-again.tsx'
import { mistakeTitles, slipOf } from '../slips/slip-words.ts'
import { useItemState } from '../use-outbox.tsx'
import { AnswerPicture } from './answer-picture.tsx'
import { KeepThis } from './keep-this.tsx'
import { Ledger } from './ledger.tsx'
import { QuestionReview } from './question-review.tsx'
import { placesOf, type ResultsData, type Reviewed } from './results-facts.ts'
import { useResultsKeys } from './use-results-keys.ts'
import { useReview } from './use-review.ts'
import { useWaysOn, WaysOnRow } from './ways-on.tsx'

/** The result as its percentage, the ways on, its figures, and the review (product 3.5). */
export function ResultsView({ data }: { data: ResultsData }) {
  const user = useUser()
  const reviewed = reviewedOf(data)
  const review = useReview(reviewed)
  const ways = useWaysOn(data, reviewed)
  const first = useRef<HTMLAnchorElement>(null)
  useResultsKeys(review, () => first.current?.click())
  const saving = useItemState(user.id, data.attemptId ?? '')
  const comesBack = useComesBack(reviewed, saving === 'saved')
  const titles = useMistakeTitles(data, reviewed)
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect).length
  return (
    <main className="wrap pt-3 pb-16 nav:pt-5 print:p-0">
      <div className="print:hidden">
        <BackLink to={placesOf(data).list.to}>
          {data.built ? 'Build a test' : 'Back to Tests'}
        </BackLink>
      </div>
      <div className="results-sum">
        <Percentage data={data} />
        <div className="min-w-0">
          <p className="eyebrow">{data.category}</p>
          <p className="serif mt-2 max-w-[25ch] text-[29px] leading-[1.12] nav:mt-2.5 nav:text-[40px]">
            {encouragementFor(percentageOf(data.score, data.totalQuestions))}
          </p>
          <Chips data={data} />
          {/* Its place from the start: nothing moves when saving goes through or fails. */}
          <p role="status" className="hint mt-1.5 min-h-[1.55em] print:hidden">
            {data.attemptId && !data.isOpenedAgain && SAVING_LINES[saving]}
          </p>
          <WaysOnRow ways={ways} firstRef={first} />
        </div>
      </div>
      {!data.isOpenedAgain && <PlanAsk />}
      <Ledger data={data} reviewed={reviewed} />
      <KeepThis />
      <SlipAgain answered={reviewed} attemptId={data.attemptId} />
      <AnswerPicture reviewed={reviewed} onShow={review.show} />
      <QuestionReview
        reviewed={reviewed}
        review={review}
        comesBack={comesBack}
        mistakeTitles={titles}
      />
      <div className="results-end print:hidden">
        {reviewed.length > 0 && (
          <p className="serif text-[23px]">{endOf(mistakes, ways.first?.label)}</p>
        )}
        <WaysOnRow ways={ways} />
      </div>
    </main>
  )
}

const SAVING_LINES = {
  sending: 'Saving…',
  waiting: 'Saved when you are back online',
  saved: 'Saved',
  refused: 'This test could not be saved because the server refused it.',
}

function Percentage({ data }: { data: ResultsData }) {
  const percentage = percentageOf(data.score, data.totalQuestions)
  return (
    <h1 className={`fig results-figure ${scoreStyle(percentage).text}`}>
      <span className="sr-only">Your score: </span>
      {percentage}
      <small>%</small>
    </h1>
  )
}

function Chips({ data }: { data: ResultsData }) {
  const { chip, word } = scoreStyle(percentageOf(data.score, data.totalQuestions))
  return (
    <ul className="mt-3.5 flex flex-wrap gap-1.5" aria-label="About this test">
      <li className={`chip ${chip}`}>
        {data.score} of {data.totalQuestions} · {word}
      </li>
      <li className="chip">{data.difficulty}</li>
      {!data.built && (
        <li className="chip">
          {data.testNumber === null ? 'Your mistakes' : `Test ${data.testNumber}`}
        </li>
      )}
      {data.isOpenedAgain && data.completedAt && (
        <li className="chip">{longDate(data.completedAt)}</li>
      )}
    </ul>
  )
}

function reviewedOf(data: ResultsData): Reviewed[] {
  const selectedById = new Map(
    data.userAnswers.map((answer) => [answer.questionId, answer.selectedAnswer]),
  )
  return data.questions.map((question, index) => {
    const selected = selectedById.get(question.id)
    const isCorrect = selected === question.correctOption
    const tookMs = data.tookMs?.[question.id] ?? null
    return { question, number: index + 1, selected, isCorrect, tookMs }
  })
}

/** For each answer what stands over its note; of a test of another month nothing is counted (product 3.14.25). */
function useMistakeTitles(data: ResultsData, reviewed: readonly Reviewed[]): string[] {
  const { attemptId, completedAt } = data
  const monthOf = (at: number) => localDay(at, deviceTimeZone()).slice(0, 'yyyy-mm'.length)
  const isThisMonth =
    completedAt !== undefined && monthOf(Date.parse(completedAt)) === monthOf(Date.now())
  const { data: before } = useQuery({
    ...slipsBeforeQuery(attemptId ?? ''),
    enabled: attemptId !== undefined && isThisMonth && reviewed.some(slipOf),
  })
  return mistakeTitles(reviewed, isThisMonth ? before : undefined)
}

/** By question id, when it comes back, in words; nothing before the server has the answers (product 3.5.14). */
function useComesBack(
  reviewed: readonly Reviewed[],
  isSaved: boolean,
): ReadonlyMap<number, string> {
  const { data } = useQuery({
    ...returnsQuery(isSaved ? reviewed.map(({ question }) => question.id) : []),
  })
  const today = localDay(Date.now(), deviceTimeZone())
  return new Map(
    data?.map(({ item, due }) => {
      const days = daysBetween(today, due)
      return [Number(item), days <= 0 ? 'Due today' : againIn(days)]
    }),
  )
}

const WORDS = [
  'Nothing',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
]

/** What stands beside the ways on at the end: 'Six to mend.' */
function endOf(mistakes: number, first: string | undefined): string {
  const toMend = `${WORDS[mistakes] ?? mistakes} to mend`
  return mistakes > 0 && first?.startsWith('Start Test')
    ? `${toMend}, or the next ten.`
    : `${toMend}.`
}
