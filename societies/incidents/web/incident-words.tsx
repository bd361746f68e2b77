import { Clock, EyeOff, Flag, Laptop, UserRound, WifiOff, Zap } from 'lucide-react'
import { companyWords, incidentWords, REPORT_OF } from '../../../assessments/incident-words.ts'
import { countOf } from '../../../platform/words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { zoneSecond } from '../../kit/zone-time.ts'
import type { ShownIncident } from '../contract.ts'
import { isOpen } from './incident-headlines.ts'

/** What happened, and who else was away. */
export function IncidentWords({ one }: { one: ShownIncident }) {
  const { timeZone } = useAssessment()
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

const ICONS: Partial<Record<ShownIncident['kind'], typeof Clock>> = {
  offline: WifiOff,
  take_over: Laptop,
  accounts: UserRound,
  unmonitored: EyeOff,
  pace: Zap,
  report: Flag,
}

/** A strike's number, struck through when it no longer counts, amber while it is open; or an icon. */
export function IncidentSign({ one }: { one: ShownIncident }) {
  if (!one.strike) {
    const Icon = ICONS[one.kind] ?? Clock
    return (
      <span className={isOpen(one) ? 'amber' : 'text-ink-2'}>
        <Icon size={17} aria-hidden />
      </span>
    )
  }
  const look =
    one.strike.standing !== 'stands'
      ? 'border border-ink line-through'
      : isOpen(one)
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

/** How many entries the server did not send because they never counted. */
export const LeftOut = ({ count }: { count: number }) =>
  count > 0 && (
    <p className="hint mt-3 text-ink-2">
      And {countOf(count, 'entry', 'entries')} more that never counted.
    </p>
  )
