import './superday.css'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { superdayUrl, URLS } from '../../../platform/urls.ts'
import { dayName, shortDateTime } from '../../../platform/web/dates.ts'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { Redirect, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { SHORT_NAMES } from '../../categories.ts'
import type { Evening } from '../../contract/superday.ts'
import { nextDaysOf } from '../../superday/next-days.ts'
import {
  ALOUD_POINTS,
  CASE_RIGHT,
  type Finding,
  type Report,
  recurringSlips,
  reportOf,
} from '../../superday/report.ts'
import { Loaded } from '../kit.tsx'
import { todayQuery, weakTopicsQuery } from '../queries.ts'
import { QuestionReview, useReview } from '../results/question-review.tsx'
import type { Reviewed } from '../results/results-facts.tsx'
import { topicHeading } from '../topics.ts'
import { NoSuperday } from './evening.tsx'
import { superdayQuery } from './evenings.ts'

/** /superday/{id}/report (product 3.15.7): a one-page report on a finished session. */
export function EveningReport() {
  const { id = '' } = useParams()
  const found = useQuery(superdayQuery(id))
  useTitle('Report of a mock superday')
  if (found.data?.isOpen) return <Redirect to={superdayUrl(id)} />
  return (
    <main className="wrap wrap-narrow pt-6 pb-20 sm:pt-8">
      <div className="print:hidden">
        <BackLink to={URLS.superday}>Mock superday</BackLink>
      </div>
      <Loaded
        query={found}
        note="Loading the report"
        shapes={['mt-6 h-14 w-80 max-w-full', 'mt-12 h-72']}
        failed={<NoSuperday query={found} />}
      >
        {(evening) => <OnePage evening={evening} />}
      </Loaded>
    </main>
  )
}

function OnePage({ evening }: { evening: Evening }) {
  const report = reportOf(evening)
  const { carries, stops, missing } = report
  const count = carries.length + stops.length + missing.length
  const reviewed = reviewedOf(evening)
  const review = useReview(reviewed)
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect).length
  return (
    <>
      <p className="eyebrow mt-4">Mock superday, {shortDateTime(evening.startedAt)}</p>
      <h1 className="mt-2 text-[clamp(32px,3.8vw,48px)]">
        {carries.length} of {count} at interview level
      </h1>
      {mistakes > 0 && (
        <p className="mt-5 print:hidden">
          <a href="#review" className="btn btn-big max-sm:w-full">
            {mistakes === 1 ? 'Review your mistake' : `Review your ${mistakes} mistakes`}
            <ArrowRight size={18} aria-hidden />
          </a>
        </p>
      )}
      <Findings title="At interview level" findings={carries} />
      <Findings title="Not yet" findings={stops} isWrong />
      <Findings title="Not done" findings={missing} />
      <Categories evening={evening} />
      <Slips slips={recurringSlips(evening)} />
      <WhatToDo evening={evening} report={report} />
      {reviewed.length > 0 && (
        <QuestionReview
          reviewed={reviewed}
          review={review}
          comesBack={new Map()}
          mistakeTitles={[]}
        />
      )}
      <HubSection title="How this is judged">
        <p className="hint mt-4 max-w-[60ch]">
          {`The test: 70% right, and fewer than three strikes. The case: ${CASE_RIGHT} of five. Aloud: ${ALOUD_POINTS} of six points, rated Good or Fluent by you. The drill: right minus wrong, against the reported pass mark. These thresholds are ours, not a firm's, and don't predict an offer. One round is only a snapshot.`}
        </p>
      </HubSection>
      <p className="mt-8 print:hidden">
        <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
          Print report
        </button>
      </p>
    </>
  )
}

function reviewedOf({ test: { result } }: Evening): Reviewed[] {
  return (result?.review ?? []).map(({ question, choice }, index) => ({
    question,
    number: index + 1,
    selected: choice ?? undefined,
    isCorrect: choice === question.correctOption,
    tookMs: null,
  }))
}

function Findings(props: { title: string; findings: readonly Finding[]; isWrong?: boolean }) {
  if (props.findings.length === 0) return null
  return (
    <HubSection title={props.title} note={props.findings.length}>
      <ul>
        {props.findings.map(({ what, figure, why }) => (
          <li key={what} className="finding">
            <p className="serif text-[20px]">{what}</p>
            {figure && (
              <p className={`serif text-[20px] ${props.isWrong ? 'text-wrong' : ''}`}>{figure}</p>
            )}
            <p className="hint col-start-1">{why.join(' ')}</p>
          </li>
        ))}
      </ul>
    </HubSection>
  )
}

/** Shows the test by category as counts, because percentages of four questions mean little. */
function Categories({ evening: { test } }: { evening: Evening }) {
  if (!test.result || test.result.categories.length === 0) return null
  return (
    <HubSection title="The test by category" note="right out of answered">
      <dl className="grid gap-x-8 sm:grid-cols-2 nav:grid-cols-3">
        {test.result.categories.map(({ category, right, answered }) => (
          <div
            key={category}
            className="flex items-baseline justify-between gap-x-4 border-line border-b py-3"
          >
            <dt>{SHORT_NAMES[category]}</dt>
            <dd className="whitespace-nowrap text-ink-2">
              {answered === 0 ? 'none answered' : `${right} of ${answered}`}
            </dd>
          </div>
        ))}
      </dl>
    </HubSection>
  )
}

function Slips({ slips }: { slips: Evening['slips'] }) {
  if (slips.length === 0) return null
  return (
    <HubSection title="Repeated mistakes" note={slips.length}>
      <ul>
        {slips.map(({ name, line, tonight, before }) => (
          <li key={name} className="finding">
            <p className="serif text-[20px]">{name}</p>
            <p className="text-ink-2">
              {tonight} this time{before > 0 && `, ${before} before`}
            </p>
            <p className="hint col-start-1">{line}</p>
          </li>
        ))}
      </ul>
    </HubSection>
  )
}

function WhatToDo({ evening, report }: { evening: Evening; report: Report }) {
  const today = useToday()
  const known = useQuery(todayQuery())
  const plan = known.data?.plan?.plan ?? null
  const weak = useQuery(weakTopicsQuery)
  if (known.isPending || weak.isPending) return <Skeleton className="mt-14 h-64" />
  const days = nextDaysOf(evening, report, {
    plan,
    today,
    weakTopics: weak.data ?? [],
    topicName: topicHeading,
  })
  const interviewOn = plan?.interviewOn && plan.interviewOn >= today ? plan.interviewOn : null
  return (
    <HubSection
      title="What to do"
      note={interviewOn ? `Interview on ${dayName(interviewOn)}` : 'No date set'}
    >
      <ol>
        {days.map(({ day, tasks }) => (
          <li
            key={day}
            className="grid gap-x-6 gap-y-1 border-line border-b py-3.5 sm:grid-cols-[240px_1fr]"
          >
            <span className="text-ink-2 sm:pt-2.5">{day === today ? 'Today' : dayName(day)}</span>
            <ul className="grid gap-1.5">
              {tasks.map(({ text, to }) => (
                <li key={text}>
                  <Link
                    to={to}
                    className="inline-flex min-h-11 items-center underline decoration-[var(--line-strong)] underline-offset-4 hover:decoration-[var(--ink)]"
                  >
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <p className="mt-5 print:hidden">
        <Link to={URLS.plan} className="btn btn-ghost">
          {interviewOn ? 'Your plan until then' : 'Set the date of your interview'}
          <ArrowRight size={18} aria-hidden />
        </Link>
      </p>
    </HubSection>
  )
}
