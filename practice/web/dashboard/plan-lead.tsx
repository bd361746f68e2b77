import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { dayName, daysBefore } from '../../../platform/web/dates.ts'
import { useToday } from '../../../platform/web/use-today.ts'
import { countOf } from '../../../platform/words.ts'
import { dayOfPlan, isOfQuestions, type Plan, phaseOf, questionsOf } from '../../schedule/plan.ts'
import { nextInWords, PartRows, type Stand, StartNext, standOf } from '../plan/todays-parts.tsx'
import { countdownOf, mixOf, PHASE_SENTENCES } from '../plan/words.ts'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import { Tens } from '../sitting/ticks.tsx'
import type { LeadContent, TodaysPlan } from './lead-content.ts'
import { AlsoOpen, Frame } from './lead-frame.tsx'

export function PlanLead({
  content,
}: {
  content: Extract<LeadContent, { kind: 'plan' | 'after' }>
}) {
  return content.kind === 'plan' ? (
    <TodaysShare todays={content.todays} others={content.others} />
  ) : (
    <AfterInterview plan={content.plan} />
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
  if (next && isLastEvening) return PHASE_SENTENCES['last-evening']
  const done = `${answered} of ${of} done`
  if (next) {
    const minutes = countOf(next.minutes, 'minute')
    return `${done} · ${minutes}${isOfQuestions(next.kind) ? `: ${mixOf(tens)}` : ''}`
  }
  if (isLastEvening) return `${done}. Sleep well, and good luck.`
  const { isOff } = dayOfPlan(plan, daysBefore(day, -1))
  return `${done}. ${isOff ? 'Tomorrow is your day off.' : 'More comes tomorrow.'}`
}

/** After the interview: a new date, or the end of the plan (product 3.16.12). */
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
