import {
  type Card,
  createEmptyCard,
  default_w,
  fsrs,
  Rating as Grade,
  generatorParameters,
} from 'ts-fsrs'
import { dayAfter } from '../../platform/local-day.ts'
import { RATINGS, type Rating } from '../aloud/spoken-prompt.ts'

/** In how many days a first answer comes back, by its rating (product 3.13.8). */
const FIRST_DAYS = [1, 3, 8, 21] as const
const LONGEST_DAYS = 180
const RETENTION = 0.9

/** FSRS-6 (decision 035) with its first four weights ours: a spoken answer lasts longer than a chosen option. */
const scheduler = fsrs(
  generatorParameters({
    w: [...FIRST_DAYS, ...default_w.slice(FIRST_DAYS.length)],
    request_retention: RETENTION,
    maximum_interval: LONGEST_DAYS,
    // A day is the smallest step, and the same answers give the same day everywhere.
    enable_short_term: false,
    enable_fuzz: false,
  }),
)
const GRADES = { 1: Grade.Again, 2: Grade.Hard, 3: Grade.Good, 4: Grade.Easy } as const

export interface RatedDay {
  day: string
  rating: Rating
}

/** The day on which a prompt comes back; null for one never answered. @param days ascending, each once */
export function nextSpokenDay(days: readonly RatedDay[]): string | null {
  const last = days.at(-1)
  if (!last) return null
  const before = replay(days.slice(0, -1))
  return dayAfter(last.day, daysUntilNext(before, last.day, last.rating))
}

/** In how many days a prompt comes back, for each rating today; a day's last rating counts (product 3.13.8). */
export function nextSpokenDays(
  days: readonly RatedDay[],
  today: string,
): [number, number, number, number] {
  const card = replay(days.filter(({ day }) => day < today))
  const [notYet, shaky, good, fluent] = RATINGS.map((rating) => daysUntilNext(card, today, rating))
  return [notYet, shaky, good, fluent] as [number, number, number, number]
}

function replay(days: readonly RatedDay[]): Card | null {
  let card: Card | null = null
  for (const { day, rating } of days) card = rate(card, day, rating)
  return card
}

const rate = (card: Card | null, day: string, rating: Rating) =>
  scheduler.next(card ?? createEmptyCard(noonOf(day)), noonOf(day), GRADES[rating]).card

function daysUntilNext(card: Card | null, day: string, rating: Rating): number {
  // Without short terms FSRS may go a day past its maximum.
  return Math.min(rate(card, day, rating).scheduled_days, LONGEST_DAYS)
}

/** FSRS calculates with instants. It gets a local day's noon, so that a late evening is still the same day. */
const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)
