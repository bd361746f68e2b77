import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { dayName } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { deletePlan } from '../../contract/plan.ts'
import {
  capacityOf,
  dayAfter,
  isDayOff,
  leftOfDay,
  type Plan,
  partsOfDay,
  phaseOf,
} from '../../schedule/plan.ts'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import { calendarOf } from './ics.ts'
import { PlanForm } from './plan-form.tsx'
import { planQuery, remindersQuery } from './queries.ts'
import { RemindersSection } from './reminders-section.tsx'
import { PHASE_SENTENCES, wordsOf } from './words.ts'

/** /plan: what to do each day until the interview, made anew every morning (product 3.16). */
export function PlanPage() {
  useTitle('Your plan', 'What to practice each day until your interview.')
  const today = useToday()
  const top = useRef<HTMLHeadingElement>(null)
  const { data: plan, isPending, isError, error } = useQuery(planQuery)
  return (
    <main className="wrap wrap-narrow pt-6 pb-20">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 ref={top} tabIndex={-1} className="mt-3 outline-none">
        Your plan
      </h1>
      <p className="running mt-3 max-w-[40em] text-ink-2">
        A date, some minutes a day, and what the interview is for. The days are planned anew each
        morning from what you still get wrong. After a missed day the others stay as long as they
        were; you meet fewer new questions.
      </p>
      {isPending && <Skeleton className="mt-8 h-[420px]" />}
      {isError && (
        <p role="alert" className="mt-8">
          {error.message}
        </p>
      )}
      {plan !== undefined && (
        <>
          {plan && <Days plan={plan} today={today} />}
          <HubSection title={plan ? 'Change it' : 'Make one'}>
            <PlanForm
              key={plan ? 'known' : 'new'}
              plan={plan}
              today={today}
              onSaved={() => top.current?.focus()}
            />
          </HubSection>
          {plan && <RemindersSection />}
          {plan && <DropPlan />}
        </>
      )}
    </main>
  )
}

/** What today and the six days after it hold. */
function Days({ plan, today }: { plan: Plan; today: string }) {
  const { data: counts = [] } = useQuery(questionCountsQuery)
  const answered = useQuery(todayQuery()).data?.answered ?? 0
  const bankSize = counts.reduce((sum, { count }) => sum + count, 0)
  const capacity = bankSize === 0 ? null : capacityOf(plan, today, bankSize)
  const phase = phaseOf(plan, today)
  const days = Array.from({ length: 7 }, (_, ahead) => dayAfter(today, ahead)).filter(
    (day) => plan.interviewOn === null || day <= plan.interviewOn,
  )
  return (
    <HubSection
      title="The next days"
      note={plan.interviewOn ? `Interview on ${dayName(plan.interviewOn)}` : 'No date yet'}
    >
      <p className="mt-4">{PHASE_SENTENCES[phase]}</p>
      {capacity && plan.interviewOn && (
        <p className="mt-2 text-ink-2">
          {`At ${capacity.questionsADay} questions a day, old ones asked again, you meet about ${capacity.seen} different ones by ${dayName(plan.interviewOn)} and know about ${capacity.known} of them. `}
          {capacity.seen < bankSize && (
            <Link to={URLS.build} className="quiet-link">
              Choose your topics
            </Link>
          )}
        </p>
      )}
      {phase !== 'past' && (
        <ol className="mt-5 border-line border-t">
          {days.map((day) => (
            <li
              key={day}
              className="grid gap-x-6 gap-y-1 border-line border-b py-3.5 sm:grid-cols-[210px_1fr]"
            >
              <span className={day === today ? 'font-medium' : 'text-ink-2'}>
                {day === today ? 'Today' : dayName(day)}
              </span>
              <DayParts plan={plan} day={day} isToday={day === today} answered={answered} />
            </li>
          ))}
        </ol>
      )}
      <p className="mt-5">
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() =>
            saveAsFile('superday-plan.ics', calendarOf(plan, today, new Date()), 'text/calendar')
          }
        >
          Put it in my calendar
        </button>
        <span className="hint mt-2 block">A file (.ics) that every calendar opens.</span>
      </p>
    </HubSection>
  )
}

function DayParts(props: {
  plan: Plan
  day: string
  isToday: boolean
  /** questions answered today */
  answered: number
}) {
  const { plan, day, isToday, answered } = props
  if (day === plan.interviewOn) return <span>The interview. Good luck.</span>
  if (isDayOff(plan, day)) return <span className="text-ink-2">Off</span>
  const parts = partsOfDay(plan, day)
  return (
    <ul className="grid gap-1.5">
      {(isToday ? leftOfDay(parts, answered) : parts).map((part) => {
        const { text, to } = wordsOf(part)
        return (
          <li key={part.kind}>
            {isToday && to !== null ? (
              <Link
                to={to}
                className="inline-flex min-h-11 items-center underline decoration-[var(--line-strong)] underline-offset-4 hover:decoration-[var(--ink)] sm:min-h-0"
              >
                {text}
              </Link>
            ) : (
              text
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Dropping is asked for once: a plan is made again in a minute. */
function DropPlan() {
  const drop = useMutation({
    mutationFn: () => call(deletePlan, {}),
    onSuccess: () => {
      queryClient.setQueryData(planQuery.queryKey, null)
      queryClient.removeQueries({ queryKey: remindersQuery.queryKey })
    },
  })
  return (
    <p className="mt-10">
      <button
        type="button"
        aria-disabled={drop.isPending}
        onClick={() => !drop.isPending && drop.mutate()}
        className="btn btn-quiet -ml-2.5"
      >
        Drop the plan
      </button>
      <span className="hint block">
        What you practiced stays. The plan goes, and its reminders.
      </span>
      <span role="alert">{drop.isError && drop.error.message}</span>
    </p>
  )
}
