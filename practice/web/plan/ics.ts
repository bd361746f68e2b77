import { dayAfter } from '../../../platform/local-day.ts'
import { daysOfPlan, type Plan } from '../../schedule/plan.ts'
import { wordsOf } from './words.ts'

/** How many days ahead a calendar is filled. Later days will be planned again anyway. */
const DAYS_AT_MOST = 60

/** The plan as a calendar file (RFC 5545): an entry a day of practice and the interview, with ids that stay the same. */
export function calendarOf(plan: Plan, today: string, madeAt: Date): string {
  const events: string[] = []
  for (const { day, parts } of daysOfPlan(plan, today, dayAfter(today, DAYS_AT_MOST - 1))) {
    if (parts.length === 0 || (plan.interviewOn !== null && day >= plan.interviewOn)) continue
    const minutes = parts.reduce((sum, part) => sum + part.minutes, 0)
    const details = parts.map((part) => `${wordsOf(part).text} (${part.minutes} min)`).join('\n')
    events.push(...eventOf(day, `Interview practice, ${minutes} min`, details, madeAt))
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

/** A line has 75 octets at most; what follows stands on the next one after a space. */
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
