import type { Row } from '../../checklist.ts'
import { describeDuration } from '../../minutes.ts'
import { zoneName } from '../../zone-name.ts'
import { type About, stateOfRow } from './about.ts'
import { dayWords, timeWords } from './moments.ts'

/** Row 3 of the checklist (product 7.8.7). */
export function windowRow(about: About): Row {
  const { opensAt, closesAt, timeZone, durationSeconds, now } = about
  const keeps = `whoever has started keeps all ${describeDuration(durationSeconds)}.`
  if (closesAt === null) {
    return {
      state: stateOfRow(about, { isDone: false }),
      word: opensAt ? 'No end' : 'Not set',
      finding: opensAt
        ? `From ${dayWords(opensAt, timeZone, now)}, ${timeWords(opensAt, timeZone)}, without an end.`
        : 'No window is set.',
      rest: 'It can be started at any time, by everybody with credentials, and never closes by itself.',
      missing: opensAt ? 'It has no last moment to start.' : 'It has no window yet.',
      link: { page: 'settings', label: 'Set the window' },
    }
  }
  if (closesAt <= now) {
    return {
      state: stateOfRow(about, { isDone: false, isWrong: true }),
      word: 'Past',
      finding: `The last moment to start was ${dayWords(closesAt, timeZone, now)}, ${timeWords(closesAt, timeZone)}.`,
      rest: 'Nobody can start any more.',
      missing: 'Its window has passed.',
      link: { page: 'settings', label: 'Change the window' },
    }
  }
  const last = `${timeWords(closesAt, timeZone)} is the last moment to start; ${keeps}`
  const isOneDay = opensAt && dayWords(opensAt, timeZone, now) === dayWords(closesAt, timeZone, now)
  return {
    state: 'ready',
    word: 'Set',
    finding: `${
      opensAt
        ? `${dayWords(opensAt, timeZone, now)}, ${timeWords(opensAt, timeZone)} to ${isOneDay ? '' : `${dayWords(closesAt, timeZone, now)}, `}${timeWords(closesAt, timeZone)}`
        : `Until ${dayWords(closesAt, timeZone, now)}, ${timeWords(closesAt, timeZone)}`
    }, ${zoneName(timeZone)}.`,
    rest: last,
    missing: null,
    link: { page: 'settings', label: 'Change the window' },
  }
}
