import { describeDuration } from '../../../platform/durations.ts'
import { WARNING_DAYS } from '../../access/server/assessments.ts'
import { zoneDay, zoneName, zoneTime } from '../../kit/zone-time.ts'
import type { Row, RowState } from '../../setup/checklist.ts'

/** The test that a row of the checklist is about. */
export interface About {
  isDraft: boolean
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  now: Date
}

/** What is not done yet is no fault of a draft, but amber once candidates can see the test. */
export const gapOf = ({ isDraft }: Pick<About, 'isDraft'>): RowState =>
  isDraft ? 'todo' : 'attention'

/** In the middle of a sentence: 'today at 09:00', 'on Wednesday', 'on 25 November', by the test's clocks. */
export function whenWords(at: Date, timeZone: string, now: Date): string {
  const words = (one: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(one)
  const dateOf = (one: Date) => words(one, { dateStyle: 'short' })
  if (dateOf(at) === dateOf(now)) return `today at ${zoneTime(at, timeZone)}`
  const days = (at.getTime() - now.getTime()) / 86_400_000
  if (days > 0 && days < 6) return `on ${words(at, { weekday: 'long' })}`
  const isThisYear = words(at, { year: 'numeric' }) === words(now, { year: 'numeric' })
  return `on ${words(at, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })}`
}

/** Row 3 of the checklist (product 7.8.7). */
export function windowRow(about: About): Row {
  const { opensAt, closesAt, timeZone, durationSeconds, now } = about
  const dayOf = (at: Date) => zoneDay(at, timeZone, now.getTime())
  const timeOf = (at: Date) => zoneTime(at, timeZone)
  const momentOf = (at: Date) => `${dayOf(at)}, ${timeOf(at)}`
  if (closesAt === null) {
    return {
      state: gapOf(about),
      word: opensAt ? 'No end' : 'Not set',
      finding: opensAt ? 'It has no last moment to start.' : 'It has no window yet.',
      rest: `Anyone with credentials can start at any time${opensAt ? ` from ${momentOf(opensAt)}` : ''}, and it never closes.`,
      link: { page: 'settings', label: 'Set the window' },
    }
  }
  if (closesAt <= now) {
    return {
      state: 'attention',
      word: 'Past',
      finding: `The last moment to start was ${momentOf(closesAt)}.`,
      rest: 'No one can start anymore.',
      link: { page: 'settings', label: 'Change the window' },
    }
  }
  const isOneDay = opensAt && dayOf(opensAt) === dayOf(closesAt)
  const window = opensAt
    ? `${momentOf(opensAt)} to ${isOneDay ? timeOf(closesAt) : momentOf(closesAt)}`
    : `Until ${momentOf(closesAt)}`
  return {
    state: 'ready',
    word: 'Set',
    finding: `${window}, ${zoneName(timeZone)}.`,
    rest: `${timeOf(closesAt)} is the last moment to start. Everyone who starts has all ${describeDuration(durationSeconds)}.`,
    link: { page: 'settings', label: 'Change the window' },
  }
}

/** How long answers and names are kept (product 7.21.1). @param until null: as long as the test never closes */
export function retentionRow(until: Date | null, { timeZone, now }: About): Row {
  return {
    state: 'ready',
    word: until ? 'Set' : 'Kept',
    finding: until
      ? `Answers and names are deleted on ${zoneDay(until, timeZone, now.getTime())}.`
      : 'Kept until an owner deletes it.',
    rest: until
      ? `Owners are notified ${WARNING_DAYS} days before. Numbers without names and the log stay.`
      : 'The time is counted from the last moment to start, which is not set.',
    link: { page: 'settings', label: 'Change the day' },
  }
}
