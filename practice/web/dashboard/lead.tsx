import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { errorPracticeUrl, quizUrl, URLS } from '../../../platform/urls.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { shortCellName } from '../../categories.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import { fetchTestAhead } from '../ahead.ts'
import { testQuestionsQuery } from '../queries.ts'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import { type Tick, Ticks } from '../sitting/ticks.tsx'
import { useTitleOfTest } from '../tests/use-titles.ts'
import { dueCategories, dueHeading, dueUrl, fetchDueAhead, minutesInWords } from './due.ts'
import {
  dueCount,
  dueMinutes,
  type LeadContent,
  type TestAddress,
  type Today,
} from './lead-content.ts'

/** More of them stand in the Personal Hub. */
const OTHERS_SHOWN = 2

/** The one thing to do next, under the ticks of what it opens (product 1.7.6). */
export function Lead(props: {
  content: LeadContent
  today: Today | undefined
  onRetry: () => void
}) {
  const { content, today } = props
  switch (content.kind) {
    case 'continue':
      return <Continue test={content.test} others={content.others} />
    case 'due':
      return today ? <Due today={today} /> : null
    case 'first':
      return (
        <NextTest test={content.test} eyebrow="Start here" heading="Ten questions, four minutes" />
      )
    case 'next':
      return <NextTest test={content.test} eyebrow="Next" />
    case 'again':
      return <NextTest test={content.test} eyebrow="All tests taken" best={content.best} />
    case 'loading':
      return <Loading />
    case 'unknown':
      return <Unknown onRetry={props.onRetry} />
  }
}

function Frame(props: {
  ticks: readonly Tick[]
  eyebrow: string
  heading: ReactNode
  stem: ReactNode
  /** the stem gives way on a phone */
  isStemForDesk?: boolean
  action: ReactNode
  children?: ReactNode
}) {
  return (
    <section aria-labelledby="lead" className="home-lead">
      <Ticks ticks={props.ticks} />
      <div className="lead">
        <div className="lead-text">
          <p className="eyebrow">{props.eyebrow}</p>
          <h2 id="lead">{props.heading}</h2>
          <p className={`lead-stem running ${props.isStemForDesk ? 'max-nav:hidden' : ''}`}>
            {props.stem}
          </p>
        </div>
        {props.action}
      </div>
      {props.children}
    </section>
  )
}

function Action(props: { to: string; fetchAhead: () => void; children: ReactNode }) {
  const { to, fetchAhead } = props
  // By the address: the function is a new one at every drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as said
  useEffect(() => whenIdle(fetchAhead), [to])
  return (
    <Link to={to} className="btn btn-big">
      {props.children}
      <ArrowRight size={18} aria-hidden />
    </Link>
  )
}

/** 'Test 3 · Valuation, Intern', 'Your mistakes · Valuation, Intern' */
export function testName({
  category,
  difficulty,
  testNumber,
}: Omit<TestAddress, 'testNumber'> & {
  testNumber: number | null
}): string {
  const name = testNumber === null ? 'Your mistakes' : `Test ${testNumber}`
  return `${name} · ${shortCellName(category, difficulty)}`
}

/** Where a test that was begun goes on. */
export function continueUrl({ category, difficulty, testNumber }: UnfinishedTest): string {
  return testNumber === null
    ? errorPracticeUrl(category, difficulty)
    : quizUrl(category, difficulty, testNumber)
}

function Continue({ test, others }: { test: UnfinishedTest; others: UnfinishedTest[] }) {
  const { category, difficulty, testNumber } = test
  const questions = useQuery({
    ...testQuestionsQuery(category, difficulty, String(testNumber ?? 1)),
    enabled: testNumber !== null,
  })
  const total = questions.data?.length || QUESTIONS_PER_TEST
  return (
    <Frame
      ticks={ticksOf(test, total)}
      eyebrow="Continue"
      heading={
        <>
          {testName(test)}{' '}
          <span>
            <span className="max-nav:sr-only">· </span>question {test.question} of {total}
          </span>
        </>
      }
      stem={questions.data?.[test.question - 1]?.question ?? '\u00a0'}
      isStemForDesk
      action={
        <Action
          to={continueUrl(test)}
          fetchAhead={() => testNumber && fetchTestAhead(category, difficulty, testNumber)}
        >
          Continue
        </Action>
      }
    >
      {others.length > 0 && <AlsoOpen tests={others} />}
    </Frame>
  )
}

