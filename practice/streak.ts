import { daysBetween, localDay } from '../platform/local-day.ts'

/** A day on which a person finished something, in the time zone they were in. */
export interface PracticeDay {
  /** the local day, yyyy-mm-dd */
  day: string
  /** the latest completion of that day, milliseconds since 1970 */
  completedAtMs: number
  /** IANA time zone in which `day` was reckoned */
  timeZone: string
}

export interface Streak {
  currentStreak: number
  streakHighscore: number
  /** yyyy-mm-dd, null before the first completion */
  lastCompletedDate: string | null
}

/**
 * Whether `next` follows `previous` without a missed day.
 *
 * product 4.4 compares dates: 19:00 today and 21:00 tomorrow are in a row. A flight
 * east over the date line skips a date that the traveller never had, so the earlier completion is also
 * read in the later one's time zone:
 *
 *     Honolulu  Thu 19 Nov 20:00 ──── flight ────▶ Auckland  Sat 21 Nov 09:00
 *     the same instant in Auckland: Fri 20 Nov 19:00, the day before.
 */
function follows(previous: PracticeDay, next: { day: string; timeZone: string }): boolean {
  if (daysBetween(previous.day, next.day) <= 1) return true
  return daysBetween(localDay(previous.completedAtMs, next.timeZone), next.day) <= 1
}

/**
 * The streak of a person (product 4.2, 4.3, 4.4, 4.5, 4.6, 4.8), derived from the days they practised.
 * A streak that is already broken reads 0 until the next completion; the highscore stays.
 * @param days in ascending order of `day`, each day once
 * @param today the reader's local day and time zone
 */
export function deriveStreak(
  days: readonly PracticeDay[],
  today: { day: string; timeZone: string },
): Streak {
  let run = 0
  let highscore = 0
  let previous: PracticeDay | undefined
  for (const day of days) {
    run = previous && follows(previous, day) ? run + 1 : 1
    highscore = Math.max(highscore, run)
    previous = day
  }
  if (!previous) return { currentStreak: 0, streakHighscore: 0, lastCompletedDate: null }
  return {
    currentStreak: follows(previous, today) ? run : 0,
    streakHighscore: highscore,
    lastCompletedDate: previous.day,
  }
}

/** The sentence under the streak's number (product 4.11). */
export function streakMessage(days: number): string {
  if (days <= 0) return 'Start your streak today!'
  if (days === 1) return 'Great start! Come back tomorrow.'
  if (days === 2) return '2 days strong. Keep going!'
  if (days === 3) return "3 days in a row. You're building a habit!"
  if (days <= 6) return 'On fire! Keep it going.'
  if (days <= 13) return `${days} days strong. Don't stop now!`
  if (days <= 29) return `Amazing ${days}-day streak! You're unstoppable!`
  return `Legendary ${days}-day streak!`
}
