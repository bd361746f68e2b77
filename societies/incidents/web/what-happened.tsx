import { Clock, EyeOff, Flag, Laptop, UserRound, WifiOff, Zap } from 'lucide-react'
import { useLocation } from 'react-router'
import {
  companyWords,
  incidentWords,
  REPORT_OF,
  standingWords,
} from '../../../assessments/incident-words.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { Section } from '../../kit/web/section.tsx'
import { zoneSecond } from '../../kit/zone-time.ts'
import type { CandidateFile, ShownIncident } from '../contract.ts'
import { Verdicts } from './decision.tsx'
import { isOpen } from './incident-headlines.ts'

const ROW =
  'grid scroll-mt-6 gap-x-4 gap-y-1.5 border-line border-b text-[13.5px] max-md:grid-cols-[26px_minmax(0,1fr)] md:grid-cols-[24px_142px_minmax(0,1fr)_minmax(0,260px)]'

export function WhatHappened({ file }: { file: CandidateFile }) {
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
      hint="One line per event, as in the PDF · times from the page’s clock"
      isHintWide
    >
      {incidents.length === 0 && (
        <p className="py-4">
          No incidents. That proves nothing, because{' '}
          {unseenMs > 0
            ? `${countOf(Math.round(unseenMs / 1_000), 'second')} were unmonitored.`
            : 'the page sees only itself, not the person.'}
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
                <Verdicts of={{ candidate: file, one }} />
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

/** Scrolls to the URL's target, which wasn't rendered yet when the browser looked for it. */
export const showAsked = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'center' })

export function IncidentWords({ one }: { one: ShownIncident }) {
  const { timeZone } = useAssessment()
  const { report } = one
  const startMs = Date.parse(one.at) - one.atMs
  const { lead, rest } = incidentWords(one, (ms) => zoneSecond(startMs + ms, timeZone))
  return (
    <>
      <b className="font-medium text-ink">
        {report ? `${report.by} wrote${REPORT_OF[report.of]}:` : lead}
      </b>{' '}
      {report ? (
        <span className="whitespace-pre-line">“{report.note}”</span>
      ) : (
        [companyWords(one.company), ...rest].filter(Boolean).join(' ')
      )}
    </>
  )
}

const ICONS: Partial<Record<ShownIncident['kind'], typeof Clock>> = {
  offline: WifiOff,
  take_over: Laptop,
  accounts: UserRound,
  unmonitored: EyeOff,
  pace: Zap,
  report: Flag,
}

export function IncidentSign({ one }: { one: ShownIncident }) {
  if (!one.strike) {
    const Icon = ICONS[one.kind] ?? Clock
    return (
      <span className={isOpen(one) ? 'amber' : 'text-ink-2'}>
        <Icon size={17} aria-hidden />
      </span>
    )
  }
  const counts = isOpen(one) ? 'bg-mid text-paper' : 'bg-ink text-paper'
  const look = one.strike.standing === 'stands' ? counts : 'border border-ink line-through'
  return (
    <span
      aria-hidden
      className={`grid size-5 place-items-center rounded-[4px] font-semibold text-[12.5px] leading-none ${look}`}
    >
      {one.strike.number}
    </span>
  )
}

/** Says how many entries the server left out because they never counted. */
export const LeftOut = ({ count }: { count: number }) =>
  count > 0 && (
    <p className="hint mt-3 text-ink-2">
      {count} more {count === 1 ? 'entry' : 'entries'} never counted.
    </p>
  )
