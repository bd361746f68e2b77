import { FlaskConical, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { spanUntil } from '../../../platform/durations.ts'
import { societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { useSession } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { ActsForAll } from '../../acts/web/acts.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs, useTellLostLine } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneSecond, zoneTime } from '../../kit/zone-time.ts'
import { getOverview } from '../../setup/contract-overview.ts'
import { stopSimulation } from '../../setup/contract-rehearsal.ts'
import { checklistUrl, mayOpen } from '../../setup/web/checklist-links.tsx'
import type { LiveCounts, LiveView } from '../contract.ts'
import { LookList } from './look-list.tsx'
import { People } from './people.tsx'
import { type LiveState, useIsSimulation, useLive } from './use-live.ts'

/** …/live shows who needs help and each candidate's state; `?simulation` shows the newest simulation (product 7.14). */
export function Live() {
  const urlOf = useUrlOf()
  const isSimulation = useIsSimulation()
  const found = useLive()
  useTitle(isSimulation ? 'Live, rehearsal' : 'Live')
  useTellLostLine(found.isError && found.data ? found.data.takenMs : null)
  return (
    <Loaded
      of={found}
      name="live page"
      refused={({ message }) =>
        isSimulation && (
          <Message
            isError
            title="There is no rehearsal"
            actions={
              <Link to={urlOf()} className="btn">
                Go to Overview
              </Link>
            }
          >
            {message}
          </Message>
        )
      }
    >
      {(state) => <Snapshot state={state} />}
    </Loaded>
  )
}

function Snapshot({ state }: { state: LiveState }) {
  const isSimulation = useIsSimulation()
  const { timeZone, opensAt, lastStartAt } = useAssessment()
  // Clocks and ages keep running between two snapshots.
  const nowMs = useNowMs(1_000) + state.offsetMs
  const { counts, candidates } = state
  const { inside, done } = counts
  const opensMs = opensAt && !isSimulation ? Date.parse(opensAt) : null
  const closesMs = lastStartAt && !isSimulation ? Date.parse(lastStartAt) : null
  const isBefore = opensMs !== null && opensMs > nowMs && inside + done === 0
  const isAfter = closesMs !== null && closesMs < nowMs && inside === 0 && done > 0
  return (
    <>
      {state.simulation && <RehearsalBanner isOver={state.simulation.isOver} />}
      {isBefore && <BeforeOpening opensMs={opensMs} nowMs={nowMs} waiting={counts.verified} />}
      {isAfter && <EverybodyOut counts={counts} />}
      {!isBefore && !isAfter && <h1 className="sr-only">Live</h1>}
      <Figures counts={counts} updatedAt={zoneSecond(state.takenMs, timeZone)} />
      {!isSimulation && inside + done > 0 && (
        <section aria-label="For everyone" className="mb-7 flex flex-wrap gap-2">
          <ActsForAll rooms={state.rooms.map(({ room }) => room)} hasLate={counts.late > 0} />
        </section>
      )}
      {state.room !== null && (
        <p className="mb-6 text-ink-2">
          Your role is for room <b className="font-medium text-ink">{state.room}</b>.
        </p>
      )}
      {candidates ? (
        <>
          <div
            className={`mb-9 ${isSimulation ? '' : 'grid gap-x-12 gap-y-9 xl:grid-cols-[minmax(0,1fr)_316px]'}`}
          >
            <LookList lines={state.toLookAt} candidates={candidates} nowMs={nowMs} />
            {!isSimulation && <Feed actions={state.actions} />}
          </div>
          <People candidates={candidates} rooms={state.rooms} nowMs={nowMs} />
        </>
      ) : (
        <p className="max-w-[76ch] text-ink-2">
          Your role shows these numbers. Only owners, invigilators and reviewers see the candidates.
        </p>
      )}
    </>
  )
}

/** Says that no candidate is real, with a button to end the simulation (product 7.14.10). */
function RehearsalBanner({ isOver }: { isOver: boolean }) {
  const place = usePlace()
  const urlOf = useUrlOf()
  const { may } = useSociety()
  const stop = useAct(() => call(stopSimulation, { params: place }))
  return (
    <div className="warning mb-7 items-center max-md:flex-wrap" role="status">
      <FlaskConical size={16} aria-hidden />
      <p className="flex-1">
        <b className="font-semibold">Rehearsal.</b> {isOver && 'It has ended. '}Nothing here counts.
      </p>
      {isOver ? (
        <Link to={urlOf()} className={LINK}>
          Back to Overview
        </Link>
      ) : (
        may('simulate') && (
          <ActButton
            act={stop}
            busy="Stopping…"
            className="btn btn-ghost btn-small max-md:min-h-11!"
          >
            Stop
          </ActButton>
        )
      )}
    </div>
  )
}

const FIGURES: readonly [keyof LiveCounts, string][] = [
  ['inside', 'in progress'],
  ['absent', 'not signed in'],
  ['verified', 'signed in, waiting'],
  ['done', 'done'],
]

function Figures({ counts, updatedAt }: { counts: LiveCounts; updatedAt: string }) {
  const { toLookAt, saving, inside } = counts
  return (
    <section
      aria-label="Numbers"
      className="mb-7.5 grid grid-cols-4 gap-x-2 border-ink border-b pb-3 md:grid-cols-[repeat(5,auto)_minmax(0,1fr)] md:gap-x-0 md:pb-5"
    >
      <p
        className={`col-span-4 flex items-baseline gap-3 pb-3 md:col-span-1 md:block md:pr-8.5 md:pb-0 ${toLookAt > 0 ? 'amber font-medium' : ''}`}
      >
        <b className="figure block text-[64px] md:text-[60px]">{toLookAt}</b>
        <span className="text-[17px] md:mt-1.5 md:block md:whitespace-nowrap md:text-[13.5px]">
          need attention{' '}
        </span>
      </p>
      {FIGURES.map(([count, label]) => (
        <p key={count} className="md:border-line md:border-l md:pr-8.5 md:pl-7">
          <b className="figure block text-[30px] md:text-[60px]">{counts[count]}</b>
          <span className="mt-1.5 block text-[12.5px] text-ink-2 md:text-[13.5px]">{label}</span>
        </p>
      ))}
      <div
        className={`col-span-4 mt-3 border-line border-t pt-3 md:col-span-1 md:mt-0 md:border-t-0 md:border-l md:pt-0.5 md:pl-7 ${inside === 0 ? 'max-md:hidden' : ''}`}
      >
        {inside > 0 && (
          <p className="text-[13.5px]">
            <i aria-hidden className="dot mr-2" />
            No save for 3 minutes: {inside - saving} of {inside}
          </p>
        )}
        <p className="hint figures mt-1.5 max-md:hidden">updated {updatedAt}</p>
      </div>
    </section>
  )
}

/** The log lists the rest. */
const FEED_LINES = 8

/** Lists organizers' actions, newest first, so that two members don't give the same extra time twice. */
function Feed({ actions }: { actions: LiveView['actions'] }) {
  const { timeZone } = useAssessment()
  const { society, code } = usePlace()
  const log = `${societyUrl(society, 'log')}?${new URLSearchParams({ assessment: code })}`
  const { user } = useSession()
  return (
    <Section
      title="What organizers did"
      hint={
        <Link to={log} className="quiet-link">
          Log
        </Link>
      }
      className="max-md:hidden"
    >
      {actions.length === 0 && <p className="py-4 text-ink-2">Nothing yet.</p>}
      <ol>
        {actions.slice(0, FEED_LINES).map(({ id, atMs, by, userId, what }) => (
          <li
            key={id}
            className="grid grid-cols-[50px_1fr] border-line border-b py-2.5 text-[13.5px]"
          >
            <time className="figures text-ink-2" dateTime={new Date(atMs).toISOString()}>
              {zoneTime(atMs, timeZone)}
            </time>
            <span className="min-w-0 break-words">
              <b className="font-medium">{userId !== null && userId === user?.id ? 'You' : by}</b>{' '}
              {what}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const LINK =
  'link underline underline-offset-3 max-md:inline-flex max-md:min-h-11 max-md:items-center'

/** Before the start: shows the remaining time, waiting candidates, and open checklist items (product 7.14.9). */
function BeforeOpening(props: { opensMs: number; nowMs: number; waiting: number }) {
  const { opensMs, nowMs, waiting } = props
  const { may } = useSociety()
  const { timeZone } = useAssessment()
  const place = usePlace()
  const overview = useEndpoint(getOverview, { params: place }, { every: 10_000 })
  const amber = overview.data?.rows.filter(({ state }) => state === 'attention') ?? []
  return (
    <section aria-label="Before it opens" className="mb-9">
      <h1>
        Opens in <span className="figures">{spanUntil(opensMs - nowMs)}</span>
      </h1>
      <p className="mt-2 text-[15px] text-ink-2">
        {zoneMoment(opensMs, timeZone, nowMs)}.{' '}
        {waiting === 0
          ? 'No one has signed in yet.'
          : `${countOf(waiting, 'candidate has', 'candidates have')} signed in and ${waiting === 1 ? 'waits' : 'wait'}. The test starts automatically.`}
      </p>
      {amber.length > 0 && (
        <ul className="mt-5 max-w-[76ch] border-line border-t">
          {amber.map(({ row, finding, link }) => (
            <li
              key={row}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2.5"
            >
              <TriangleAlert size={16} aria-hidden className="amber flex-none" />
              <span className="min-w-0 flex-1">
                <span className="sr-only">To fix: </span>
                {finding}
              </span>
              {mayOpen(may, link.page) && (
                <Link to={checklistUrl(place.society, place.code, link)} className={LINK}>
                  {link.label}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** After the end: says that all candidates have finished, and who has late answers (product 7.14.9). */
function EverybodyOut({ counts }: { counts: LiveCounts }) {
  const { may } = useSociety()
  const urlOf = useUrlOf()
  return (
    <section aria-label="After the end" className="mb-9">
      <h1>Everyone has finished.</h1>
      <p className="mt-2 text-[15px] text-ink-2">
        {countOf(counts.done, 'candidate')} took the test
        {counts.absent > 0 && `, ${counts.absent} did not show up`}.{' '}
        {counts.late > 0 && (
          <span className={may('accept_late_answers') ? 'amber font-medium' : ''}>
            {countOf(counts.late, 'candidate')} sent answers after the end, which don’t count.{' '}
            {may('accept_late_answers') && '‘Late answers’ shows whether any can count. '}
          </span>
        )}
        {may('report_incident') && (
          <Link to={urlOf('incidents')} className={LINK}>
            Go to Incidents
          </Link>
        )}
      </p>
    </section>
  )
}
