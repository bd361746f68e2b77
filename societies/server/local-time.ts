import { isTimeZone } from '../../platform/local-day.ts'
import { AdminError } from '../../platform/server/admin-error.ts'

const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Year to second of an instant, as the clocks of a zone show it, reckoned as if it were UTC. */
function wallClockMs(atMs: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
}

/**
 * A zone by its name, such as Europe/Lisbon. Abbreviations such as EST are refused: some of them know no
 * daylight saving time, and nobody would notice before the day.
 */
export function isNamedZone(text: string): boolean {
  return (text === 'UTC' || text.includes('/')) && isTimeZone(text)
}

/** Errors: AdminError. */
export function requireNamedZone(text: string): string {
  if (isNamedZone(text)) return text
  throw new AdminError(`'${text}' is no named time zone such as Europe/Lisbon or America/New_York.`)
}

/**
 * The instant at which the clocks of a zone show a date and time.
 * @param text 2026-03-02 09:00, seconds if need be
 * Errors: AdminError for another form, and for the hour that a change of the clocks skips or repeats.
 */
export function parseLocalTime(text: string, timeZone: string): Date {
  const match = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/.exec(text.trim())
  const [year, month, day, hour, minute, second] = (match ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0))
  const wallMs = match
    ? Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second)
    : Number.NaN
  const isReal =
    !Number.isNaN(wallMs) &&
    new Date(wallMs).toISOString().startsWith(text.trim().replace(' ', 'T'))
  if (!isReal) {
    throw new AdminError(`'${text}' is no date and time such as 2026-03-02 09:00.`)
  }
  // The zone's offsets a day before and a day after: one of them holds, or both at a change.
  const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map(
    (atMs) => wallClockMs(atMs, timeZone) - atMs,
  )
  const instants = [...new Set(offsets)]
    .map((offset) => wallMs - offset)
    .filter((atMs) => wallClockMs(atMs, timeZone) === wallMs)
  const [first, second_] = instants
  if (first === undefined) {
    throw new AdminError(
      `${text} does not exist in ${timeZone}: the clocks are put forward over it. Please choose another time.`,
    )
  }
  if (second_ !== undefined) {
    throw new AdminError(
      `${text} happens twice in ${timeZone}: the clocks are put back over it. Please choose another time.`,
    )
  }
  return new Date(first)
}

/** 2026-03-02 09:00, on the clocks of a zone; with seconds where asked for. */
export function formatLocalTime(
  at: Date,
  timeZone: string,
  precision: 'minutes' | 'seconds' = 'minutes',
): string {
  const text = new Date(wallClockMs(at.getTime(), timeZone)).toISOString()
  return text.slice(0, precision === 'minutes' ? 16 : 19).replace('T', ' ')
}

/** On the clocks of the zone and in UTC, so that nobody takes one for the other. */
export function describeTime(at: Date, timeZone: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(at)
  const local = formatLocalTime(at, timeZone)
  return `${weekday} ${local} ${timeZone} (${formatLocalTime(at, 'UTC')} UTC)`
}
