import { type ComponentProps, useRef } from 'react'
import { Link } from 'react-router'
import { quizUrl, resultsUrl } from '../../../platform/urls.ts'
import { shortDate } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { LISTED_RESULTS, type ResultSummary } from '../../contract.ts'
import { percentageOf } from '../../scoring.ts'
import { countTests, QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import { fetchTestAhead, onIntent } from '../ahead.ts'
import { AttemptRows } from '../attempts.tsx'
import { Action, Frame } from '../dashboard/lead-frame.tsx'
import { moveByArrows, RetryLine, Section, scoreStyle } from '../kit.tsx'
import { type UnfinishedTest, useUnfinished } from '../quiz/unfinished.ts'
import { FIRST, type Tick, Ticks, ticksOf } from '../sitting/ticks.tsx'
import { useTitles } from '../topics.ts'
import { useWaitingResults } from '../use-outbox.tsx'
import { MistakesCard } from './mistakes-card.tsx'

export function TestsList(props: {
  category: string
  difficulty: string
  questionCount: number
  results: ResultSummary[]
  onRetryResults: (() => void) | undefined
}) {
  const { category, difficulty, questionCount } = props
  const user = useUser()
  const waiting = useWaitingResults(user.id, category, difficulty)
  const unfinished = useUnfinished(user.id).filter(
    (test) => test.category === category && test.difficulty === difficulty,
  )
  const titles = useTitles(category, difficulty)
  // Unsaved tests count too, so that nothing seems lost.
  const known = new Set(props.results.map((result) => result.id))
  const attempts = [
    ...waiting
      .filter((item) => !known.has(item.body.id))
      .map((item) => ({ ...item, ...item.body, isWaiting: true })),
    ...props.results,
  ].map((attempt) => ({
    ...attempt,
    percentage: percentageOf(attempt.score, attempt.totalQuestions),
  }))
  const best = new Map<number, number>()
  const last = new Map<number, string>()
  for (const { testNumber, percentage, completedAt } of attempts) {
    best.set(testNumber, Math.max(best.get(testNumber) ?? 0, percentage))
    // The newest comes first.
    if (!last.has(testNumber)) last.set(testNumber, completedAt)
  }
  const testCount = countTests(questionCount)
  const list = useRef<HTMLOListElement>(null)

  return (
    <>
      <ListLead
        category={category}
        difficulty={difficulty}
        lead={testsLeadOf(unfinished, best, testCount)}
        titles={titles}
      />
      {props.onRetryResults && (
        <RetryLine className="mb-2 text-ink-2" onRetry={props.onRetryResults}>
          Your earlier scores could not be loaded.
        </RetryLine>
      )}
      <div className="tests-grid">
        <section aria-labelledby="tests" className="min-w-0">
          <div className="section-head">
            <h2 id="tests">Tests</h2>
          </div>
          <div aria-hidden className="tests-columns">
            <span>Best score</span>
            <span>Last</span>
          </div>
          <ol ref={list} onKeyDown={(event) => moveByArrows(event, list.current)}>
            {Array.from({ length: testCount }, (_, index) => (
              <TestRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a test's index is its number
                key={index}
                category={category}
                difficulty={difficulty}
                testNumber={index + 1}
                title={titles?.[index]}
                best={best.get(index + 1)}
                last={last.get(index + 1)}
                unfinished={unfinished.find((test) => test.testNumber === index + 1)}
                size={Math.min(QUESTIONS_PER_TEST, questionCount - index * QUESTIONS_PER_TEST)}
              />
            ))}
          </ol>
        </section>
        <aside className="tests-rail" aria-label="More of this level">
          <MistakesCard category={category} difficulty={difficulty} />
        </aside>
      </div>
      {attempts.length > 0 && (
        <Section id="attempts" title="Past attempts" className="mt-12 nav:mt-14">
          <AttemptRows
            attempts={attempts.map(({ id, testNumber, completedAt, percentage, ...attempt }) => ({
              ...{ id, completedAt, percentage },
              name: `Test ${testNumber}`,
              about: 'isWaiting' in attempt ? 'not saved yet' : '',
              to: 'isWaiting' in attempt ? null : resultsUrl(category, difficulty, testNumber, id),
            }))}
          />
          {attempts.length >= LISTED_RESULTS && (
            <p className="hint mt-4">
              Your newest {LISTED_RESULTS} attempts of these tests are shown.
            </p>
          )}
        </Section>
      )}
    </>
  )
}

function ListLead(props: {
  category: string
  difficulty: string
  lead: TestsLead
  titles: string[] | undefined
}) {
  const { category, difficulty, lead } = props
  const testNumber = lead.kind === 'continue' ? lead.test.testNumber : lead.testNumber
  const title = props.titles?.[testNumber - 1]
  return (
    <LeadFrame
      ticks={
        <Ticks ticks={ticksOf(lead.kind === 'continue' ? lead.test : FIRST, QUESTIONS_PER_TEST)} />
      }
      eyebrow={lead.kind === 'again' ? 'All taken. This has the lowest best score' : 'Next'}
      heading={
        <>
          Test {testNumber}
          {lead.kind !== 'next' && (
            <>
              {' '}
              <span>
                <span className="max-nav:sr-only">· </span>
                {lead.kind === 'continue'
                  ? `in progress, question ${lead.test.question}`
                  : `best ${lead.best}%`}
              </span>
            </>
          )}
        </>
      }
      stem={
        lead.kind === 'continue'
          ? [title, timeToGo(QUESTIONS_PER_TEST - lead.test.answered)].filter(Boolean).join(' · ')
          : title
      }
      action={
        <Action
          to={quizUrl(category, difficulty, testNumber)}
          fetchAhead={() => fetchTestAhead(category, difficulty, testNumber)}
        >
          {LEAD_ACTIONS[lead.kind]}
          {lead.kind !== 'continue' && ` ${testNumber}`}
        </Action>
      }
    />
  )
}

const LEAD_ACTIONS = { continue: 'Continue', next: 'Start Test', again: 'Retake Test' }

/** Counts under half a minute per question, as on the first visit: 'about 3 minutes to go'. */
function timeToGo(questions: number): string {
  const minutes = Math.max(1, Math.round(questions * 0.4))
  return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} to go`
}

const LeadFrame = (frame: ComponentProps<typeof Frame>) => (
  <div className="tests-lead">
    <Frame {...frame} />
  </div>
)

function TestRow(props: {
  category: string
  difficulty: string
  testNumber: number
  /** the topics; undefined while loading, empty if none are known */
  title: string | undefined
  best: number | undefined
  last: string | undefined
  unfinished: UnfinishedTest | undefined
  size: number
}) {
  const { category, difficulty, testNumber, best, last, unfinished } = props
  return (
    <li className="test-row" {...onIntent(() => fetchTestAhead(category, difficulty, testNumber))}>
      <h3>Test {testNumber}</h3>
      <p className="test-title serif">
        {props.title ?? <Skeleton className="h-[2.5em] w-[90%]" />}
      </p>
      {unfinished ? (
        <div className="test-best test-open running">
          in progress, question {unfinished.question}
          <Ticks ticks={ticksOf(unfinished, props.size)} isFine />
        </div>
      ) : best === undefined ? (
        <p className="test-best test-none">Not taken yet</p>
      ) : (
        <p className={`test-best ${scoreStyle(best).text}`}>
          <span className="fig">
            <span className="sr-only">Best score </span>
            {best}
            <small>%</small>
          </span>
          <span className="test-word">{scoreStyle(best).word}</span>
        </p>
      )}
      <p className="test-last">
        {last && !unfinished && (
          <>
            <span className="sr-only">last taken </span>
            {shortDate(last)}
          </>
        )}
      </p>
      <Link to={quizUrl(category, difficulty, testNumber)} className="test-start">
        {unfinished ? 'Continue' : best === undefined ? 'Start Test' : 'Retake Test'}
        <span className="sr-only"> {testNumber}</span>
      </Link>
    </li>
  )
}

export function TestsSkeleton() {
  return (
    <>
      <LoadingNote>Loading tests</LoadingNote>
      <LeadFrame
        ticks={<Ticks ticks={Array<Tick>(QUESTIONS_PER_TEST).fill('open')} />}
        eyebrow="Next"
        heading={<Skeleton className="h-[1.12em] w-40" />}
        stem={<Skeleton className="h-6 w-64 max-w-full" />}
        action={<Skeleton className="btn-big lead-wait w-[150px] rounded-md" />}
      />
      <div className="tests-grid">
        <div className="min-w-0">
          <div className="section-head">
            <h2>Tests</h2>
          </div>
          <Skeleton className="mt-px h-[623px] w-full" />
        </div>
        <Skeleton className="h-[180px] w-full" />
      </div>
    </>
  )
}

type TestsLead =
  | { kind: 'continue'; test: UnfinishedTest & { testNumber: number } }
  | { kind: 'next'; testNumber: number }
  | { kind: 'again'; testNumber: number; best: number }

/** Returns the latest test in progress, or the first not taken, or the one with the lowest best score. */
export function testsLeadOf(
  unfinished: readonly UnfinishedTest[],
  best: ReadonlyMap<number, number>,
  testCount: number,
): TestsLead {
  for (const { testNumber, ...test } of unfinished) {
    if (testNumber !== null && testNumber <= testCount) {
      return { kind: 'continue', test: { ...test, testNumber } }
    }
  }
  const numbers = Array.from({ length: testCount }, (_, index) => index + 1)
  const next = numbers.find((testNumber) => !best.has(testNumber))
  if (next !== undefined) return { kind: 'next', testNumber: next }
  const [worst = 1] = numbers.sort((a, b) => (best.get(a) ?? 0) - (best.get(b) ?? 0))
  return { kind: 'again', testNumber: worst, best: best.get(worst) ?? 0 }
}
