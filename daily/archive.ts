import { daysBetween } from '../platform/local-day.ts'

/** How many days before today can be played, too (product 5.15). */
export const ARCHIVE_DAYS = 7

/**
 * Whether a brainteaser can be played: today's, or one of the archive (product 5.15).
 * @param date and today: local days, yyyy-mm-dd
 */
export function isPlayable(date: string, today: string): boolean {
  const age = daysBetween(date, today)
  return age >= 0 && age <= ARCHIVE_DAYS
}
