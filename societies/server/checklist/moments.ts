// A checklist's sentences name days and times on the clocks of the assessment's zone, as on a timetable.

function words(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at)
}

/** '09:00' */
export function timeWords(at: Date, timeZone: string): string {
  return words(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** 'Wed 25 November', with the year where it is not this one's */
export function dayWords(at: Date, timeZone: string, now: Date): string {
  const year = words(at, timeZone, { year: 'numeric' })
  const day = words(at, timeZone, { weekday: 'short', day: 'numeric', month: 'long' })
  const isThisYear = year === words(now, timeZone, { year: 'numeric' })
  return `${day.replace(',', '')}${isThisYear ? '' : ` ${year}`}`
}

/** 'today at 09:00', 'on Wednesday', 'on 25 November': as one says it of a day to come */
export function whenWords(at: Date, timeZone: string, now: Date): string {
  const dateOf = (one: Date) =>
    words(one, timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' })
  if (dateOf(at) === dateOf(now)) return `today at ${timeWords(at, timeZone)}`
  const days = (at.getTime() - now.getTime()) / 86_400_000
  if (days > 0 && days < 6) return `on ${words(at, timeZone, { weekday: 'long' })}`
  const year = words(at, timeZone, { year: 'numeric' })
  const isThisYear = year === words(now, timeZone, { year: 'numeric' })
  return `on ${words(at, timeZone, { day: 'numeric', month: 'long' })}${isThisYear ? '' : ` ${year}`}`
}
