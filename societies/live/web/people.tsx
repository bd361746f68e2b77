import { createContext, type ReactNode, use, useMemo, useState, useSyncExternalStore } from 'react'
import { LIMITS } from '../../../assessments/attempt-log.ts'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { clockTime, wholeLength } from '../../../platform/durations.ts'
import { countOf } from '../../../platform/words.ts'
import { Acts } from '../../acts/web/acts.tsx'
import { nameRoom } from '../../kit/role-words.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { ChosenBar, useListBar } from '../../kit/web/list-bar.tsx'
import { ColumnWords, Section } from '../../kit/web/section.tsx'
import { useUrlOf } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneSecond, zoneTime } from '../../kit/zone-time.ts'
import type { LiveCandidate, LiveView } from '../contract.ts'
import { TROUBLE_WORDS } from '../trouble-words.ts'
import { filtersOf, inOrder, needOf, useCalmOrder } from './people-order.ts'
import { useIsSimulation } from './use-live.ts'

const WORDS = [
  [
    'State',
    'Starts: has a different start time. Not signed in: hasn’t entered the credentials. Signed in: is waiting to start. In progress: has started. Done: submitted the test, or it was closed by the third strike or the deadline.',
  ],
  ['Answered', 'Each mark is one answered question. The answers aren’t shown here.'],
  ['Last save', 'How long ago an answer reached the server. Amber after three minutes.'],
  [
    'Time left, Ends',
    'The time on the candidate’s own clock, and when it ends. Both include extra time and added minutes.',
  ],
  [
    'Strikes',
    'One square per strike. A struck-through strike was taken back. The third strike that counts closes the test.',
  ],
  [
    'Marks',
    'Unseen alerts are amber. Seen ones show the member’s initials. Extra time and added minutes follow.',
  ],
] as const

/** The time is a context, so only clocks and ages render each second. */
const Now = createContext(0)

type Cell = { one: LiveCandidate }

const NAME = {
  id: 'name',
  head: 'Candidate',
  className: 'w-[21%] truncate max-md:w-auto',
  text: (one: LiveCandidate) => one.name ?? one.username,
  cell: (one: LiveCandidate) =>
    one.name && <small className="ml-1.5 text-[12.5px] text-ink-2">{one.username}</small>,
}
const column = (
  head: string,
  className: string,
  cell: (one: LiveCandidate) => ReactNode,
): Column<LiveCandidate> => ({ id: head, head, className, cell })
const COLUMNS = [
  column('Room', 'w-[7%] truncate', ({ room }) => room),
  column('State', 'w-[11%]', (one) => <StateWord one={one} />),
  column('Answered', 'w-[15%]', ({ answered, total }) => (
    <>
      <AnsweredBar answered={answered} total={total} />
      {total > 0 && (
        <span className="ml-2">
          {answered}
          <span className="sr-only"> of {total}</span>
        </span>
      )}
    </>
  )),
  column('Last save', 'w-[8%] text-end', (one) => <LastSave one={one} />),
  column('Time left', 'w-[7%] text-end', (one) => (
    <span className="font-medium">
      <ClockLeft one={one} />
    </span>
  )),
  column('Ends', 'w-[8%] text-end max-lg:hidden', (one) => <Ends one={one} />),
  column('Strikes', 'w-[7%] pl-3.5!', (one) => <Strikes one={one} />),
  column('Marks', 'truncate', (one) => <Marks one={one} />),
]

const textOf = ({ name, username, room }: LiveCandidate) =>
  `${name ?? ''} ${username} ${room ?? ''}`

/**
 * Shows the candidates with search, filters and actions for selected ones. Simulated candidates have no page of their
 * own.
 */
