import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { dayAfter, daysBetween } from '../../../platform/local-day.ts'
import { dayName, monthName, weekOf } from '../../../platform/web/dates.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { listOf } from '../../../platform/words.ts'
import { daysOfPlan, type Plan, type PlanDay, questionsOf } from '../../schedule/plan.ts'
import type { TodaysPlan } from '../dashboard/lead-content.ts'
import { Section } from '../kit.tsx'
import { streakQuery } from '../queries.ts'
import { WEEKDAYS, wordsOf } from './todays-parts.tsx'

const AHEAD = 13

export function PlanCalendar({ todays, today }: { todays: TodaysPlan; today: string }) {
  const { plan } = todays
  const { data: streak } = useQuery(streakQuery())
  const practiced = new Set(streak?.recentDays)
  const end = plan.interviewOn ?? dayAfter(today, AHEAD)
  const monday = weekOf(today)[0]?.day ?? today
  const weeks = Math.ceil((daysBetween(monday, end) + 1) / 7)
  const days = daysOfPlan(plan, monday, dayAfter(monday, 7 * weeks - 1))
  const taken = days.filter(
    ({ day, isOffTaken }) => isOffTaken && day >= today && day !== plan.interviewOn,
  )
  const of = daysBetween(plan.startedOn, plan.interviewOn ?? today)
  const done = [...practiced].filter((day) => day >= plan.startedOn && day <= today).length
  return (
    <Section
      id="plan-days"
      title={plan.interviewOn ? 'Until the interview' : 'The next days'}
      hint={`${done} ${plan.interviewOn ? `of ${of} days` : done === 1 ? 'day' : 'days'} practiced`}
      className="mt-12"
    >
      <table className="plan-days">
        <caption className="sr-only">Each day of the plan</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: weeks }, (_, week) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: weeks never move
            <tr key={week}>
              {days.slice(7 * week, 7 * week + 7).map((day) => (
                <Cell
                  key={day.day}
                  day={day}
                  of={todays}
                  today={today}
                  end={end}
                  isPracticed={practiced.has(day.day)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {taken.length > 0 && (
        <p className="mt-3 text-[15px]">
          {`${listOf(taken.map(({ day }) => dayName(day)))}: usually off, but your plan needs it.`}
        </p>
      )}
      <p className="mt-4">
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() =>
            saveAsFile('superday-plan.ics', calendarOf(plan, today, new Date()), 'text/calendar')
          }
        >
          Add to calendar
        </button>
      </p>
    </Section>
  )
}

const holds = ({ parts }: PlanDay, kind: string) => parts.some((part) => part.kind === kind)
const minutesOf = (parts: PlanDay['parts']) => parts.reduce((sum, { minutes }) => sum + minutes, 0)

function Cell(props: {
  day: PlanDay
  of: TodaysPlan
  today: string
  end: string
  isPracticed: boolean
}) {
  const { day, of, today, end } = props
  const date = Number(day.day.slice(-2))
  const name = date === 1 ? `${monthName(day.day)} 1` : String(date)
  if (day.day < of.plan.startedOn || day.day > end) return <td className="is-out">{name}</td>
  const [look, text, short, about] = wordsOfDay(props)
  return (
    <td className={look} {...(day.day === today && { 'aria-current': 'date' as const })}>
      <span className="flex items-center justify-between font-semibold text-[14px]">
        <span className="sr-only">{dayName(day.day)}</span>
        <span aria-hidden>{name}</span>
        {props.isPracticed && <Check size={14} aria-hidden />}
        {props.isPracticed && <span className="sr-only">practiced</span>}
      </span>
      <span className="block font-[550] max-nav:hidden">{text}</span>
      <span aria-hidden className="block nav:hidden">
        {short}
      </span>
      <span className="block text-ink-2 max-nav:hidden">{about}</span>
    </td>
  )
}

/** Returns a day's style, its text, the text for phones, and its length. */
function wordsOfDay(props: {
  day: PlanDay
  of: TodaysPlan
  today: string
}): [look: string, text: string, short: string, about: string] {
  const { day, today } = props
  const { plan, of, tens } = props.of
  const look = day.day === today ? 'is-today' : ''
  const minutes = `${minutesOf(day.parts)} min`
  if (day.day === plan.interviewOn) return ['is-interview', 'Interview', '', '']
  if (day.isOff) return [`is-off ${look}`, 'Day off', 'Off', '']
  if (day.day < today) return ['is-past', '', '', '']
  if (holds(day, 'superday')) return [`is-mock ${look}`, 'Mock superday', 'Mock', minutes]
  if (holds(day, 'weakest')) return [look, 'Last evening', minutes, minutes]
  if (day.day === today) return [look, `${of - questionsOf(tens)} of ${of}`, minutes, minutes]
  const questions = `${plan.minutesADay * 2}`
  const more = holds(day, 'aloud') ? ' and aloud' : holds(day, 'drill') ? ' and a drill' : ''
  return [look, more ? questions + more : `${questions} questions`, minutes, minutes]
}

/** A calendar file has at most this many days. Later days will change anyway. */
const DAYS_AT_MOST = 60

/** Writes the plan as a calendar file (RFC 5545), with an entry per practice day and the interview, and stable ids. */
export function calendarOf(plan: Plan, today: string, madeAt: Date): string {
  const events: string[] = []
  for (const { day, parts } of daysOfPlan(plan, today, dayAfter(today, DAYS_AT_MOST - 1))) {
    if (parts.length === 0 || (plan.interviewOn !== null && day >= plan.interviewOn)) continue
    const details = parts.map((part) => `${wordsOf(part).text} (${part.minutes} min)`).join('\n')
    events.push(...eventOf(day, `Interview practice, ${minutesOf(parts)} min`, details, madeAt))
  }
  if (plan.interviewOn !== null && plan.interviewOn >= today) {
    events.push(...eventOf(plan.interviewOn, 'Interview', '', madeAt))
  }
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Superday//Plan//EN',
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.flatMap(fold).join('\r\n')}\r\n`
}

function eventOf(day: string, title: string, details: string, madeAt: Date): string[] {
  const compact = (date: string) => date.replaceAll('-', '')
  return [
    'BEGIN:VEVENT',
    `UID:${title === 'Interview' ? 'interview' : 'practice'}-${day}@superday`,
    `DTSTAMP:${madeAt.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${compact(day)}`,
    `DTEND;VALUE=DATE:${compact(dayAfter(day, 1))}`,
    `SUMMARY:${escaped(title)}`,
    ...(details === '' ? [] : [`DESCRIPTION:${escaped(details)}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll('\n', '\\n')
}

/** Lines have at most 75 octets. The rest goes on the next line after a space. */
function fold(line: string): string[] {
  const encoder = new TextEncoder()
  const lines = ['']
  let octets = 0
  for (const sign of line) {
    const length = encoder.encode(sign).length
    if (octets + length > 75) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += sign
    octets += length
  }
  return lines
}
