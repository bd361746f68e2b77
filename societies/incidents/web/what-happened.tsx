import { useLocation } from 'react-router'
import { standingWords } from '../../../assessments/incident-words.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { zoneSecond } from '../../kit/zone-time.ts'
import type { CandidateFile, ShownIncident } from '../contract.ts'
import { isOpen } from './incident-headlines.ts'
import { IncidentSign, IncidentWords, LeftOut } from './incident-words.tsx'
import { Verdicts } from './verdicts.tsx'

const ROW =
  'grid scroll-mt-6 gap-x-4 gap-y-1.5 border-line border-b text-[13.5px] max-md:grid-cols-[26px_minmax(0,1fr)] md:grid-cols-[24px_142px_minmax(0,1fr)_minmax(0,260px)]'

/** What happened to one candidate, in order: incidents with their verdicts, and the events between them. */
export function WhatHappened({ file, isLive }: { file: CandidateFile; isLive: boolean }) {
  const { timeZone } = useAssessment()
  const { incidents, moments, leftOut } = file
  const unseenMs = file.attempt?.unseenMs ?? 0
  // The log links to single incidents.
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
          {unseenMs > 0
            ? `: ${countOf(Math.round(unseenMs / 1_000), 'second')} were unmonitored.`
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
              <div className="text-[12.5px] text-ink-2">
                <time
                  dateTime={at}
                  className="figures block font-medium text-[14px] text-ink leading-snug"
                >
                  {zoneSecond(at, timeZone)}
                </time>
                <span className="block">{questionsOf(one)}</span>
                {one.kind !== 'report' && <span className="block">{standingWords(one)}</span>}
              </div>
              <p className="text-pretty text-ink-2 max-md:col-start-2">
                <IncidentWords one={one} />
              </p>
              <div className="max-md:col-start-2">
                <Verdicts candidate={file} one={one} isLive={isLive} />
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
      <LeftOut count={leftOut} />
    </Section>
  )
}

function questionsOf({ questions }: ShownIncident): string {
  if (questions.length < 2) return questions.map((one) => `question ${one}`).join()
  return `questions ${questions[0]} to ${questions.at(-1)}`
}

/** Scrolls to the address's target, which was not there yet when the browser looked for it. */
export const showAsked = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })
