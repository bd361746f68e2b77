import { createContext, type ReactNode, use, useMemo, useState, useSyncExternalStore } from 'react'
import { LIMITS } from '../../../assessments/attempt-log.ts'
import { wholeLength } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Acts } from '../../acts/web/acts.tsx'

import { nameRoom } from '../../kit/role-words.ts'
import { ChosenBar } from '../../kit/web/chosen-bar.tsx'
import { ColumnWords } from '../../kit/web/heads.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneSecond, zoneTime } from '../../kit/zone-time.ts'
import { exportLive, type LiveCandidate, type LiveView } from '../contract.ts'
import { AnsweredBar, Marks, Strikes } from './marks.tsx'
import { filtersOf, inOrder, needOf } from './people-order.ts'
import { useCalmOrder } from './use-calm-order.ts'
import { useIsSimulation } from './use-live.ts'

const WORDS = [
  [
    'State',
    'Not here: has not entered the credentials. Signed in: has, and waits. Inside: has started. Done, or closed by the third strike or the clock, with the time.',
  ],
  ['Answered', 'One tick is one question. The chosen answers are not shown here.'],
  ['Last save', 'How long ago an answer reached the server. Amber after three minutes.'],
  [
    'Clock left, Ends',
    "What the candidate's own clock shows, and when it ends, with extra time and minutes given.",
  ],
  [
    'Strikes',
    'One square for each strike that counts; struck through: taken back. The third closes the test.',
  ],
  [
    'Marks',
    'Alerts that nobody has seen yet are amber. Then who has seen the others, planned extra time and minutes given.',
  ],
] as const

/** The time. It is a context so that only clocks and ages are drawn again each second. */
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

const textOf = ({ name, username, room }: LiveCandidate) =>
  `${name ?? ''} ${username} ${room ?? ''}`

/** The candidates: search, filters, the list, and actions for ticked ones. In a simulation none has a page. */
export function People(props: {
  candidates: readonly LiveCandidate[]
  rooms: LiveView['rooms']
  nowMs: number
}) {
  const { candidates, rooms } = props
  const place = usePlace()
  const isSimulation = useIsSimulation()
  const isPhone = useIsPhone()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const filters = useMemo(() => filtersOf(rooms), [rooms])
  const list = useListBar(candidates, { by: 'Name, username or room', textOf, filters })
  const wanted = useMemo(() => inOrder(list.shown).map(({ id }) => id), [list.shown])
  const { ids, onPointerMove, onPointerLeave } = useCalmOrder(wanted, list.view)
  const byId = useMemo(() => new Map(candidates.map((one) => [one.id, one])), [candidates])
  const shown = ids.flatMap((id) => byId.get(id) ?? [])
  const ticked = shown.filter(({ id }) => chosen.has(id))
  const [room, ...others] = new Set(ticked.map((one) => one.room))
  const untick = () => setChosen(new Set())
  const write = useAct(
    () => call(exportLive, { params: place, body: { candidates: shown.map(({ id }) => id) } }),
    ({ csv }) => saveAsFile(`${place.code}-live.csv`, csv, 'text/csv;charset=utf-8'),
  )
  return (
    <div onPointerMove={onPointerMove} onPointerLeave={onPointerLeave}>
      <Section
        title="Candidates"
        isHintWide
        hint={
          <>
            Sorted by: to look at, then oldest save ·{' '}
            <ColumnWords
              words={WORDS}
              keys="/ searches, the arrows move, Enter opens, x or the space bar ticks, Esc unticks."
            />
            {!isSimulation && (
              <>
                {' · '}
                <ActButton
                  act={write}
                  busy="Writing it…"
                  can={shown.length > 0}
                  className="quiet-link"
                >
                  CSV of what is shown
                </ActButton>
              </>
            )}
          </>
        }
      >
        {list.bar}
        <Now value={props.nowMs}>
          <DataTable
            label="Candidates"
            className="table-fixed"
            rows={shown}
            view={list.view}
            name={NAME}
            columns={COLUMNS}
            empty="No candidates match."
            ticked={chosen}
            onTick={isSimulation || isPhone ? undefined : setChosen}
            urlOf={({ id }) =>
              isSimulation ? null : assessmentUrl(place.society, place.code, `incidents/${id}`)
            }
            phone={isPhone ? phoneRow : undefined}
            rowClass={({ where }) => `whitespace-nowrap ${where === 'running' ? '' : 'text-ink-2'}`}
          />
        </Now>
        {ticked.length > 0 && (
          <ChosenBar
            count={ticked.length}
            note={room && others.length === 0 ? nameRoom(room) : ''}
            onUntick={untick}
          >
            <Acts chosen={ticked} onDone={untick} />
          </ChosenBar>
        )}
      </Section>
    </div>
  )
}

// As wide as the utilities' md.
const phone = () => window.matchMedia('(max-width: 767.98px)')

function onPhoneChange(listener: () => void) {
  const query = phone()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone's, where rows have another layout. */
const useIsPhone = () => useSyncExternalStore(onPhoneChange, () => phone().matches)

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
  return seconds < 3600 ? `${clockText(ms)} min` : wholeLength(ms)
}

/** '9:39' */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
