import type * as z from 'zod/mini'
import { daysBetween, localDay } from '../platform/local-day.ts'
import type { streakSchema } from './contract.ts'

export interface PracticeDay {
  day: string
  completedAtMs: number
  /** the IANA time zone in which `day` was first calculated */
  timeZone: string
}

export type Streak = z.infer<typeof streakSchema>

interface Run {
  days: number
  lastDay: string
  /** The earliest and latest completion. After a flight west, they may not be on the first and last day. */
  firstMs: number
  lastMs: number
}

/**
 * Whether `next` follows a run without a missed day. Only dates count (product 4.4), so 19:00 today and 21:00 tomorrow
 * are in a row. A flight over the date line skips a date, so the latest completion is also read in the new zone:
 *     Honolulu  Thu 19 Nov 20:00 ──── flight ────▶ Auckland  Sat 21 Nov 09:00
 *     the same instant in Auckland: Fri 20 Nov 19:00, the day before.
 */
function follows(run: Run, next: { day: string; timeZone: string }): boolean {
  if (daysBetween(run.lastDay, next.day) <= 1) return true
  return daysBetween(localDay(run.lastMs, next.timeZone), next.day) <= 1
}

const DAY_MS = 24 * 3600 * 1000
/** A day has only 23 hours when clocks go forward. */
const CLOCK_CHANGE_MS = 3600 * 1000

/**
 * Limits a run to the days between its first and last completion, plus one at either end (product 4.14). Otherwise a
 * person could claim other time zones and earn three days in one sitting.
 *     Mon 23:50 ─ 20 min ─ Tue 00:10                     2 days: 0 × 24 h between, and 2
 *     Pago Pago Sun 23:30 = Lisbon Mon = Kiritimati Tue  3 dates at one instant, 2 days
 */
function daysWithin(elapsedMs: number): number {
  return Math.floor((elapsedMs + CLOCK_CHANGE_MS) / DAY_MS) + 2
}

/** Derives the streak from ascending days (product 4.2 to 4.6, 4.8, 4.14). It is 0 once broken; the highscore stays. */
export function deriveStreak(
  days: readonly PracticeDay[],
  today: { day: string; timeZone: string },
): Streak {
  let run: Run | undefined
  let streak = 0
  let highscore = 0
  for (const day of days) {
    run = run && follows(run, day) ? prolonged(run, day) : newRun(day)
    // A day that comes too early doesn't break the streak. It counts once enough time has passed.
    streak = Math.min(run.days, daysWithin(run.lastMs - run.firstMs))
    highscore = Math.max(highscore, streak)
  }
  if (!run) return { currentStreak: 0, streakHighscore: 0, lastCompletedDate: null }
  return {
    currentStreak: follows(run, today) ? streak : 0,
    streakHighscore: highscore,
    lastCompletedDate: run.lastDay,
  }
}

function newRun({ day, completedAtMs }: PracticeDay): Run {
  return { days: 1, lastDay: day, firstMs: completedAtMs, lastMs: completedAtMs }
}

function prolonged(run: Run, { day, completedAtMs }: PracticeDay): Run {
  return {
    days: run.days + 1,
    lastDay: day,
    firstMs: Math.min(run.firstMs, completedAtMs),
    lastMs: Math.max(run.lastMs, completedAtMs),
  }
}

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

export function streakToday(days: number, isPracticedToday: boolean): string {
  if (isPracticedToday) return 'Safe for today'
  return days > 0 ? `Practice today to make it ${days + 1}` : ''
}
