import { offsetMs } from './own-zone.ts'

/**
 * The moment at which a day ends on the clocks of a zone: a role lasts until the end of its last day.
 * @param day yyyy-mm-dd
 */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const wallMs = Date.UTC(year, month - 1, date + 1)
  // Twice, since the first guess may lie beyond a change of the clocks.
  let atMs = wallMs - offsetMs(wallMs, timeZone)
  atMs = wallMs - offsetMs(atMs, timeZone)
  return new Date(atMs)
}

/** The last day of a role that ends at a moment, as yyyy-mm-dd. */
export function lastDay(until: string, timeZone: string): string {
  const at = Date.parse(until) - 1
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)
}
