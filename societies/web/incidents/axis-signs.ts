import { incidentWords, lengthText } from '../../../assessments/incident-words.ts'
import type { ShownIncident } from '../../contract/incidents.ts'
import { isOpen, isUndecided, waitsForTalk } from './incident-headlines.ts'

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
        : one.kind === 'take_over'
          ? takeOverWords(one)
          : lead.replace(/[.,].*$/, '').toLowerCase()
  const standing =
    one.strike?.standing === 'taken_back'
      ? ', taken back'
      : isUndecided(one)
        ? ', undecided'
        : waitsForTalk(one)
          ? ', waits for a talk'
          : one.state === 'decided'
            ? ', decided'
            : ''
  return `${short}${standing}`
}

/** How an incident is drawn: amber waits for a verdict, struck through no longer counts. */
export function lookOf(one: ShownIncident): 'waits' | 'back' | 'stands' {
  if (isOpen(one)) return 'waits'
  return one.strike && one.strike.standing === 'stands' ? 'stands' : 'back'
}

function takeOverWords({ takeOver }: ShownIncident): string {
  if (takeOver?.isOtherAccount) return 'another account'
  if (takeOver?.isOtherBrowser) return 'another computer'
  return takeOver?.isOtherAddress ? 'another network' : 'a new page'
}

/** What is told of it besides, where there is room for a line. */
export function signNote({ kind, company, lengthMs }: ShownIncident): string | null {
  if (company && company.away > 1) return `${company.away} of ${company.of} others as well`
  return kind === 'take_over' && lengthMs ? `${lengthText(lengthMs)} not seen before` : null
}
