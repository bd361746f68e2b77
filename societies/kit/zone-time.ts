import { isTimeZone } from '../../platform/local-day.ts'

/* Formats days and times for organizers, the same everywhere (product 7.12.12): in a given zone, 24 hours, day before
   month. Mails to candidates spell them out (credential-letter.ts). */

/** An ISO text, milliseconds, or a Date. */
type Moment = string | number | Date

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: Moment, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([timeZone, options])
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  formats.set(key, known)
  return known.format(new Date(at))
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Example: '09:00'. */
export const zoneTime = (at: Moment, timeZone: string): string => format(at, timeZone, CLOCK)

/** Example: '09:22:14'. */
export const zoneSecond = (at: Moment, timeZone: string): string =>
  format(at, timeZone, { ...CLOCK, second: '2-digit' })

/** Example: 'Wed 25 Nov', with the year if it isn't the current one. */
export function zoneDay(at: Moment, timeZone: string, nowMs: number): string {
  const year = (one: Moment) => format(one, timeZone, { year: 'numeric' })
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const day = format(at, timeZone, options).replace(',', '')
  return year(at) === year(nowMs) ? day : `${day} ${year(at)}`
}

/** Example: 'Wed 25 Nov, 09:00'. */
export function zoneMoment(at: Moment, timeZone: string, nowMs: number): string {
  return `${zoneDay(at, timeZone, nowMs)}, ${zoneTime(at, timeZone)}`
}

/** Returns '09:00' for today and 'Wed 25 Nov' for any other day, where there is room for only one of them. */
export function zoneTimeOrDay(at: Moment, timeZone: string, nowMs: number): string {
  const day = zoneDay(at, timeZone, nowMs)
  return day === zoneDay(nowMs, timeZone, nowMs) ? zoneTime(at, timeZone) : day
}

/** Accepts zone names such as Europe/Lisbon, but no abbreviations such as EST. */
export function isZone(text: string): boolean {
  return (text === 'UTC' || text.includes('/')) && isTimeZone(text)
}

/** Returns 'Lisbon' for Europe/Lisbon. */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
