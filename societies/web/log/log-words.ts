import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { readSocietyLog } from '../../contract/log.ts'
import { zoneSecond } from '../../zone-time.ts'
import { candidateName } from '../incidents/incident-headlines.ts'

export type LogPart = ResponseOf<typeof readSocietyLog>
export type LogEntry = LogPart['entries'][number]

/** '120 entries'; '3 entries of yours' for a member who reads only the own ones */
export function headlineOf({ count, isAll }: Pick<LogPart, 'count' | 'isAll'>): string {
  if (count === 0) return 'No entries'
  const entries = count === 1 ? '1 entry' : `${count} entries`
  return isAll ? entries : `${entries} of yours`
}

/** What a kind of act is called in the list to choose from. */
export const actionName = (action: string): string =>
  `${action.charAt(0).toUpperCase()}${action.slice(1).replaceAll('-', ' ')}`

/** 'Candidate 021, strike 3 at 09:12:03: Away for 14 s'; what was uncovered is of the candidate as a whole. */
export function aboutWords(
  { candidate, number, incident }: LogEntry['about'][number],
  timeZone: string,
): string {
  if (!incident) return candidateName(number)
  const strike = incident.strike === null ? [] : [`strike ${incident.strike}`]
  const what = [...(candidate === null ? [] : [candidateName(number)]), ...strike].join(', ')
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} at ${zoneSecond(incident.at, timeZone)}: ${incident.lead}`
}
