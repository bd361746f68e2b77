import { useLocation } from 'react-router'
import { countOf } from '../../../platform/words.ts'
import type { CandidateFile } from '../../contract/incidents.ts'
import { zoneSecond } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { Section } from '../kit/section.tsx'
import { isOpen } from './incident-headlines.ts'
import { IncidentPlace, IncidentSign, IncidentWords } from './incident-words.tsx'
import { Verdicts } from './verdicts.tsx'

const ROW =
  'grid scroll-mt-6 gap-x-4 gap-y-1.5 border-line border-b text-[13.5px] max-md:grid-cols-[26px_minmax(0,1fr)] md:grid-cols-[24px_142px_minmax(0,1fr)_minmax(0,260px)]'

/** What happened to one candidate, one line per event in order: incidents with decisions, and what was between them. */
export function IncidentList({ file, isLive }: { file: CandidateFile; isLive: boolean }) {
  const { timeZone } = useAssessment()
  const { incidents, moments, leftOut } = file
  // A line of the log leads to the incident that it is about.
  const asked = decodeURIComponent(useLocation().hash.slice(1))
  const lines = [
    ...incidents.map((one) => ({ at: one.at, key: one.name, one, text: '' })),
    ...moments.map(({ at, text }, index) => ({ at, key: `moment ${index}`, one: null, text })),
  ].sort((a, b) => a.at.localeCompare(b.at))
  return (
    <Section
      title="What happened"
      hint="One line per event, as in the PDF · by the clock of the page"
      isHintWide
    >
      {incidents.length === 0 && (
        <p className="py-4">
          No incidents. That is not proof of anything
          {file.attempt && file.attempt.unseenMs > 0
            ? `: ${countOf(Math.round(file.attempt.unseenMs / 1_000), 'second')} were unmonitored.`
            : ': the page sees itself, not the person.'}
        </p>
      )}
      <ol>
        {lines.map(({ at, key, one, text }) =>
          one ? (
            <li
              key={key}
              id={one.name}
              ref={one.name === asked ? showAsked : undefined}
              className={`${ROW} py-3.5 ${isOpen(one) ? 'md:-ml-4 md:border-l-2 md:border-l-mid md:pl-3.5' : ''}`}
            >
              <IncidentSign one={one} />
              <IncidentPlace one={one} timeZone={timeZone} />
              <p className="text-pretty text-ink-2 max-md:col-start-2">
                <IncidentWords one={one} timeZone={timeZone} />
              </p>
              <div className="max-md:col-start-2">
                <Verdicts candidate={file.id} one={one} isLive={isLive} />
              </div>
            </li>
          ) : (
            <li key={key} className={`${ROW} py-2 text-ink-2`}>
              <time
                dateTime={at}
                className="figures col-start-2 max-md:text-[12.5px] md:text-[14px]"
              >
                {zoneSecond(at, timeZone)}
              </time>
              <p className="text-pretty max-md:col-start-2 md:col-span-2">{text}</p>
            </li>
          ),
        )}
      </ol>
      {leftOut > 0 && (
        <p className="hint mt-3 text-ink-2">
          And {countOf(leftOut, 'entry', 'entries')} more that never counted.
        </p>
      )}
    </Section>
  )
}

/** Brings what the address names into sight when the page has come: the browser looked for it before. */
export const showAsked = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })
