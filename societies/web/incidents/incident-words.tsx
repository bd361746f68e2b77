import { Clock, EyeOff, Flag, Laptop, UserRound, WifiOff, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  companyWords,
  incidentWords,
  REPORT_OF,
  standingWords,
} from '../../../assessments/incident-words.ts'
import type { ShownIncident } from '../../contract/incidents.ts'
import { zoneSecond } from '../../zone-time.ts'
import { isOpen } from './incident-headlines.ts'

/** What happened, with who else was away. */
export function IncidentWords({ one, timeZone }: { one: ShownIncident; timeZone: string }) {
  if (one.report) {
    return (
      <>
        <b className="font-medium text-ink">
          {one.report.by} wrote{REPORT_OF[one.report.of]}:
        </b>{' '}
        <span className="whitespace-pre-line">“{one.report.note}”</span>
      </>
    )
  }
  const startMs = Date.parse(one.at) - one.atMs
  const { lead, rest } = incidentWords(one, (ms) => zoneSecond(startMs + ms, timeZone))
  return (
    <>
      <b className="font-medium text-ink">{lead}</b>{' '}
      {[companyWords(one.company), ...rest].filter(Boolean).join(' ')}
    </>
  )
}

const ICONS: Partial<Record<ShownIncident['kind'], ReactNode>> = {
  offline: <WifiOff size={17} aria-hidden />,
  take_over: <Laptop size={17} aria-hidden />,
  accounts: <UserRound size={17} aria-hidden />,
  unmonitored: <EyeOff size={17} aria-hidden />,
  pace: <Zap size={17} aria-hidden />,
  report: <Flag size={17} aria-hidden />,
}

/** A strike's number: ink, struck through when it counts no more, amber while it waits; else what it was. */
export function IncidentSign({ one }: { one: ShownIncident }) {
  const waits = isOpen(one)
  if (!one.strike) {
    return (
      <span className={waits ? 'amber' : 'text-ink-2'}>
        {ICONS[one.kind] ?? <Clock size={17} aria-hidden />}
      </span>
    )
  }
  const look =
    one.strike.standing !== 'stands'
      ? 'border border-ink line-through'
      : waits
        ? 'bg-mid text-paper'
        : 'bg-ink text-paper'
  return (
    <span
      aria-hidden
      className={`grid size-5 place-items-center rounded-[4px] font-semibold text-[12.5px] leading-none ${look}`}
    >
      {one.strike.number}
    </span>
  )
}

/** When it was, which question was open, whether it counts. */
export function IncidentPlace({ one, timeZone }: { one: ShownIncident; timeZone: string }) {
  const { questions } = one
  const [first, last] = [questions[0], questions.at(-1)]
  return (
    <div className="text-[12.5px] text-ink-2">
      <time
        dateTime={one.at}
        className="figures block font-medium text-[14px] text-ink leading-snug"
      >
        {zoneSecond(one.at, timeZone)}
      </time>
      {first !== undefined && (
        <span className="block">
          {questions.length === 1 ? `question ${first}` : `questions ${first} to ${last}`}
        </span>
      )}
      {one.kind !== 'report' && <span className="block">{standingWords(one)}</span>}
    </div>
  )
}
