import { countOf } from '../../../platform/words.ts'
import { zoneDay, zoneName, zoneTime } from '../zone-time.ts'

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** How far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetMs(atMs: number, timeZone: string): number {
  // Swedes write 2026-11-25 09:00:00.
  const wall = new Date(atMs).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')
  return Date.parse(`${wall}Z`) - Math.floor(atMs / 1000) * 1000
}

/** The moment at which clocks show a wall time: guessed twice, since the first may lie beyond a change of the clocks. */
function atWall(wallMs: number, timeZone: string): number {
  const guess = wallMs - offsetMs(wallMs, timeZone)
  return wallMs - offsetMs(guess, timeZone)
}

/**
 * The moment at which the clocks of a zone show a local time, as a form shows it beside the field; what a change
 * of the clocks skips or repeats is the server's to refuse. Null for no whole time and no zone.
 * @param local 2026-11-25T09:00, or with a blank
 */
export function momentOf(local: string | null, timeZone: string): number | null {
  // V8 reads a date into nearly anything: of ':00Z', which an empty field gives, 1 January 2000.
  if (!/^[1-9]\d{3}-\d\d-\d\d[ T]\d\d:\d\d$/.test(local ?? '')) return null
  const wall = Date.parse(`${(local ?? '').replace(' ', 'T')}:00Z`)
  if (Number.isNaN(wall)) return null
  try {
    return atWall(wall, timeZone)
  } catch {
    return null
  }
}

/** 'Your time zone is Berlin, 1 hour ahead'; null where the clocks agree */
export function ownZoneWords(atMs: number, timeZone: string): string | null {
  const own = ownZone()
  const minutes = Math.round((offsetMs(atMs, own) - offsetMs(atMs, timeZone)) / 60_000)
  if (minutes === 0) return null
  const ahead = Math.abs(minutes)
  const hours =
    ahead % 60 === 0 ? countOf(ahead / 60, 'hour') : `${Math.floor(ahead / 60)} h ${ahead % 60} min`
  return `Your time zone is ${zoneName(own)}, ${hours} ${minutes > 0 ? 'ahead' : 'behind'}`
}

/** '10:00 to 10:30 in Berlin', with the day where it is another one there; null where the clocks agree */
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

/** The moment at which a day ends on the clocks of a zone. @param day yyyy-mm-dd */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(atWall(Date.UTC(year, month - 1, date + 1), timeZone))
}

/** The last day of what ends at a moment, as yyyy-mm-dd. */
export function lastDay(until: string, timeZone: string): string {
  const at = Date.parse(until) - 1
  return new Date(at + offsetMs(at, timeZone)).toISOString().slice(0, 10)
}
