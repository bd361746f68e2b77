import { useState } from 'react'
import { useLocation } from 'react-router'
import type { CandidateFile } from '../../contract/incidents.ts'
import { countOf } from '../../number-words.ts'
import { useAssessment } from '../console/console.tsx'
import { isOpen as isStillOpen, isUndecided } from './incident-headlines.ts'
import { IncidentPlace, IncidentSign, IncidentText } from './incident-words.tsx'
import { Verdicts } from './verdicts.tsx'

/** One candidate's incidents, with verdicts and the form of the first one that waits. */
export function IncidentList({ file, isLive }: { file: CandidateFile; isLive: boolean }) {
  const { timeZone } = useAssessment()
  const { incidents, needsSecondReview, leftOut } = file
  const firstWaiting = incidents.find(waitsForMe)?.name ?? null
  const [opened, setOpened] = useState<string | null>(null)
  // A line of the log leads to the incident that it is about.
  const asked = decodeURIComponent(useLocation().hash.slice(1))
  const open = opened ?? (incidents.some(({ name }) => name === asked) ? asked : firstWaiting)
  return (
    <section aria-labelledby="incidents">
      <div className="head">
        <h2 id="incidents">Incidents</h2>
        <span className="hint max-md:hidden">
          {needsSecondReview
            ? 'Two people decide; a reviewer on nothing they reported'
            : 'A reviewer decides on nothing they reported'}
        </span>
      </div>
      {incidents.length === 0 ? (
        <p className="py-4">
          Nothing was seen. That is not proof of anything
          {file.attempt && file.attempt.unseenMs > 0
            ? `: ${countOf(Math.round(file.attempt.unseenMs / 1_000), 'second')} were unmonitored.`
            : ': the page sees itself, not the person.'}
        </p>
      ) : (
        <ol>
          {incidents.map((one) => {
            const isOpen = isStillOpen(one) && one.name === open && !isLive
            return (
              <li
                key={one.name}
                id={one.name}
                ref={one.name === asked ? showAsked : undefined}
                className={`grid scroll-mt-6 gap-x-4 gap-y-1.5 text-[13.5px] max-md:grid-cols-[26px_minmax(0,1fr)] md:grid-cols-[24px_142px_minmax(0,1fr)_minmax(0,316px)] ${
                  isOpen
                    ? '-mx-4 rounded-[8px] border border-ink bg-surface px-4 py-4 max-md:-mx-2.5 max-md:px-2.5'
                    : 'border-line border-b py-3.5'
                }`}
              >
                <IncidentSign one={one} />
                <IncidentPlace one={one} timeZone={timeZone} />
                <div className="max-md:col-start-2">
                  <IncidentText one={one} timeZone={timeZone} />
                </div>
                <div className="max-md:col-start-2">
                  <Verdicts
                    candidate={file.id}
                    one={one}
                    needsSecond={needsSecondReview}
                    isLive={isLive}
                    isOpen={isOpen}
                    onOpen={() => setOpened(one.name)}
                  />
                </div>
              </li>
            )
          })}
        </ol>
      )}
      {leftOut > 0 && (
        <p className="hint mt-3 text-ink-2">
          And {countOf(leftOut, 'entry', 'entries')} more that never counted; the dossier has them
          all.
        </p>
      )}
    </section>
  )
}

/** Brings what the address names into sight when the page has come: the browser looked for it before. */
export const showAsked = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })

/** What has the own verdict waits for somebody else: the form opens where something is left to write. */
const waitsForMe = (one: CandidateFile['incidents'][number]): boolean =>
  isUndecided(one) &&
  one.state !== 'disagreed' &&
  !one.verdicts.some(({ isMine, withdrawnAt }) => isMine && withdrawnAt === null)
