import { isTimeZone } from '../../platform/local-day.ts'

/*
 * Days and times as organizers read them, the same on every page and in every sentence (product 7.12.12): on the
 * clocks of a zone, 24 hours, the day before the month, as on a timetable. Letters to candidates write them out
 * (credential-letter.ts).
 */

/** as ISO, in milliseconds, or as a date */
type Moment = string | number | Date

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: Moment, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([timeZone, options])
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  formats.set(key, known)
  return known.format(new Date(at))
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** '09:00' */
export const zoneTime = (at: Moment, timeZone: string): string => format(at, timeZone, CLOCK)

/** '09:22:14' */
export const zoneSecond = (at: Moment, timeZone: string): string =>
  format(at, timeZone, { ...CLOCK, second: '2-digit' })

/** 'Wed 25 Nov', with the year where it is not this one's */
export function zoneDay(at: Moment, timeZone: string, nowMs: number): string {
  const year = (one: Moment) => format(one, timeZone, { year: 'numeric' })
  const options = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const day = format(at, timeZone, options).replace(',', '')
  return year(at) === year(nowMs) ? day : `${day} ${year(at)}`
}

/** 'Wed 25 Nov, 09:00' */
export function zoneMoment(at: Moment, timeZone: string, nowMs: number): string {
  return `${zoneDay(at, timeZone, nowMs)}, ${zoneTime(at, timeZone)}`
}

/** '09:00' of today, 'Wed 25 Nov' of any other day: where there is room for one of both */
export function zoneTimeOrDay(at: Moment, timeZone: string, nowMs: number): string {
  const day = zoneDay(at, timeZone, nowMs)
  return day === zoneDay(nowMs, timeZone, nowMs) ? zoneTime(at, timeZone) : day
}

/** A zone by its name, such as Europe/Lisbon; abbreviations such as EST are refused. */
export function isZone(text: string): boolean {
  return (text === 'UTC' || text.includes('/')) && isTimeZone(text)
}

/** 'Lisbon' of Europe/Lisbon */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
