import { ChevronDown } from 'lucide-react'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { decideRoom, type ShownCluster, type VerdictWord } from '../../contract/incidents.ts'
import { countOf } from '../../number-words.ts'
import { zoneTime } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { candidateName } from './incident-headlines.ts'
import { IncidentRows, type ListedIncident } from './incident-rows.tsx'
import type { ListedCandidate } from './queries.ts'
import { VerdictFields } from './verdict-form.tsx'

/** '09:12, room 2.11: 34 of 37 left within a minute': one row that opens, with a verdict for the room. */
export function RoomCluster(props: {
  cluster: ShownCluster
  incidents: readonly ListedIncident[]
  /** all of the list */
  candidates: readonly ListedCandidate[]
  timeZone: string
}) {
  const { cluster, incidents, timeZone } = props
  const { may } = useSociety()
  const [isOpen, setIsOpen] = useState(false)
  const where = cluster.room === null ? 'without a room' : `room ${cluster.room}`
  const people = new Set(cluster.members.map(({ candidateId }) => candidateId)).size
  return (
    <section
      className={
        isOpen
          ? 'my-3 rounded-[8px] border border-ink px-4 pb-4 max-md:-mx-2.5 max-md:px-2.5'
          : 'border-line border-b'
      }
    >
      <h3 className="text-[14px]! font-sans! tracking-normal!">
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex min-h-11 w-full items-center gap-3 py-2 text-left"
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className="flex-1">
            <b className="figures font-semibold">
              {zoneTime(cluster.fromAt, timeZone)}, {where}:
            </b>{' '}
            {people} of {cluster.of} left within a minute
            {cluster.undecided > 0 ? (
              <span className="amber font-medium max-md:block">
                {' '}
                · {cluster.undecided} without a verdict
              </span>
            ) : (
              <span className="text-ink-2 max-md:block"> · all have a verdict</span>
            )}
          </span>
          <ChevronDown size={16} aria-hidden className={isOpen ? 'rotate-180' : ''} />
        </button>
      </h3>
      {isOpen && (
        <>
          <Stayed cluster={cluster} candidates={props.candidates} />
          {cluster.undecided > 0 && may('decide_incident') && (
            <RoomVerdict key={cluster.undecided} cluster={cluster} incidents={incidents} />
          )}
          <IncidentRows incidents={incidents} timeZone={timeZone} />
        </>
      )}
    </section>
  )
}

/** More than so many are not named: of a room that stayed as a whole the list says nothing. */
const STAYED_NAMED = 12

/** Who did not leave: an alarm that somebody sat through looks like that. */
function Stayed(props: { cluster: ShownCluster; candidates: readonly ListedCandidate[] }) {
  const place = usePlace()
  const { stayed } = props.cluster
  const known = props.candidates.filter(({ id }) => stayed.includes(id))
  if (known.length === 0) return null
  return (
    <p className="mb-3 text-[13.5px] text-ink-2 text-pretty">
      {known.length > STAYED_NAMED ? (
        `${known.length} who were inside stayed on the page in that minute.`
      ) : (
        <>
          Inside, and on the page in that minute:{' '}
          {known.map(({ id, number }, at) => (
            <Fragment key={id}>
              <span className="whitespace-nowrap">
                <Link
                  className="quiet-link text-[13.5px]"
                  to={assessmentUrl(place.society, place.code, `incidents/${id}`)}
                >
                  {candidateName(number)}
                </Link>
                {at < known.length - 1 ? ',' : '.'}
              </span>{' '}
            </Fragment>
          ))}
        </>
      )}
    </p>
  )
}

function RoomVerdict(props: { cluster: ShownCluster; incidents: readonly ListedIncident[] }) {
  const { cluster } = props
  const place = usePlace()
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const [verdict, setVerdict] = useState<VerdictWord | null>(null)
  const [reason, setReason] = useState('')
  const { name } = cluster
  const waiting = props.incidents.filter(({ one }) => one.state === 'waiting')
  const undecided =
    cluster.undecided - waiting.filter(({ candidate }) => without.has(candidate.id)).length
  const write = useAct(
    (given: { verdict: VerdictWord; reason: string }, id) =>
      call(decideRoom, {
        params: place,
        body: { id, cluster: name, without: [...without], count: undecided, ...given },
      }),
    ({ decided }) =>
      toast.success(
        `${countOf(decided, 'verdict')} written`,
        'Each can be taken back on its candidate’s page.',
      ),
  )
  const isReady = verdict !== null && reason.trim() !== '' && undecided > 0
  const press = {
    cleared: `Clear ${undecided}`,
    upheld: `Uphold ${undecided}`,
    needs_talk: `Ask for a talk with ${undecided}`,
  }
  return (
    <form
      className="mb-4 grid max-w-[560px] gap-2.5"
      onSubmit={(event) => event.preventDefault()}
      aria-label="One verdict for the room"
    >
      <VerdictFields
        {...{ verdict, reason, onVerdict: setVerdict, onReason: setReason }}
        placeholder="Fire alarm, for the whole room"
      />
      <LeftOut waiting={waiting} without={without} onChange={setWithout} />
      <div className="flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="btn max-md:w-full"
          aria-disabled={!isReady || write.isBusy}
          onClick={() => isReady && verdict && write.run({ verdict, reason: reason.trim() })}
        >
          {write.isBusy ? 'Writing…' : verdict ? press[verdict] : `Decide about ${undecided}`}
        </button>
        <span className="hint text-ink-2">
          One act, a row for each. No second reviewer is needed for a room.
        </span>
      </div>
      {write.problem && (
        <p role="alert" className="amber text-[13px]">
          {write.problem}
        </p>
      )}
    </form>
  )
}

/** About whom nothing is said: who left a moment before the others, say, is decided about by name. */
function LeftOut(props: {
  waiting: readonly ListedIncident[]
  without: ReadonlySet<string>
  onChange: (without: ReadonlySet<string>) => void
}) {
  const { without } = props
  const people = [
    ...new Map(props.waiting.map(({ candidate }) => [candidate.id, candidate])).values(),
  ].sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
  const toggle = (id: string) => {
    const next = new Set(without)
    if (!next.delete(id)) next.add(id)
    props.onChange(next)
  }
  return (
    <details>
      <summary className="quiet-link w-fit cursor-pointer text-[13.5px] max-md:py-3">
        {without.size === 0
          ? 'Leave somebody out'
          : `${countOf(without.size, 'candidate')} left out, without a verdict`}
      </summary>
      <fieldset className="figures mt-2 grid max-h-60 grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-1 overflow-y-auto">
        <legend className="sr-only">Left out of this verdict</legend>
        {people.map(({ id, number }) => (
          <label key={id} className="flex min-h-8 items-center gap-2 text-[13.5px] max-md:min-h-11">
            <input type="checkbox" checked={without.has(id)} onChange={() => toggle(id)} />
            {candidateName(number)}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
