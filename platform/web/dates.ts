type Format = Intl.DateTimeFormatOptions

/** Formats a time (ISO or milliseconds), or with `ofDay` a local day (yyyy-mm-dd), in American English. */
function written(options: Format, ofDay = false): (at: string | number) => string {
  // Created on first use, because each format costs a slow phone milliseconds and a screen needs few.
  let format: Intl.DateTimeFormat | undefined
  return (at) => {
    format ??= new Intl.DateTimeFormat('en-US', ofDay ? { ...options, timeZone: 'UTC' } : options)
    return format.format(new Date(ofDay ? `${at}T00:00:00Z` : at))
  }
}

const WEEKDAY_AND_DATE: Format = { weekday: 'long', month: 'long', day: 'numeric' }

/** 'November 20, 2026' */
export const longDate = written({ month: 'long', day: 'numeric', year: 'numeric' })

/** 'Nov 20, 2026, 9:41 AM' */
export const shortDateTime = written({
  ...{ month: 'short', day: 'numeric', year: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit' },
})

/** '9:41 AM' */
export const hourAndMinute = written({ timeStyle: 'short' })

/** '9:41:07 AM' */
export const timeOfDay = written({ timeStyle: 'medium' })

/** 'Nov 20' */
export const shortDate = written({ month: 'short', day: 'numeric' })

/** 'Friday, November 20' for a local day (yyyy-mm-dd) */
export const dayName = written(WEEKDAY_AND_DATE, true)

/** 'Friday' for a local day (yyyy-mm-dd) */
export const weekdayName = written({ weekday: 'long' }, true)

/** 'Nov' for a local day (yyyy-mm-dd) */
export const monthName = written({ month: 'short' }, true)

/** 'Friday, November 20' */
export const dayAndDate = written(WEEKDAY_AND_DATE)

/** The local day (yyyy-mm-dd) `count` days earlier, or later if negative. */
export function daysBefore(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - count)
  return at.toISOString().slice(0, 10)
}

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The seven days of a local day's week by name and date (yyyy-mm-dd), Monday first. */
export function weekOf(day: string): { name: string; day: string }[] {
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return NAMES.map((name, index) => ({ name, day: daysBefore(day, daysSinceMonday - index) }))
}

let timeZone = ''
let readAtMs = Number.NEGATIVE_INFINITY

/** Cached for a second: a screen reads it dozens of times, and each read costs a slow phone milliseconds. */
export function deviceTimeZone(): string {
  if (Math.abs(Date.now() - readAtMs) >= 1_000) {
    // Some privacy settings hide it.
    timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
    readAtMs = Date.now()
  }
  return timeZone
}