export function People(props: {
  candidates: readonly LiveCandidate[]
  rooms: LiveView['rooms']
  nowMs: number
}) {
  const { candidates, rooms } = props
  const urlOf = useUrlOf()
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
  return (
    <div onPointerMove={onPointerMove} onPointerLeave={onPointerLeave}>
      <Section
        title="Candidates"
        isHintWide
        hint={
          <>
            Sorted by alerts, then oldest save ·{' '}
            <ColumnWords
              words={WORDS}
              keys="/ searches, the arrow keys move, Enter opens, x or the space bar selects, Esc clears the selection."
            />
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
            empty={candidates.length === 0 ? 'No candidates yet.' : 'No candidates match.'}
            ticked={chosen}
            onTick={isSimulation || isPhone ? undefined : setChosen}
            urlOf={({ id }) => (isSimulation ? null : urlOf(`incidents/of/${id}`))}
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

// The same width as the md breakpoint.
const phone = () => window.matchMedia('(max-width: 767.98px)')

function onPhoneChange(listener: () => void) {
  const query = phone()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Checks whether the window is as narrow as a phone, which uses another row layout. */
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
      {one.where === 'running' && one.savedMs === null && 'no save yet'}
      {one.where === 'running' && one.savedMs !== null && (
        <>
          saved <LastSave one={one} /> ago
        </>
      )}
    </span>
  </div>
)

const isTimed = ({ where, endsMs }: LiveCandidate) => where === 'running' && endsMs !== null

function LastSave({ one: { where, savedMs } }: Cell) {
  const nowMs = use(Now)
  if (where !== 'running' || savedMs === null) return '–'
  const ms = Math.max(0, nowMs - savedMs)
  const seconds = Math.floor(ms / 1000)
  const long = seconds < 3600 ? `${clockText(ms)} min` : wholeLength(ms)
  return (
    <span className={ms >= LIMITS.noSaveMs ? 'amber' : ''}>
      {seconds < 120 ? `${seconds} s` : long}
    </span>
  )
}

/** '9:39' */
const clockText = (ms: number) => clockTime(Math.max(0, Math.ceil(ms / 1000)))

function ClockLeft({ one }: Cell) {
  const nowMs = use(Now)
  return isTimed(one) ? clockText((one.endsMs ?? 0) - nowMs) : '–'
}

function Ends({ one }: Cell) {
  const { timeZone } = useAssessment()
  return isTimed(one) ? zoneSecond(one.endsMs ?? 0, timeZone) : '–'
}

const CLOSED: Readonly<Record<string, string>> = {
  violations: 'Closed',
  deadline: 'Time up',
  candidate: 'Done',
}
const WHERE = {
  running: ['In progress', ''],
  verified: ['Signed in', 'dot-open'],
  absent: ['Not signed in', 'dot-over'],
  submitted: ['', 'dot-open'],
} as const

function StateWord({ one: { where, reason, closedMs, startsMs } }: Cell) {
  const { timeZone } = useAssessment()
  const nowMs = use(Now)
  const [word, dot] = WHERE[where]
  return (
    <span className="inline-flex items-center gap-2">
      <i aria-hidden className={`dot ${dot}`} />
      {startsMs && startsMs[1] > nowMs
        ? `Starts ${zoneMoment(startsMs[0], timeZone, nowMs)}`
        : word || `${CLOSED[reason ?? ''] ?? 'Done'} ${zoneTime(closedMs ?? 0, timeZone)}`}
    </span>
  )
}

function AnsweredBar({ answered, total }: { answered: number; total: number }) {
  if (total === 0) return null
  // 40 questions fill the column; with more, ticks are narrower.
  const tickPx = Math.min(4, 160 / total)
  const mask = `repeating-linear-gradient(90deg, #000 0 ${tickPx * 0.75}px, transparent 0 ${tickPx}px)`
  const background = `linear-gradient(var(--ink), var(--ink)) 0 0 / ${answered * tickPx}px 100% no-repeat, var(--line)`
  const style = { width: total * tickPx, background, maskImage: mask, WebkitMaskImage: mask }
  return <i aria-hidden className="inline-block h-2.5" style={style} />
}

const TAKEN_BACK =
  'border-ink bg-[linear-gradient(135deg,transparent_46%,var(--ink)_46%_54%,transparent_54%)]'

/** Draws one square per strike; withdrawn strikes are struck through. */
function Strikes({ one: { strikes, takenBack } }: Cell) {
  const back = Math.min(takenBack, MAX_VIOLATIONS)
  const squares = Array.from({ length: Math.max(MAX_VIOLATIONS, strikes + back) }, (_, at) =>
    at < strikes ? 'border-ink bg-ink' : at < strikes + back ? TAKEN_BACK : 'border-line-strong',
  )
  const words = [
    ...(strikes > 0 ? [countOf(strikes, 'strike')] : []),
    ...(takenBack > 0 ? [`${takenBack} taken back`] : []),
  ]
  return (
    <>
      <span aria-hidden className="inline-flex gap-[3px] align-[-1px]">
        {squares.map((look, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a square is its place
          <i key={at} className={`inline-block size-[11px] rounded-[2px] border ${look}`} />
        ))}
      </span>
      <span className="sr-only">{words.join(', ') || 'no strikes'}</span>
    </>
  )
}

/** Shows alerts, in amber while unseen, then late answers and extra minutes. */
function Marks({ one }: Cell) {
  const minutes = (seconds: number) => Math.round(seconds / 6) / 10
  const parts = [
    ...one.marks.map(({ trouble, seenBy }) => (
      <span key={trouble} className={seenBy === null ? 'amber font-medium' : ''}>
        {TROUBLE_WORDS[trouble]}
        {seenBy !== null && (
          <>
            , seen by <abbr title={seenBy}>{initialsOf(seenBy)}</abbr>
          </>
        )}
      </span>
    )),
    one.givenSeconds > 0 && `${minutes(one.givenSeconds)} min added`,
    one.extraSeconds > 0 && `${minutes(one.extraSeconds)} min planned`,
    one.late > 0 && 'late answers',
  ].filter(Boolean)
  return (
    <span className="text-[12.5px] text-ink-2">
      {parts.map((part, at) => [at > 0 && ', ', part])}
    </span>
  )
}

/** 'ben.aalto' is BA, 'ana' is AN */
function initialsOf(name: string): string {
  const parts = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    parts.length > 1 ? parts.map((part) => part.charAt(0)).join('') : (parts[0] ?? '').slice(0, 2)
  return letters.slice(0, 3).toUpperCase()
}