/** Every question answered before the one in view is done, whatever comes after. */
export function ticksOf(
  test: Pick<UnfinishedTest, 'question' | 'answered'>,
  total: number,
): Tick[] {
  return Array.from({ length: total }, (_, index) =>
    index + 1 === test.question ? 'now' : index < test.answered ? 'done' : 'open',
  )
}

function AlsoOpen({ tests }: { tests: UnfinishedTest[] }) {
  const shown = tests.slice(0, OTHERS_SHOWN)
  return (
    <p className="also-open running">
      Also in progress:{' '}
      {shown.map((test, index) => (
        <span key={continueUrl(test)}>
          {index > 0 && ', '}
          <Link to={continueUrl(test)} className="quiet-link">
            {testName(test)}
          </Link>
        </span>
      ))}
      {tests.length > shown.length && (
        <>
          {' '}
          and{' '}
          <Link to={URLS.personalHub} className="quiet-link">
            {tests.length - shown.length} more
          </Link>
        </>
      )}
    </p>
  )
}

function Due({ today }: { today: Today }) {
  const count = dueCount(today)
  return (
    <Frame
      ticks={firstOf(Math.min(count, MOST_TICKS))}
      eyebrow="Due today"
      heading={
        <>
          {dueHeading(today)}{' '}
          <span>
            <span className="max-nav:sr-only">· </span>
            {minutesInWords(dueMinutes(today))}
          </span>
        </>
      }
      stem={dueCategories(today)}
      action={
        <Action to={dueUrl(today)} fetchAhead={fetchDueAhead}>
          Review
        </Action>
      }
    />
  )
}

/** More ticks than these are no longer told apart. */
const MOST_TICKS = 40

function NextTest(props: {
  test: TestAddress
  eyebrow: string
  /** in place of the test's name, which then begins the stem */
  heading?: string
  /** its best score, where it was taken already */
  best?: number
}) {
  const { test, heading, best } = props
  const { category, difficulty, testNumber } = test
  const title = useTitleOfTest(category, difficulty, testNumber)
  return (
    <Frame
      ticks={firstOf(QUESTIONS_PER_TEST)}
      eyebrow={props.eyebrow}
      heading={heading ?? testName(test)}
      stem={
        heading ? (
          <span className="max-nav:whitespace-normal">
            {testName(test)}. Every answer explained, nothing to prepare.
          </span>
        ) : best === undefined ? (
          title || '\u00a0'
        ) : (
          `Your lowest best score, ${best}%`
        )
      }
      action={
        <Action
          to={quizUrl(category, difficulty, testNumber)}
          fetchAhead={() => fetchTestAhead(category, difficulty, testNumber)}
        >
          {best === undefined ? 'Start' : 'Retake'} Test {testNumber}
        </Action>
      }
    />
  )
}

function firstOf(total: number): Tick[] {
  return Array.from({ length: total }, (_, index) => (index === 0 ? 'now' : 'open'))
}

function Loading() {
  return (
    <section aria-labelledby="lead" className="home-lead">
      <Ticks ticks={Array<Tick>(QUESTIONS_PER_TEST).fill('open')} />
      <div className="lead">
        <div className="lead-text">
          <p className="eyebrow">Next</p>
          <LoadingNote>Looking up what to do next</LoadingNote>
          <h2 id="lead">
            <span className="sr-only">What to do next</span>
            <Skeleton className="h-[1.12em] w-[min(100%,420px)]" />
          </h2>
          <div className="lead-stem">
            <Skeleton className="h-6 w-[min(80%,300px)]" />
          </div>
        </div>
        <Skeleton className="btn-big lead-wait w-[150px] rounded-md" />
      </div>
    </section>
  )
}

function Unknown({ onRetry }: { onRetry: () => void }) {
  return (
    <Frame
      ticks={Array<Tick>(QUESTIONS_PER_TEST).fill('open')}
      eyebrow="Next"
      heading="Pick a category and go on"
      stem="What you had planned could not be loaded."
      action={
        <button type="button" className="btn btn-big" onClick={onRetry}>
          Try again
        </button>
      }
    />
  )
}
