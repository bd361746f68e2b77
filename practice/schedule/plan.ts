import type * as z from 'zod/mini'
import { dayAfter, daysBetween } from '../../platform/local-day.ts'
import type { planSchema } from '../contract/plan.ts'
import type { Role } from './plan-choices.ts'

export type Plan = z.infer<typeof planSchema>
export type PlanDates = Pick<Plan, 'interviewOn' | 'daysOff' | 'startedOn'>

export type Phase = 'last-evening' | 'last-week' | 'three-weeks' | 'early' | 'no-date' | 'past'

export function phaseOf(plan: Pick<Plan, 'interviewOn'>, today: string): Phase {
  if (plan.interviewOn === null) return 'no-date'
  const days = daysBetween(today, plan.interviewOn)
  if (days < 0) return 'past'
  if (days <= 1) return 'last-evening'
  if (days <= 6) return 'last-week'
  return days <= 20 ? 'three-weeks' : 'early'
}

/** Due questions get 70% within three weeks of an interview or without a date, otherwise all (product 3.16.4). */
export function dueShare(plan: Pick<Plan, 'interviewOn'>, today: string): 0.7 | 1 {
  return phaseOf(plan, today) === 'early' ? 1 : 0.7
}

export const QUESTIONS_A_MINUTE = 2

export interface DayPart {
  kind: 'due-and-new' | 'weakest' | 'formula-sheet' | 'aloud' | 'drill' | 'superday'
  count: number
  minutes: number
}

export const isOfQuestions = (kind: DayPart['kind']) => kind === 'due-and-new' || kind === 'weakest'

export function leftOfDay(
  parts: readonly DayPart[],
  questions: number,
  done: Partial<Record<DayPart['kind'], number>>,
): DayPart[] {
  return parts.map((part) => {
    const isQuestions = isOfQuestions(part.kind)
    const count = isQuestions ? questions : Math.max(0, part.count - (done[part.kind] ?? 0))
    const minutes = isQuestions
      ? Math.ceil(count / QUESTIONS_A_MINUTE)
      : (part.minutes / part.count) * count
    return { ...part, count, minutes }
  })
}

export interface SittingSize {
  due: number
  fresh: number
}

export const questionsOf = (sittings: readonly SittingSize[]): number =>
  sittings.reduce((sum, { due, fresh }) => sum + due + fresh, 0)

const DRILLING: readonly Role[] = ['sales-and-trading', 'quant']
const DAYS_AFTER_MOCK = 2

export interface PlanDay {
  day: string
  isOff: boolean
  isOffTaken: boolean
  parts: DayPart[]
}

export function daysOfPlan(plan: Plan, from: string, to: string): PlanDay[] {
  const mocks = mocksOf(plan)
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, ahead) => {
    const day = dayAfter(from, ahead)
    const isNeeded = mocks.includes(day) || isLastEvening(plan, day)
    const wasOff = plan.daysOff.includes(weekdayOf(day))
    const isOff = wasOff && !isNeeded
    const parts = isOff ? [] : partsOf(plan, day, mocks.includes(day))
    return { day, isOff, isOffTaken: wasOff && isNeeded && parts.length > 0, parts }
  })
}

export function dayOfPlan(plan: Plan, day: string): PlanDay {
  return daysOfPlan(plan, day, day)[0] as PlanDay
}

function partsOf(plan: Plan, day: string, hasMock: boolean): DayPart[] {
  const phase = phaseOf(plan, day)
  if (phase === 'past') return []
  const aloud = (count: number): DayPart => ({ kind: 'aloud', count, minutes: 4 * count })
  if (phase === 'last-evening') {
    return [
      { kind: 'weakest', count: 30, minutes: 15 },
      { kind: 'formula-sheet', count: 1, minutes: 5 },
      aloud(2),
    ]
  }
  const questions = plan.minutesADay * QUESTIONS_A_MINUTE
  const hasDrill =
    phase === 'three-weeks' && DRILLING.includes(plan.role) && dayNumber(day) % 2 === 0
  return [
    { kind: 'due-and-new', count: questions, minutes: plan.minutesADay },
    ...(phase === 'last-week' ? [aloud(1)] : []),
    ...(hasDrill ? [{ kind: 'drill', count: 1, minutes: 8 } as const] : []),
    ...(hasMock || isMockWithoutDate(plan, day)
      ? [{ kind: 'superday', count: 1, minutes: 60 } as const]
      : []),
  ]
}

const MOCKS_WITHIN_DAYS = 366

