import { incidentWords, lengthText } from '../../../assessments/incident-words.ts'
import type { ShownIncident } from '../../contract/incidents.ts'
import { isUndecided } from './incident-headlines.ts'

/** A few words beside an incident on the time axis. */
export function signWords(one: ShownIncident): string {
  const { lead } = incidentWords(one, String)
  const short =
    one.kind === 'away'
      ? one.lengthMs === null
        ? 'away'
        : `away ${lengthText(one.lengthMs)}`
      : one.kind === 'report'
        ? 'report'
        : lead.replace(/[.,].*$/, '').toLowerCase()
  const standing =
    one.strike?.standing === 'taken_back'
      ? ', taken back'
      : isUndecided(one)
        ? ', undecided'
        : one.state === 'decided'
          ? ', decided'
          : ''
  return `${short}${standing}`
}

/** How an incident is drawn: amber waits for a verdict, struck through no longer counts. */
export function lookOf(one: ShownIncident): 'waits' | 'back' | 'stands' {
  if (isUndecided(one)) return 'waits'
  return one.strike && one.strike.standing === 'stands' ? 'stands' : 'back'
}
