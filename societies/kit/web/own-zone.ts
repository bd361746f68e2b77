import { countOf } from '../../../platform/words.ts'
import { zoneDay, zoneName, zoneTime } from '../zone-time.ts'

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns how far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  // The Swedish locale formats as 2026-11-25 09:00:00.
  const wall = new Date(atMs).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
  return Date.parse(`${wall}Z`) - Math.floor(atMs / 1000) * 1000
}

/** Returns the instant of a local time. It guesses twice, because a clock change may lie in between. */
function atWall(wallMs: number, timeZone: string): number {
  const guess = wallMs - offsetMs(wallMs, timeZone)
  return wallMs - offsetMs(guess, timeZone)
}

/**
 * Returns the instant of a local time in a zone, to show next to a form's field. The server rejects times that a clock
 * change skips or repeats. Null if the time is incomplete or the zone is invalid.
 * @param local 2026-11-25T09:00, or with a space
 */
export function momentOf(local: string | null, timeZone: string): number | null {
  // V8 parses almost any text as a date. It reads ':00Z', which an empty field gives, as 1 January 2000.
  if (!/^[1-9]\d{3}-\d\d-\d\d[ T]\d\d:\d\d$/.test(local ?? '')) return null
  const wall = Date.parse(`${(local ?? '').replace(' ', 'T')}:00Z`)
  if (Number.isNaN(wall)) return null
  try {
    return atWall(wall, timeZone)
  } catch {
    return null
  }
}

/** Returns 'Your time zone is Berlin, 1 hour ahead', or null if the clocks agree. */
export function ownZoneWords(atMs: number, timeZone: string): string | null {
  const own = ownZone()
  const minutes = Math.round((offsetMs(atMs, own) - offsetMs(atMs, timeZone)) / 60_000)
  if (minutes === 0) return null
  const ahead = Math.abs(minutes)
  const hours =
    ahead % 60 === 0 ? countOf(ahead / 60, 'hour') : `${Math.floor(ahead / 60)} h ${ahead % 60} min`
  return `Your time zone is ${zoneName(own)}, ${hours} ${minutes > 0 ? 'ahead' : 'behind'}`
}

/** Returns '10:00 to 10:30 in Berlin', with the day if it differs there, or null if the clocks agree. */
export function inOwnZone(
  fromMs: number | null,
  toMs: number | null,
  timeZone: string,
  nowMs: number,
): string | null {
  const own = ownZone()
  const first = fromMs ?? toMs
  if (first === null || offsetMs(first, timeZone) === offsetMs(first, own)) return null
  const isOtherDay = zoneDay(first, timeZone, nowMs) !== zoneDay(first, own, nowMs)
  const day = isOtherDay ? `${zoneDay(first, own, nowMs)}, ` : ''
  const times = [fromMs, toMs].filter((one) => one !== null).map((one) => zoneTime(one, own))
  return `${day}${times.join(' to ')} in ${zoneName(own)}`
}

/** Returns the instant at which a day ends in a zone. @param day yyyy-mm-dd */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(atWall(Date.UTC(year, month - 1, date + 1), timeZone))
}

/** Returns the last day of a period that ends at a moment, as yyyy-mm-dd. */
export function lastDay(until: string, timeZone: string): string {
  const at = Date.parse(until) - 1
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)
}