/** Returns the mock superdays before an interview, at least one even if all days are off (product 3.16.2). */
function mocksOf({ interviewOn, daysOff, startedOn }: PlanDates): string[] {
  if (interviewOn === null) return []
  const left = Math.min(daysBetween(startedOn, interviewOn), MOCKS_WITHIN_DAYS)
  const days = Array.from({ length: Math.max(0, left - DAYS_AFTER_MOCK + 1) }, (_, ahead) =>
    dayAfter(interviewOn, ahead - left),
  )
  const open = days.filter((day) => !daysOff.includes(weekdayOf(day)))
  const last = open.at(-1) ?? days.at(-1)
  const mocks = last ? [last] : []
  for (let weeks = 2; left >= 7 * (weeks - 1); weeks += 2) {
    const earliest = dayAfter(interviewOn, -(DAYS_AFTER_MOCK + 7 * weeks))
    const next = [...open.slice(1), ...open.slice(0, 1)].find(
      (day) => day >= earliest && !mocks.includes(day),
    )
    if (next) mocks.push(next)
  }
  return mocks
}

/** Without a date, a mock is due every second Saturday, or on the last day before it that isn't off. */
function isMockWithoutDate({ interviewOn, daysOff }: PlanDates, day: string): boolean {
  if (interviewOn !== null || Math.floor(dayNumber(day) / 7) % 2 !== 0) return false
  return weekdayOf(day) === [6, 5, 4, 3, 2, 1, 7].find((weekday) => !daysOff.includes(weekday))
}

function isLastEvening(plan: PlanDates, day: string): boolean {
  return phaseOf(plan, day) === 'last-evening'
}

export function isDayOff(plan: PlanDates, day: string): boolean {
  if (!plan.daysOff.includes(weekdayOf(day))) return false
  return !isLastEvening(plan, day) && !mocksOf(plan).includes(day)
}

/** 1 is Monday and 7 is Sunday. */
function weekdayOf(day: string): number {
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
}

function dayNumber(day: string): number {
  return daysBetween('1970-01-01', day)
}

/** Each row has days, questions seen and questions known by a simulated student at 20 a day (docs/performance.md). */
const REACHED = {
  0.7: [
    [0, 0, 0],
    [14, 119, 109],
    [30, 214, 195],
    [60, 395, 349],
  ],
  1: [
    [0, 0, 0],
    [14, 110, 101],
    [30, 174, 165],
    [60, 292, 275],
  ],
} as const

/** Estimates questions seen and known by the interview to the nearest five (product 3.16.5); null if no day is left. */
export function capacityOf(
  plan: Plan,
  today: string,
  bankSize: number,
): { seen: number; known: number } | null {
  if (plan.interviewOn === null) return null
  const days = practiceDaysUntil(plan, today)
  if (days <= 0) return null
  const questionsADay = plan.minutesADay * QUESTIONS_A_MINUTE
  const table = REACHED[dueShare(plan, today)]
  const reached = (column: 1 | 2) =>
    Math.min(5 * Math.round((interpolate(table, days, column) * questionsADay) / 100), bankSize)
  return { seen: reached(1), known: reached(2) }
}

/** Counts the practice days from today to the day before the interview. */
function practiceDaysUntil(plan: Plan, today: string): number {
  const left = daysBetween(today, plan.interviewOn ?? today)
  let days = 0
  for (let ahead = 0; ahead < left; ahead += 1) {
    if (!isDayOff(plan, dayAfter(today, ahead))) days += 1
  }
  return days
}

/** Interpolates between the known points. Beyond the last one, it extends the last line. */
function interpolate(
  table: readonly (readonly [days: number, seen: number, known: number])[],
  days: number,
  column: 1 | 2,
): number {
  const after = table.findIndex(([at]) => at >= days)
  const index = after === -1 ? table.length - 1 : Math.max(1, after)
  const from = table[index - 1] as (typeof table)[number]
  const to = table[index] as (typeof table)[number]
  return from[column] + ((to[column] - from[column]) * (days - from[0])) / (to[0] - from[0])
}

/** Reminders stop after this many without practice (product 3.16.9). */
const UNANSWERED_LIMIT = 3

/** Decides whether to send a reminder, the final notice, or nothing, at most once a day (product 3.16.8, 3.16.9). */
export function reminderOf(
  plan: PlanDates,
  today: string,
  { practicedOn, sentOn }: { practicedOn: string | null; sentOn: readonly string[] },
): 'none' | 'remind' | 'stop' {
  if (phaseOf(plan, today) === 'past' || isDayOff(plan, today)) return 'none'
  if (practicedOn === today || sentOn.includes(today)) return 'none'
  const unanswered = sentOn.filter((day) => practicedOn === null || day > practicedOn)
  return unanswered.length >= UNANSWERED_LIMIT ? 'stop' : 'remind'
}
