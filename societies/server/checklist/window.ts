import type { Row } from '../../checklist.ts'
import { describeDuration } from '../../minutes.ts'
import { zoneDay, zoneName, zoneTime } from '../../zone-time.ts'
import { type About, stateOfRow } from './about.ts'

/** Row 3 of the checklist (product 7.8.7). */
export function windowRow(about: About): Row {
  const { opensAt, closesAt, timeZone, durationSeconds, now } = about
  const keeps = `whoever has started keeps all ${describeDuration(durationSeconds)}.`
  if (closesAt === null) {
    return {
      state: stateOfRow(about, { isDone: false }),
      word: opensAt ? 'No end' : 'Not set',
      finding: opensAt
        ? `From ${zoneDay(opensAt, timeZone, now.getTime())}, ${zoneTime(opensAt, timeZone)}, without an end.`
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
      finding: `The last moment to start was ${zoneDay(closesAt, timeZone, now.getTime())}, ${zoneTime(closesAt, timeZone)}.`,
      rest: 'Nobody can start any more.',
      missing: 'Its window has passed.',
      link: { page: 'settings', label: 'Change the window' },
    }
  }
  const last = `${zoneTime(closesAt, timeZone)} is the last moment to start; ${keeps}`
  const isOneDay =
    opensAt &&
    zoneDay(opensAt, timeZone, now.getTime()) === zoneDay(closesAt, timeZone, now.getTime())
  return {
    state: 'ready',
    word: 'Set',
    finding: `${
      opensAt
        ? `${zoneDay(opensAt, timeZone, now.getTime())}, ${zoneTime(opensAt, timeZone)} to ${isOneDay ? '' : `${zoneDay(closesAt, timeZone, now.getTime())}, `}${zoneTime(closesAt, timeZone)}`
        : `Until ${zoneDay(closesAt, timeZone, now.getTime())}, ${zoneTime(closesAt, timeZone)}`
    }, ${zoneName(timeZone)}.`,
    rest: last,
    missing: null,
    link: { page: 'settings', label: 'Change the window' },
  }
}
