const long = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })
const short = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const ofDay = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' })
const weekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
})

/** 'November 20, 2026' */
export function longDate(iso: string): string {
  return long.format(new Date(iso))
}

/** 'Nov 20, 2026, 9:41 AM' */
export function shortDateTime(iso: string): string {
  return short.format(new Date(iso))
}

const hour = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })

/** '9:41 AM' */
export function hourAndMinute(iso: string): string {
  return hour.format(new Date(iso))
}

/** '9:41:07 AM' */
export function timeOfDay(iso: string): string {
  return ofDay.format(new Date(iso))
}

/** 'Friday, November 20' */
export function dayAndDate(atMs: number): string {
  return weekday.format(atMs)
}

const calendarDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'Friday, November 20' for a local day (yyyy-mm-dd) */
export function dayName(day: string): string {
  return calendarDay.format(new Date(`${day}T00:00:00Z`))
}

const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** 'Nov 20' */
export function shortDate(iso: string): string {
  return monthAndDay.format(new Date(iso))
}

const month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** 'Nov' for a local day (yyyy-mm-dd) */
export function monthName(day: string): string {
  return month.format(new Date(`${day}T00:00:00Z`))
}

/** The local day (yyyy-mm-dd) some days before or, with a negative number, after another. */
export function daysBefore(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - count)
  return at.toISOString().slice(0, 10)
}

export interface WeekDay {
  /** 'Monday' */
  name: string
  /** yyyy-mm-dd */
  day: string
}

const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The seven days, Monday first, of the week that a local day (yyyy-mm-dd) lies in. */
export function weekOf(day: string): WeekDay[] {
  const daysSinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return NAMES.map((name, index) => ({ name, day: daysBefore(day, daysSinceMonday - index) }))
}
/** The device's IANA time zone. */
export function deviceTimeZone(): string {
  // Some privacy settings leave it out.
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

const nameOfDay = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/** 'Friday' for a local day (yyyy-mm-dd) */
export function weekdayName(day: string): string {
  return nameOfDay.format(new Date(`${day}T00:00:00Z`))
}
