import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { decideRoom, type ShownCluster, type VerdictWord } from '../../contract/incidents.ts'
import { countOf } from '../../number-words.ts'
import { zoneTime } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { IncidentRows, type ListedIncident } from './incident-rows.tsx'
import { VerdictFields } from './verdict-form.tsx'

/** '09:12, room 2.11: 34 of 37 left within a minute': one row that opens, with a verdict for the room. */
export function RoomCluster(props: {
  cluster: ShownCluster
  incidents: readonly ListedIncident[]
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
          {cluster.undecided > 0 && may('decide_incident') && (
            <RoomVerdict key={cluster.undecided} cluster={cluster} />
          )}
          <IncidentRows incidents={incidents} timeZone={timeZone} />
        </>
      )}
    </section>
  )
}

function RoomVerdict({ cluster }: { cluster: ShownCluster }) {
  const place = usePlace()
  const [id] = useState(() => crypto.randomUUID())
  const [verdict, setVerdict] = useState<VerdictWord | null>(null)
  const [reason, setReason] = useState('')
  const { name, undecided } = cluster
  const write = useAct(
    (given: { verdict: VerdictWord; reason: string }) =>
      call(decideRoom, { params: place, body: { id, cluster: name, count: undecided, ...given } }),
    ({ decided }) =>
      toast.success(
        `${countOf(decided, 'verdict')} written`,
        'Each can be taken back on its candidate’s page.',
      ),
  )
  const isReady = verdict !== null && reason.trim() !== ''
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
