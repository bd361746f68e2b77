import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { clockTime } from '../../../platform/durations.ts'
import { daysBetween, localDay } from '../../../platform/local-day.ts'
import { createAccountUrl, URLS } from '../../../platform/urls.ts'
import { deviceTimeZone, longDate } from '../../../platform/web/dates.ts'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { encouragementFor, GREEN_FROM, percentageOf } from '../../scoring.ts'
import { againIn } from '../due/due-sitting.ts'
import { DeadEnd, Loading, scoreStyle, Verdict } from '../kit.tsx'
import { PlanAsk } from '../plan/plan-ask.tsx'
import { isMissing, resultQuery, returnsQuery, slipsBeforeQuery } from '../queries.ts'
import { resultsStateSchema } from '../quiz/quiz-state.ts'
import { Ticks } from '../sitting/ticks.tsx'
import { chancesWith, mistakeTitles, slipAgain, slipOf } from '../slips/slip-words.ts'
import { RepeatedMistake } from '../slips/your-slips.tsx'
import { useSavingLine } from '../use-outbox.tsx'
import { goBy, QuestionReview, type Review, toggleCurrent, useReview } from './question-review.tsx'
import {
  Ledger,
  paceOf,
  placesOf,
  type ResultsData,
  type Reviewed,
  useWaysOn,
  WaysOnRow,
} from './results-facts.tsx'

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
      <DeadEnd title="No results data found" to={URLS.dashboard} name="Return to Dashboard" />
    </main>
  )
}

