import { useQuery } from '@tanstack/react-query'
import { quizUrl } from '../../../platform/urls.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import { fetchTestAhead } from '../ahead.ts'
import { testQuestionsQuery } from '../queries.ts'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import { FIRST, type Tick, Ticks, ticksOf } from '../sitting/ticks.tsx'
import { useTitleOfTest } from '../tests/use-titles.ts'
import { dueCategories, dueHeading, dueUrl, fetchDueAhead, minutesInWords } from './due.ts'
import {
  dueCount,
  dueMinutes,
  type LeadContent,
  type TestAddress,
  type Today,
} from './lead-content.ts'
import { Action, AlsoOpen, continueUrl, Frame, testName } from './lead-frame.tsx'
import { PlanLead } from './plan-lead.tsx'

/** The one thing to do next, under the ticks of what it opens (product 1.7.6). */
export function Lead(props: {
  content: LeadContent
  today: Today | undefined
  onRetry: () => void
}) {
  const { content, today } = props
  switch (content.kind) {
    case 'plan':
    case 'after':
      return <PlanLead content={content} />
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

function Continue({ test, others }: { test: UnfinishedTest; others: UnfinishedTest[] }) {
  const { category, difficulty, testNumber } = test
  const questions = useQuery({
    ...testQuestionsQuery(category, difficulty, String(testNumber ?? 1)),
    enabled: testNumber !== null,
  })
  const total = questions.data?.length || QUESTIONS_PER_TEST
  return (
    <Frame
      ticks={<Ticks ticks={ticksOf(test, total)} />}
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

function Due({ today }: { today: Today }) {
  const count = dueCount(today)
  return (
    <Frame
      ticks={<Ticks ticks={ticksOf(FIRST, Math.min(count, MOST_TICKS))} />}
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
  best?: number
}) {
  const { test, heading, best } = props
  const { category, difficulty, testNumber } = test
  const title = useTitleOfTest(category, difficulty, testNumber)
  return (
    <Frame
      ticks={<Ticks ticks={ticksOf(FIRST, QUESTIONS_PER_TEST)} />}
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
      ticks={<Ticks ticks={Array<Tick>(QUESTIONS_PER_TEST).fill('open')} />}
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
