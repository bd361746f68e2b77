import { zoneTime } from '../../zone-time.ts'

// As one says a day to come in the middle of a sentence, on the clocks of the assessment's zone.

function words(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at)
}

/** 'today at 09:00', 'on Wednesday', 'on 25 November': as one says it of a day to come */
export function whenWords(at: Date, timeZone: string, now: Date): string {
  const dateOf = (one: Date) =>
    words(one, timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' })
  if (dateOf(at) === dateOf(now)) return `today at ${zoneTime(at, timeZone)}`
  const days = (at.getTime() - now.getTime()) / 86_400_000
  if (days > 0 && days < 6) return `on ${words(at, timeZone, { weekday: 'long' })}`
  const year = words(at, timeZone, { year: 'numeric' })
  const isThisYear = year === words(now, timeZone, { year: 'numeric' })
  return `on ${words(at, timeZone, { day: 'numeric', month: 'long' })}${isThisYear ? '' : ` ${year}`}`
}
