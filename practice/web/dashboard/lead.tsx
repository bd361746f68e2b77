import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { dayAfter } from '../../../platform/local-day.ts'
import { quizUrl, URLS } from '../../../platform/urls.ts'
import { dayName } from '../../../platform/web/dates.ts'
import { fetchScreenAhead } from '../../../platform/web/screens.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { countOf } from '../../../platform/words.ts'
import { dayOfPlan, isOfQuestions, type Plan, phaseOf, questionsOf } from '../../schedule/plan.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import { fetchTestAhead } from '../ahead.ts'
import {
  countdownOf,
  mixOf,
  nextInWords,
  PartRows,
  PHASE_SENTENCES,
  phaseSentence,
  type Stand,
  StartNext,
  standOf,
} from '../plan/todays-parts.tsx'
import { testQuestionsQuery } from '../queries.ts'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import { FIRST, Tens, type Tick, Ticks, ticksOf } from '../sitting/ticks.tsx'
import { useTitles } from '../topics.ts'
import {
  dueCategories,
  dueCount,
  dueHeading,
  dueMinutes,
  dueUrl,
  type LeadContent,
  minutesInWords,
  type TestAddress,
  type Today,
  type TodaysPlan,
} from './lead-content.ts'
import { Action, AlsoOpen, continueUrl, Frame, testName } from './lead-frame.tsx'

export function Lead(props: {
  content: LeadContent
  today: Today | undefined
  onRetry: () => void
}) {
  const { content, today } = props
  switch (content.kind) {
    case 'plan':
      return <TodaysShare todays={content.todays} others={content.others} />
    case 'after':
      return <AfterInterview plan={content.plan} />
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
        <Action to={dueUrl(today)} fetchAhead={() => fetchScreenAhead(dueUrl(today))}>
          Review
        </Action>
      }
    />
  )
}

const MOST_TICKS = 40

function NextTest(props: { test: TestAddress; eyebrow: string; heading?: string; best?: number }) {
  const { test, heading, best } = props
  const { category, difficulty, testNumber } = test
  const title = useTitles(category, difficulty)?.[testNumber - 1]
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
    <Frame
      ticks={<Ticks ticks={NO_TICKS} />}
      eyebrow={
        <>
          Next<LoadingNote>Loading your next step</LoadingNote>
        </>
      }
      heading={
        <>
          <span className="sr-only">What to do next</span>
          <Skeleton className="h-[1.12em] w-[min(100%,420px)]" />
        </>
      }
      stem={<Skeleton className="h-6 w-[min(80%,300px)]" />}
      action={<Skeleton className="btn-big lead-wait w-[150px] rounded-md" />}
    />
  )
}

const NO_TICKS = Array<Tick>(QUESTIONS_PER_TEST).fill('open')

function Unknown({ onRetry }: { onRetry: () => void }) {
  return (
    <Frame
      ticks={<Ticks ticks={NO_TICKS} />}
      eyebrow="Next"
      heading="Pick a category and go on"
      stem="Your next step could not be loaded."
      action={
        <button type="button" className="btn btn-big" onClick={onRetry}>
          Try again
        </button>
      }
    />
  )
}

function TodaysShare(props: { todays: TodaysPlan; others: readonly UnfinishedTest[] }) {
  const { plan } = props.todays
  const day = useToday()
  const stand = standOf(props.todays, day)
  const { of, answered, tens, parts, next } = stand
  const isAsking = next !== undefined && isOfQuestions(next.kind)
  return (
    <Frame
      ticks={
        <Tens of={of} answered={answered} next={isAsking ? questionsOf(tens.slice(0, 1)) : 0} />
      }
      eyebrow={countdownOf(plan, day)}
      heading={headingOf(stand, plan, day)}
      stem={<span className="max-nav:whitespace-normal">{stemOf(stand, plan, day)}</span>}
      action={<StartNext stand={stand} />}
    >
      {parts.length > 1 && <PartRows stand={stand} />}
      {props.others.length > 0 && <AlsoOpen tests={props.others} />}
    </Frame>
  )
}

function headingOf(stand: Stand, plan: Plan, day: string): string {
  if (!stand.next || phaseOf(plan, day) !== 'last-evening') return nextInWords(stand)
  return day === plan.interviewOn ? 'Today is the day' : 'Tomorrow is the day'
}

function stemOf({ next, of, answered, tens }: Stand, plan: Plan, day: string): string {
  const isLastEvening = phaseOf(plan, day) === 'last-evening'
  if (next && isLastEvening) return phaseSentence(plan, day)
  const done = `${answered} of ${of} done`
  if (next) {
    const minutes = countOf(next.minutes, 'minute')
    return `${done} · ${minutes}${isOfQuestions(next.kind) ? `: ${mixOf(tens)}` : ''}`
  }
  if (isLastEvening)
    return `${done}. ${day === plan.interviewOn ? 'Good luck!' : 'Sleep well, and good luck.'}`
  const { isOff } = dayOfPlan(plan, dayAfter(day, 1))
  return `${done}. ${isOff ? 'Tomorrow is your day off.' : 'More comes tomorrow.'}`
}

function AfterInterview({ plan }: { plan: Plan }) {
  return (
    <Frame
      ticks={<Tens of={10} answered={10} next={0} />}
      eyebrow={`Your interview was on ${dayName(plan.interviewOn ?? '')}`}
      heading="How did it go?"
      stem={PHASE_SENTENCES.past}
      action={
        <Link to={URLS.plan} className="btn btn-big">
          Plan what's next
        </Link>
      }
    />
  )
}
