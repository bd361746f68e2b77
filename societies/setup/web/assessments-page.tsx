import { ChevronRight, Plus } from 'lucide-react'
import { Link } from 'react-router'
import { describeDuration, spanUntil } from '../../../platform/durations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { assessmentUrl, fairnessUrl, societyUrl } from '../../../platform/urls.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { STATE_WORDS, stateOf } from '../../kit/assessment-state.ts'
import { mayOf } from '../../kit/role-words.ts'
import { roomOf } from '../../kit/roles.ts'
import { StateDot, useSociety } from '../../kit/web/console/console.tsx'
import { mayBy, rolesFor, windowOf } from '../../kit/web/console/queries.ts'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { inOwnZone, ownZoneWords } from '../../kit/web/own-zone.ts'
import { Section, Top } from '../../kit/web/section.tsx'
import { zoneDay, zoneName, zoneTime } from '../../kit/zone-time.ts'
import { type Listed, listChecklists } from '../contract-overview.ts'
import { checklistUrl, LOOK_MS, mayOpen, ROW_LINK, WaitingLines } from './checklist-links.tsx'

/** The list's columns on wide screens. On others, a row is a few lines of text. */
const COLUMNS =
  'xl:grid xl:grid-cols-[minmax(0,1fr)_118px_226px_124px_92px_258px_20px] xl:gap-x-6 xl:items-center'
const SMALL = 'text-[12.5px] text-ink-2'
/** Within this time of the window, the member's own time is shown too. */
const NEAR_MS = 7 * 24 * 3_600_000
const TICKS = { ready: 'bg-ink', attention: 'bg-mid', todo: 'bg-line' } as const

/** /organise/:society: the assessments grouped by season (product 7.8.1). */
export function AssessmentsPage() {
  const { society } = useSociety()
  const found = useEndpoint(
    listChecklists,
    { params: { society: society.id } },
    { staleTime: 0, every: LOOK_MS },
  )
  return (
    <Loaded of={found} name="assessments">
      {(list) => (list.assessments.length === 0 ? <NoTests {...list} /> : <Seasons {...list} />)}
    </Loaded>
  )
}

type List = ResponseOf<typeof listChecklists>

function NoTests({ headline, mayCreate }: List) {
  const newUrl = societyUrl(useSociety().society.id, 'new')
  return (
    <Top title="Assessments" headline={headline}>
      {mayCreate ? (
        <>
          Start from a file, or with an empty assessment.
          <span className="mt-5 flex flex-wrap gap-2">
            <Link to={`${newUrl}?from=file`} className="btn btn-ghost">
              From a file
            </Link>
            <Link to={`${newUrl}?from=empty`} className="btn">
              Start empty
            </Link>
          </span>
        </>
      ) : (
        'Ask an owner or an author to create one.'
      )}
    </Top>
  )
}

function Seasons({ headline, assessments, mayCreate }: List) {
  const { society } = useSociety()
  const nowMs = useNowMs(1_000)
  const newUrl = societyUrl(society.id, 'new')
  const own = ownZoneWords(nowMs, society.timeZone)
  // The server sorts the seasons, newest first.
  const seasons = [...new Set(assessments.map((one) => one.season))]
  return (
    <>
      <Top
        title="Assessments"
        headline={headline}
        acts={
          mayCreate && (
            <>
              <Link to={`${newUrl}?from=copy`} className="btn btn-ghost">
                Copy a test
              </Link>
              <Link to={`${newUrl}?from=empty`} className="btn">
                <Plus size={15} aria-hidden />
                New assessment
              </Link>
            </>
          )
        }
      >
        Times are {zoneName(society.timeZone)} time, the society’s zone, unless another zone is
        shown.{own && ` ${own}; your time is shown too when the day is near.`}
      </Top>
      {seasons.map((season, index) => {
        const list = assessments.filter((one) => one.season === season)
        const candidates = list.reduce((sum, one) => sum + one.candidateCount, 0)
        return (
          <Section
            key={season ?? ''}
            title={season ?? 'Without a season'}
            hint={`${countOf(list.length, 'assessment')} · ${countOf(candidates, 'candidate')}`}
            className="mt-10"
          >
            {index === 0 && (
              <div
                aria-hidden
                className={`hidden border-line border-b pt-2.5 pb-2 ${SMALL} ${COLUMNS}`}
              >
                <span>Assessment</span>
                <span>State</span>
                <span>Can be started, {zoneName(society.timeZone)}</span>
                <span>Candidates</span>
                <span>Checklist</span>
                <span>What is next</span>
              </div>
            )}
            <ul>
              {list.map((one) => (
                <AssessmentRow key={one.code} one={one} nowMs={nowMs} />
              ))}
            </ul>
          </Section>
        )
      })}
    </>
  )
}

