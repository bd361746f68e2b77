import {
  type Card,
  createEmptyCard,
  default_w,
  fsrs,
  Rating as Grade,
  generatorParameters,
} from 'ts-fsrs'
import { dayAfter } from '../../platform/local-day.ts'
import type { Rating } from '../aloud/spoken-prompt.ts'
import { LONGEST_DAYS, noon } from './schedule.ts'

/** Days until a first answer comes back, by rating (product 3.13.8). */
const FIRST_DAYS = [1, 3, 8, 21] as const
const RETENTION = 0.9

/** The first four FSRS-6 weights are ours (decision 035), because people remember spoken answers longer. */
const scheduler = fsrs(
  generatorParameters({
    w: [...FIRST_DAYS, ...default_w.slice(FIRST_DAYS.length)],
    request_retention: RETENTION,
    maximum_interval: LONGEST_DAYS,
    // Intervals are whole days, and the same answers always give the same day.
    enable_short_term: false,
    enable_fuzz: false,
  }),
)
const GRADES = { 1: Grade.Again, 2: Grade.Hard, 3: Grade.Good, 4: Grade.Easy } as const

export interface RatedDay {
  day: string
  rating: Rating
}

/** Returns the day when a prompt comes back; null if never answered. @param days ascending, without duplicates */
export function nextSpokenDay(days: readonly RatedDay[]): string | null {
  const last = days.at(-1)
  if (!last) return null
  const before = replay(days.slice(0, -1))
  return dayAfter(last.day, daysUntilNext(before, last.day, last.rating))
}

/** Returns the days until a prompt comes back, for each rating today. A day's last rating counts (product 3.13.8). */
export function nextSpokenDays(
  days: readonly RatedDay[],
  today: string,
): [number, number, number, number] {
  const card = replay(days.filter(({ day }) => day < today))
  const daysFor = (rating: Rating) => daysUntilNext(card, today, rating)
  return [daysFor(1), daysFor(2), daysFor(3), daysFor(4)]
}

function replay(days: readonly RatedDay[]): Card | null {
  let card: Card | null = null
  for (const { day, rating } of days) card = rate(card, day, rating)
  return card
}

const rate = (card: Card | null, day: string, rating: Rating) =>
  scheduler.next(card ?? createEmptyCard(noon(day)), noon(day), GRADES[rating]).card

function daysUntilNext(card: Card | null, day: string, rating: Rating): number {
  // Without short-term steps, FSRS can exceed its maximum by a day.
  return Math.min(rate(card, day, rating).scheduled_days, LONGEST_DAYS)
}