function ResultsView({ data }: { data: ResultsData }) {
  const user = useUser()
  const reviewed = reviewedOf(data)
  const review = useReview(reviewed)
  const ways = useWaysOn(data, reviewed)
  const first = useRef<HTMLAnchorElement>(null)
  useResultsKeys(review, () => first.current?.click())
  const saving = useSavingLine(user.id, data.attemptId ?? '', 'test')
  const comesBack = useComesBack(reviewed, saving === '')
  const { attemptId, completedAt } = data
  const { data: slipsBefore } = useQuery({
    ...slipsBeforeQuery(attemptId ?? ''),
    enabled: attemptId !== undefined && reviewed.some(slipOf),
  })
  // The most frequent mistake in this test that was also made before (product 3.14.24).
  const again = slipsBefore && slipAgain(reviewed, slipsBefore)
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect).length
  const percentage = percentageOf(data.score, data.totalQuestions)
  const [isJustFinished] = useState(() => !data.isOpenedAgain && isRecent(data.completedAt))
  return (
    <main className={`wrap pt-3 pb-16 nav:pt-5 print:p-0 ${isJustFinished ? 'reward' : ''}`}>
      <div className="print:hidden">
        <BackLink to={placesOf(data).list.to}>
          {data.built ? placesOf(data).list.label : 'Back to Tests'}
        </BackLink>
      </div>
      {reviewed.length > 0 && (
        <div className="mt-2 mb-3 nav:mb-6">
          <Ticks ticks={reviewed.map(({ isCorrect }) => (isCorrect ? 'right' : 'wrong'))} />
        </div>
      )}
      <div className="results-sum">
        <Percentage percentage={percentage} />
        <div className="min-w-0">
          <p className="eyebrow">{data.category}</p>
          <p className="serif mt-2 max-w-[25ch] text-[29px] leading-[1.12] nav:mt-2.5 nav:text-[40px]">
            {encouragementFor(percentage)}
          </p>
          {percentage >= GREEN_FROM && (
            <p className="reward-line mt-1.5 text-ink-2">That's interview level.</p>
          )}
          <Chips data={data} />
          {/* This reserves the space, so nothing moves when saving succeeds or fails. */}
          <p role="status" className="hint mt-1.5 min-h-[1.55em] print:hidden">
            {data.attemptId && !data.isOpenedAgain && (saving || savedLine(data))}
          </p>
          <WaysOnRow ways={ways} firstRef={first} />
        </div>
      </div>
      {!data.isOpenedAgain && <PlanAsk />}
      {again && (
        <RepeatedMistake
          slip={again.slip}
          chances={chancesWith(again.slip, reviewed)}
          inThisTest={again.times}
        />
      )}
      <Ledger data={data} reviewed={reviewed} />
      <KeepThis />
      <AnswerPicture reviewed={reviewed} onShow={review.show} />
      <QuestionReview
        reviewed={reviewed}
        review={review}
        comesBack={comesBack}
        // The notes of a test from another month have no counts (product 3.14.25).
        mistakeTitles={mistakeTitles(
          reviewed,
          isOfThisMonth(completedAt) ? slipsBefore : undefined,
        )}
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

/** The style sheet draws and counts up the number. Screen readers get the final one. */
function Percentage({ percentage }: { percentage: number }) {
  const digits = String(percentage).length
  return (
    <h1 className={`fig results-figure ${scoreStyle(percentage).text}`}>
      <span className="sr-only">Your score: {percentage}%</span>
      <span aria-hidden>
        <span
          className="count-up"
          style={
            { '--to': percentage, minWidth: `calc(${digits} * (1ch - 0.03em))` } as CSSProperties
          }
        />
        <small>%</small>
      </span>
    </h1>
  )
}

/** Error practice has no result (product 3.4.5), but its answers count. */
const savedLine = ({ testNumber, built }: ResultsData) =>
  testNumber === null && !built
    ? 'Not saved as a result. Your answers count toward your reviews.'
    : 'Saved'

/** Results celebrate this long after Finish, but not after a reload. */
const RECENT_MS = 5_000
const isRecent = (completedAt: string | undefined) =>
  completedAt !== undefined && Date.now() - Date.parse(completedAt) < RECENT_MS

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

function isOfThisMonth(completedAt: string | undefined): boolean {
  const monthOf = (at: number) => localDay(at, deviceTimeZone()).slice(0, 'yyyy-mm'.length)
  return completedAt !== undefined && monthOf(Date.parse(completedAt)) === monthOf(Date.now())
}

/** Says when each question comes back, by id, once the server has the answers (product 3.5.14). */
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

function endOf(mistakes: number, first: string | undefined): string {
  if (mistakes === 0) return 'Nothing to fix'
  return first?.startsWith('Start Test')
    ? `${mistakes} to fix, or the next ten`
    : `${mistakes} to fix`
}

function KeepThis() {
  const user = useUser()
  if (!user.is_anonymous) return null
  return (
    <section aria-labelledby="keep" className="keep-this print:hidden">
      <div>
        <h2 id="keep" className="text-[25px]">
          Save your progress
        </h2>
        <p className="running mt-1 max-w-[68ch] text-[15px] text-ink-2">
          You're a guest, so you lose this result, your mistakes and your day streak when the
          session ends. An account keeps them.
        </p>
      </div>
      <Link to={createAccountUrl} className="btn btn-ghost">
        Create Free Account
      </Link>
    </section>
  )
}

/** The click that finished the test must not trigger what comes next. */
const DEAF_MS = 500

/** J and K move between questions, O folds, and Enter presses the first button without a focus (product 3.5.13). */
function useResultsKeys(review: Review, goOn: () => void): void {
  const [areKeysEnabled] = useKeysEnabled()
  const [shownAtMs] = useState(() => performance.now())
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof HTMLElement ? event.target : null
    if (target?.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]')) return
    const key = event.key.toLowerCase()
    if (key === 'j' || key === 'k') goBy(key === 'j' ? 1 : -1)
    else if (key === 'o') toggleCurrent(review)
    else if (key === 'enter' && target === document.body) {
      if (performance.now() - shownAtMs > DEAF_MS) goOn()
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    if (!areKeysEnabled) return
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [areKeysEnabled])
}

const TALLEST = 106
const SHORTEST = 30

/** Shows each answer's time as a stem that links to its question (product 3.5.12). It's empty without times. */
function AnswerPicture(props: { reviewed: readonly Reviewed[]; onShow: (number: number) => void }) {
  const pace = paceOf(props.reviewed.map(({ tookMs }) => tookMs))
  if (!pace) return null
  const longestMs = Math.max(1, ...props.reviewed.map(({ tookMs }) => tookMs ?? 0))
  const heightOf = (ms: number) => Math.max(SHORTEST, (ms / longestMs) * TALLEST)
  return (
    <figure className="mt-7 print:hidden">
      <figcaption className="hint flex justify-between gap-6">
        <span>Time per question</span>
        <span>dotted line = your average, {clockTime(inSeconds(pace.meanMs))}</span>
      </figcaption>
      <div className="answer-picture">
        <span aria-hidden className="answer-mean" style={{ bottom: heightOf(pace.meanMs) }} />
        <ol>
          {props.reviewed.map(({ question, number, isCorrect, tookMs }) => (
            <li key={question.id}>
              <a
                href={`#question-${number}`}
                aria-label={`Question ${number}, ${isCorrect ? 'correct' : 'incorrect'}, ${tookMs === null ? 'not timed' : clockTime(inSeconds(tookMs))}`}
                onClick={(event) => {
                  event.preventDefault()
                  props.onShow(number)
                }}
              >
                <span
                  aria-hidden
                  className={`answer-stem ${isCorrect ? 'text-right-ink' : 'text-wrong-ink'}`}
                  style={{ height: heightOf(tookMs ?? 0) - 10 }}
                >
                  <Verdict isCorrect={isCorrect} />
                </span>
                <span className="answer-number">
                  <span className="sr-only">Question </span>
                  {number}
                  <span className="sr-only">{isCorrect ? ', correct, ' : ', incorrect, '}</span>
                </span>
                <span className="answer-time">
                  {tookMs === null ? '–' : clockTime(inSeconds(tookMs))}
                </span>
              </a>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  )
}

const inSeconds = (ms: number) => Math.round(ms / 1000)