function AssessmentRow({ one, nowMs }: { one: Listed; nowMs: number }) {
  const { society } = useSociety()
  const state = stateOf(one, nowMs)
  const isOver = state === 'closed'
  const { look, text, link } = one.next
  // Members who only help during the test see their room instead of the others' tasks.
  const roles = rolesFor(society, one.code)
  const may = mayBy(roles)
  const isHelper = roles.every(({ role }) => role === 'invigilator')
  const { when, beside } = windowWords(one, society.timeZone, nowMs)
  // Owners are linked to the page for publishing the fairness report, others to the published report.
  const report =
    may('release_results') && one.submittedCount > 0
      ? assessmentUrl(society.id, one.code, 'fairness')
      : one.fairnessReport && fairnessUrl(one.fairnessReport)
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
        <p className={`figures mt-0.5 break-words max-md:hidden ${SMALL}`}>
          {one.code} · {countOf(one.itemCount, 'question')} ·{' '}
          {describeDuration(one.durationSeconds)}
        </p>
      </div>
      <p className={`flex items-center gap-2 max-xl:mt-2 ${isOver ? '' : 'font-medium'}`}>
        <StateDot state={state} />
        {STATE_WORDS[state]}
      </p>
      <p className="figures max-xl:mt-1">
        <b className="block font-medium">{when}</b>
        <span className={`block ${SMALL}`}>{beside}</span>
      </p>
      <p className="figures max-xl:mt-1 max-md:hidden">
        <b className="font-medium">
          {one.candidateCount}
          <span className="xl:sr-only"> on the list</span>
        </b>
        <span className={`ml-1.5 xl:ml-0 xl:block ${SMALL}`}>{one.candidateNote}</span>
      </p>
      <Ticks checklist={isHelper ? null : one.checklist} />
      <div className="text-pretty text-[13.5px] leading-snug max-xl:mt-2">
        {isHelper ? (
          !isOver && `You ${mayOf('invigilator', roomOf(roles, 'watch_live'))}.`
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
        {isOver && one.kept?.until && (
          <p className={one.kept.warnedAt ? 'amber font-semibold' : ''}>
            Answers and names are deleted on {zoneDay(one.kept.until, one.timeZone, nowMs)}.
          </p>
        )}
        {isOver && report && (
          <Link to={report} className={ROW_LINK}>
            Fairness report<span className="sr-only"> of {one.session ?? one.society}</span>
          </Link>
        )}
      </div>
      <ChevronRight
        size={18}
        aria-hidden
        className="text-line-strong max-xl:absolute max-xl:top-5 max-xl:right-0"
      />
    </li>
  )
}

/** Describes when a test can be started, with its zone if it differs, the time left, and the member's own time. */
function windowWords(one: Listed, societyZone: string, nowMs: number) {
  const { timeZone } = one
  const { opensAtMs: opensMs, closesAtMs: closesMs } = windowOf(one)
  const first = opensMs ?? closesMs
  const state = stateOf(one, nowMs)
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
    timeZone !== societyZone && first !== null && zoneName(timeZone),
    opensMs !== null && opensMs > nowMs
      ? `in ${spanUntil(opensMs - nowMs)}`
      : closesMs !== null && closesMs > nowMs && `last start in ${spanUntil(closesMs - nowMs)}`,
    isNear && inOwnZone(opensMs, closesMs, timeZone, nowMs),
  ]
  return { when, beside: beside.filter(Boolean).join(' · ') }
}

function Ticks({ checklist }: { checklist: Listed['checklist'] }) {
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
      <span className={`block ${SMALL}`}>
        {ready} of {checklist.length}
        <span className="sr-only"> of the checklist ready</span>
      </span>
    </div>
  )
}
