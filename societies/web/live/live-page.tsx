import { Link, useSearchParams } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { zoneSecond } from '../../zone-time.ts'
import { ActsForAll } from '../acts/acts.tsx'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useTellLostLine } from '../console/lost-line.ts'
import { useNowMs } from '../console/use-now.ts'
import { Loaded } from '../kit/loaded.tsx'
import { BeforeOpening, EverybodyOut, isOver } from './before-and-after.tsx'
import { Feed } from './feed.tsx'
import { LiveFigures } from './live-figures.tsx'
import { LookList } from './look-list.tsx'
import { People } from './people.tsx'
import { RehearsalBanner } from './rehearsal-banner.tsx'
import { type LiveState, type Of, useLive } from './use-live.ts'

/** …/live: who needs somebody, and who is where; `?simulation` shows the newest simulation (product 7.14). */
export function Live() {
  const { society } = useSociety()
  const { code } = useAssessment()
  const [search] = useSearchParams()
  const of = { society: society.id, code, isSimulation: search.has('simulation') }
  const found = useLive(of)
  useTitle(of.isSimulation ? 'Live, rehearsal' : 'Live')
  useTellLostLine(found.isError && found.data ? found.data.takenMs : null)
  return (
    <Loaded
      of={found}
      name="live page"
      refused={({ message }) =>
        of.isSimulation && (
          <Message
            isError
            title="There is no rehearsal"
            actions={
              <Link to={assessmentUrl(of.society, code)} className="btn">
                To Overview
              </Link>
            }
          >
            {message}
          </Message>
        )
      }
    >
      {(state) => <Room of={of} state={state} />}
    </Loaded>
  )
}

function Room({ of, state }: { of: Of; state: LiveState }) {
  const { timeZone, opensAt, closesAt } = useAssessment()
  // Between two answers the numbers go on by themselves.
  const nowMs = useNowMs(1_000) + state.offsetMs
  const { counts, candidates, simulation } = state
  const opensMs = opensAt && !of.isSimulation ? Date.parse(opensAt) : null
  const closesMs = closesAt && !of.isSimulation ? Date.parse(closesAt) : null
  const isBefore = opensMs !== null && opensMs > nowMs && counts.inside + counts.done === 0
  const isAfter = !of.isSimulation && isOver(counts, closesMs, nowMs)
  return (
    <>
      {simulation && <RehearsalBanner of={of} simulation={simulation} />}
      {isBefore && <BeforeOpening opensMs={opensMs} nowMs={nowMs} waiting={counts.verified} />}
      {isAfter && <EverybodyOut counts={counts} />}
      {!isBefore && !isAfter && <h1 className="sr-only">Live</h1>}
      <LiveFigures counts={counts} updatedAt={zoneSecond(state.takenMs, timeZone)} />
      {!of.isSimulation && counts.inside + counts.done > 0 && (
        <section aria-label="For everybody" className="mb-7 flex flex-wrap gap-2">
          <ActsForAll rooms={state.rooms.map(({ room }) => room)} />
        </section>
      )}
      {state.room !== null && (
        <p className="mb-6 text-ink-2">
          You see room <b className="font-medium text-ink">{state.room}</b>, as your role says.
        </p>
      )}
      {candidates ? (
        <>
          <div
            className={
              of.isSimulation
                ? 'mb-9'
                : 'mb-9 grid gap-x-12 gap-y-9 xl:grid-cols-[minmax(0,1fr)_316px]'
            }
          >
            <LookList of={of} lines={state.toLookAt} nowMs={nowMs} />
            {!of.isSimulation && (
              <div className="max-md:hidden">
                <Feed actions={state.actions} />
              </div>
            )}
          </div>
          <People of={of} candidates={candidates} rooms={state.rooms} nowMs={nowMs} />
        </>
      ) : (
        <p className="max-w-[76ch] text-ink-2">
          Your role sees these numbers. Who stands behind them is for those on duty: owners,
          invigilators and reviewers.
        </p>
      )}
    </>
  )
}
