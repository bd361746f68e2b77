import { createContext, type ReactNode, use } from 'react'
import { LIMITS } from '../../../assessments/attempt-log.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import type { LiveCandidate } from '../../contract/live.ts'
import { lengthWords } from '../../day/trouble-words.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneSecond, zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { AnsweredBar, Marks, Strikes } from './marks.tsx'
import { needOf } from './people-order.ts'
import { useIsPhone } from './use-is-phone.ts'

/** The moment: only what shows a clock is drawn anew each second. */
const Now = createContext(0)

const NAME = {
  id: 'name',
  head: 'Candidate',
  className: 'w-[21%] truncate max-md:w-auto',
  text: (one: LiveCandidate) => one.name ?? one.username,
  cell: (one: LiveCandidate) =>
    one.name && <small className="ml-1.5 text-[12.5px] text-ink-2">{one.username}</small>,
}
const COLUMNS: readonly Column<LiveCandidate>[] = [
  { id: 'room', head: 'Room', className: 'w-[7%] truncate', cell: (one) => one.room },
  { id: 'state', head: 'State', className: 'w-[11%]', cell: (one) => <StateWord one={one} /> },
  {
    id: 'answered',
    head: 'Answered',
    className: 'w-[15%]',
    cell: ({ answered, total }) => (
      <>
        <AnsweredBar answered={answered} total={total} />
        {total > 0 && (
          <span className="ml-2">
            {answered}
            <span className="sr-only"> of {total}</span>
          </span>
        )}
      </>
    ),
  },
  {
    id: 'save',
    head: 'Last save',
    className: 'w-[8%] text-end',
    cell: (one) => <LastSave one={one} />,
  },
  {
    id: 'left',
    head: 'Clock left',
    className: 'w-[7%] text-end',
    cell: (one) => (
      <span className="font-medium">
        <ClockLeft one={one} />
      </span>
    ),
  },
  {
    id: 'ends',
    head: 'Ends',
    className: 'w-[8%] text-end max-lg:hidden',
    cell: (one) => <Ends one={one} />,
  },
  {
    id: 'strikes',
    head: 'Strikes',
    className: 'w-[7%] pl-3.5!',
    cell: (one) => <Strikes strikes={one.strikes} takenBack={one.takenBack} />,
  },
  { id: 'marks', head: 'Marks', className: 'truncate', cell: (one) => <Marks one={one} /> },
]

/** The candidates; in a simulation none has a page. */
export function PeopleTable(props: {
  people: readonly LiveCandidate[]
  nowMs: number
  view: string
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
  isSimulation: boolean
}) {
  const { isSimulation } = props
  const { society } = useSociety()
  const { code } = useAssessment()
  const isPhone = useIsPhone()
  return (
    <Now value={props.nowMs}>
      <DataTable
        label="Candidates"
        className="table-fixed"
        rows={props.people}
        view={props.view}
        name={NAME}
        columns={COLUMNS}
        empty="No candidates match."
        ticked={props.ticked}
        onTick={isSimulation || isPhone ? undefined : props.onTick}
        urlOf={({ id }) =>
          isSimulation ? null : assessmentUrl(society.id, code, `incidents/${id}`)
        }
        phone={isPhone ? phoneRow : undefined}
        rowClass={({ where }) => `whitespace-nowrap ${where === 'running' ? '' : 'text-ink-2'}`}
      />
    </Now>
  )
}

const phoneRow = (one: LiveCandidate, name: ReactNode) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
    <div className="truncate">
      {name}
      {needOf(one) !== null && (
        <span className="ml-2 text-[12.5px]">
          <Marks one={one} />
        </span>
      )}
    </div>
    <b className="figures text-end font-medium text-[15px]">
      {isTimed(one) ? <ClockLeft one={one} /> : <StateWord one={one} />}
    </b>
    <span className="truncate text-[12.5px] text-ink-2">
      <AnsweredBar answered={one.answered} total={Math.min(one.total, 40)} />{' '}
      {one.total > 0 ? `${one.answered} of ${one.total}` : one.room && nameRoom(one.room)}
    </span>
    <span className="figures text-end text-[12.5px] text-ink-2">
      {one.where === 'running' &&
        (one.savedMs === null ? (
          'no save yet'
        ) : (
          <>
            saved <LastSave one={one} /> ago
          </>
        ))}
    </span>
  </div>
)

const isTimed = ({ where, endsMs }: LiveCandidate) => where === 'running' && endsMs !== null

function LastSave({ one: { where, savedMs } }: { one: LiveCandidate }) {
  const nowMs = use(Now)
  if (where !== 'running' || savedMs === null) return '–'
  const ms = nowMs - savedMs
  return <span className={ms >= LIMITS.noSaveMs ? 'amber' : ''}>{ageText(ms)}</span>
}

function ClockLeft({ one }: { one: LiveCandidate }) {
  const nowMs = use(Now)
  return isTimed(one) ? clockText((one.endsMs ?? 0) - nowMs) : '–'
}

function Ends({ one }: { one: LiveCandidate }) {
  const { timeZone } = useAssessment()
  return isTimed(one) ? zoneSecond(one.endsMs ?? 0, timeZone) : '–'
}

const CLOSED: Readonly<Record<string, string>> = {
  violations: 'Closed',
  deadline: 'Time over',
  candidate: 'Done',
}
const WHERE = {
  running: { word: 'Inside', dot: '' },
  verified: { word: 'Signed in', dot: 'dot-open' },
  absent: { word: 'Not here', dot: 'dot-over' },
  submitted: { word: '', dot: 'dot-open' },
}

function StateWord({ one: { where, reason, closedMs } }: { one: LiveCandidate }) {
  const { timeZone } = useAssessment()
  const { word, dot } = WHERE[where]
  return (
    <span className="inline-flex items-center gap-2">
      <i aria-hidden className={`dot ${dot}`} />
      {word || `${CLOSED[reason ?? ''] ?? 'Done'} ${zoneTime(closedMs ?? 0, timeZone)}`}
    </span>
  )
}

/** '48 s', '4:10 min' */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds >= 3600) return lengthWords(ms)
  return `${clockText(ms)} min`
}

/** '9:39' */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
