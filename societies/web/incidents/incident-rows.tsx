import { Link } from 'react-router'
import { standingWords } from '../../../assessments/incident-words.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import type { ShownIncident } from '../../contract/incidents.ts'
import { zoneSecond } from '../../zone-time.ts'
import { useMore } from '../kit/more.tsx'
import { usePlace } from '../kit/use-act.tsx'
import {
  candidateName,
  isUndecided,
  type ListedCandidate,
  standingOf,
  VERDICT_WORDS,
  waitsForTalk,
} from './incident-headlines.ts'
import { IncidentSign, IncidentWords } from './incident-words.tsx'

/** An incident with whose it is. */
export interface ListedIncident {
  candidate: ListedCandidate
  one: ShownIncident
}

/** Incidents, a row each; a row leads to the candidate's page, and a tick selects it to be decided. */
export function IncidentRows(props: {
  incidents: readonly ListedIncident[]
  timeZone: string
  mayDecide: (one: ShownIncident) => boolean
  isSelected: (incident: ListedIncident) => boolean
  onToggle: (incident: ListedIncident) => void
}) {
  const { incidents, timeZone, mayDecide, isSelected, onToggle } = props
  const place = usePlace()
  const { shown, more } = useMore(incidents)
  if (incidents.length === 0) return null
  const hasBoxes = incidents.some(({ one }) => mayDecide(one))
  return (
    <>
      <ul>
        {shown.map(({ candidate, one }) => (
          <li
            key={`${candidate.id} ${one.name}`}
            className="flex border-line border-b has-checked:bg-sunken"
          >
            {mayDecide(one) ? (
              <label className="grid w-8 flex-none place-items-center max-md:w-11">
                <span className="sr-only">
                  Select {candidateName(candidate.number)}, {zoneSecond(one.at, timeZone)}
                </span>
                <input
                  type="checkbox"
                  checked={isSelected({ candidate, one })}
                  onChange={() => onToggle({ candidate, one })}
                />
              </label>
            ) : (
              hasBoxes && <span className="w-8 flex-none max-md:w-11" />
            )}
            <Link
              to={assessmentUrl(place.society, place.code, `incidents/${candidate.id}`)}
              className="grid min-h-11 min-w-0 flex-1 items-center gap-x-4 gap-y-0.5 py-2 text-[13.5px] hover:bg-sunken max-md:grid-cols-[26px_minmax(0,1fr)_auto] md:grid-cols-[24px_78px_132px_72px_minmax(0,1fr)_minmax(0,220px)]"
            >
              <IncidentSign one={one} />
              <time dateTime={one.at} className="figures max-md:order-3 max-md:text-ink-2">
                {zoneSecond(one.at, timeZone)}
              </time>
              <span className="font-medium max-md:order-2">{candidateName(candidate.number)}</span>
              <span className="text-ink-2 max-md:order-4 max-md:col-start-2">
                {candidate.room ?? ''}
              </span>
              <span className="text-pretty text-ink-2 max-md:order-5 max-md:col-span-2 max-md:col-start-2">
                <IncidentWords one={one} timeZone={timeZone} />
              </span>
              <span className="max-md:order-6 max-md:col-span-2 max-md:col-start-2">
                <State one={one} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

function State({ one }: { one: ShownIncident }) {
  const standing = standingOf(one)
  if (isUndecided(one)) return <span className="amber font-medium">Waits for a verdict</span>
  if (waitsForTalk(one)) return <span className="amber font-medium">Waits for a talk</span>
  if (standing) {
    return (
      <span>
        {VERDICT_WORDS[standing.verdict]} <span className="text-ink-2">{standing.by}</span>
      </span>
    )
  }
  if (one.state === 'decided') return <span>Decided</span>
  return <span className="text-ink-2">{one.kind === 'report' ? 'a note' : standingWords(one)}</span>
}
