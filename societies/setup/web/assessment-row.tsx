import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { describeDuration, spanUntil } from '../../../platform/durations.ts'
import { assessmentUrl, fairnessUrl } from '../../../platform/urls.ts'
import { countOf } from '../../../platform/words.ts'
import { type AssessmentState, STATE_WORDS, stateOf } from '../../kit/assessment-state.ts'
import { mayOf } from '../../kit/role-words.ts'
import { roomOf } from '../../kit/roles.ts'
import { StateDot, useSociety } from '../../kit/web/console/console.tsx'
import { mayBy, rolesFor, windowOf } from '../../kit/web/console/queries.ts'
import { inOwnZone } from '../../kit/web/own-zone.ts'
import { zoneDay, zoneName, zoneTime } from '../../kit/zone-time.ts'
import { checklistUrl, mayOpen, ROW_LINK, type Surveyed, WaitingLines } from './checklist-links.tsx'
import { KeptLine } from './kept.tsx'

/** The columns of the list, where there is room for them; else a row is some lines of text. */
export const COLUMNS =
  'xl:grid xl:grid-cols-[minmax(0,1fr)_118px_226px_124px_92px_258px_20px] xl:gap-x-6 xl:items-center'

/** A day is near: one's own clock matters. */
const NEAR_MS = 7 * 24 * 3_600_000

/** One assessment of the list. */
export function AssessmentRow({ one, nowMs }: { one: Surveyed; nowMs: number }) {
  const { society } = useSociety()
  const state = stateOf(one, nowMs)
  const isOver = state === 'closed'
  const { look, text, link } = one.next
  // Members who only help on the day read where, and not what others have to do.
  const roles = rolesFor(society, one.code)
  const may = mayBy(roles)
  const isHelper = roles.every(({ role }) => role === 'invigilator')
  const room = roomOf(roles, 'watch_live')
  return (
    <li
      className={`relative border-line border-b py-3.5 max-xl:pr-7 xl:min-h-19 xl:py-3 ${COLUMNS} ${isOver ? 'text-ink-2' : ''}`}
    >
      <div className="min-w-0">
        <h3 className="text-[20px]">
          <Link
            to={assessmentUrl(society.id, one.code)}
            className="after:absolute after:inset-0 hover:underline"
          >
            {one.session ?? one.society}
          </Link>
        </h3>
        <p className="figures mt-0.5 break-words text-[12.5px] text-ink-2 max-md:hidden">
          {one.code} · {countOf(one.questionCount, 'question')} ·{' '}
          {describeDuration(one.durationSeconds)}
        </p>
      </div>
      <p className={`flex items-center gap-2 max-xl:mt-2 ${isOver ? '' : 'font-medium'}`}>
        <StateDot state={state} />
        {STATE_WORDS[state]}
      </p>
      <Window one={one} state={state} nowMs={nowMs} />
      <p className="figures max-xl:mt-1 max-md:hidden">
        <b className="font-medium">
          {one.candidateCount}
          <span className="xl:sr-only"> on the list</span>
        </b>
        <span className="ml-1.5 text-[12.5px] text-ink-2 xl:ml-0 xl:block">
          {one.candidateNote}
        </span>
      </p>
      <Ticks checklist={isHelper ? null : one.checklist} />
      <div className="text-pretty text-[13.5px] leading-snug max-xl:mt-2">
        {isHelper ? (
          !isOver && `You ${mayOf('invigilator', room)}.`
        ) : (
          <>
            {look && <b className="amber font-semibold">{look} </b>}
            {text}{' '}
            {link && mayOpen(may, link.page) && (
              <Link to={checklistUrl(society.id, one.code, link)} className={ROW_LINK}>
                {link.label}
              </Link>
            )}
          </>
        )}
        <WaitingLines code={one.code} waiting={one.waiting} />
        {isOver && one.kept && (
          <p>
            <KeptLine kept={one.kept} timeZone={one.timeZone} nowMs={nowMs} />
          </p>
        )}
        {isOver && <ReportLink one={one} mayPublish={may('release_results')} />}
      </div>
      <ChevronRight
        size={18}
        aria-hidden
        className="text-line-strong max-xl:absolute max-xl:top-5 max-xl:right-0"
      />
    </li>
  )
}

/** Leads owners to where the fairness report is published, and others to the published one. */
function ReportLink({ one, mayPublish }: { one: Surveyed; mayPublish: boolean }) {
  const { society } = useSociety()
  const { code, session, fairnessReport, submittedCount } = one
  const url =
    mayPublish && submittedCount > 0
      ? assessmentUrl(society.id, code, 'fairness')
      : fairnessReport && fairnessUrl(fairnessReport)
  if (!url) return null
  return (
    <Link to={url} className={ROW_LINK}>
      Fairness report<span className="sr-only"> of {session ?? one.society}</span>
    </Link>
  )
}

function Window(props: { one: Surveyed; state: AssessmentState; nowMs: number }) {
  const { one, state, nowMs } = props
  const { society } = useSociety()
  const { timeZone } = one
  const { opensAtMs: opensMs, closesAtMs: closesMs } = windowOf(one)
  const first = opensMs ?? closesMs
  const dayOf = (ms: number) => {
    const day = zoneDay(ms, timeZone, nowMs)
    return day === zoneDay(nowMs, timeZone, nowMs) ? 'Today' : day
  }
  const momentOf = (ms: number) => `${dayOf(ms)}, ${zoneTime(ms, timeZone)}`
  const when =
    opensMs !== null && closesMs !== null
      ? `${momentOf(opensMs)} to ${dayOf(opensMs) === dayOf(closesMs) ? zoneTime(closesMs, timeZone) : momentOf(closesMs)}`
      : opensMs !== null
        ? `From ${momentOf(opensMs)}`
        : closesMs !== null
          ? `Until ${momentOf(closesMs)}`
          : state === 'draft'
            ? 'No window yet'
            : 'At any time'
  const isNear = first !== null && Math.abs(first - nowMs) < NEAR_MS && state !== 'closed'
  const beside = [
    timeZone === society.timeZone || first === null ? null : zoneName(timeZone),
    opensMs !== null && opensMs > nowMs
      ? `in ${spanUntil(opensMs - nowMs)}`
      : closesMs !== null && closesMs > nowMs
        ? `last start in ${spanUntil(closesMs - nowMs)}`
        : null,
    isNear ? inOwnZone(opensMs, closesMs, timeZone, nowMs) : null,
  ].filter(Boolean)
  return (
    <p className="figures max-xl:mt-1">
      <b className="block font-medium">{when}</b>
      <span className="block text-[12.5px] text-ink-2">{beside.join(' · ')}</span>
    </p>
  )
}

const TICKS = { ready: 'bg-ink', attention: 'bg-mid', todo: 'bg-line' } as const

/** Six ticks and how many of them are ready. */
function Ticks({ checklist }: { checklist: Surveyed['checklist'] }) {
  if (!checklist) return <span className="max-xl:hidden" />
  const ready = checklist.filter((state) => state === 'ready').length
  return (
    <div className="max-md:hidden max-xl:mt-2 max-xl:flex max-xl:items-center max-xl:gap-2">
      <span aria-hidden className="grid w-fit grid-cols-[repeat(6,14px)] gap-[3px] xl:mb-1.5">
        {checklist.map((state, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: six rows in a fixed order
          <i key={index} className={`h-[5px] ${TICKS[state]}`} />
        ))}
      </span>
      <span className="block text-[12.5px] text-ink-2">
        {ready} of {checklist.length}
        <span className="sr-only"> of the checklist ready</span>
      </span>
    </div>
  )
}
