import { type KeyboardEvent, memo, type ReactNode, useCallback, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { LIMITS } from '../../../assessments/attempt-log.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import type { LiveCandidate } from '../../contract/live.ts'
import { lengthWords } from '../../day/trouble-words.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneSecond, zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { AnsweredBar, Marks, Strikes } from './marks.tsx'
import { needOf } from './people-order.ts'
import { useIsPhone } from './use-is-phone.ts'

/** So many rows are drawn: more would make each look slow. */
const DRAWN = 300

/** Where a candidate's row leads; null in a simulation, where there is no page of one. */
type Leads = (id: string) => string | null

/** The candidates. Arrows, Enter, x and the space bar work as in every list. */
export function PeopleTable(props: {
  people: readonly LiveCandidate[]
  nowMs: number
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  isSimulation: boolean
}) {
  const { people, nowMs, chosen, onChoose, isSimulation } = props
  const { society } = useSociety()
  const { code } = useAssessment()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const [areAllDrawn, setAreAllDrawn] = useState(false)
  const drawn = areAllDrawn ? people : people.slice(0, DRAWN)
  const latest = useRef({ chosen, onChoose })
  latest.current = { chosen, onChoose }
  const toggle = useCallback((id: string) => {
    const next = new Set(latest.current.chosen)
    if (!next.delete(id)) next.add(id)
    latest.current.onChoose(next)
  }, [])
  const leads: Leads = useCallback(
    (id) => (isSimulation ? null : assessmentUrl(society.id, code, `incidents/${id}`)),
    [society.id, code, isSimulation],
  )
  const mayTick = !isSimulation && !isPhone
  const isAllChosen = people.length > 0 && people.every(({ id }) => chosen.has(id))

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return
    const isTick = event.key === 'x' || (event.key === ' ' && target.tagName === 'A')
    if (isTick && mayTick) {
      event.preventDefault()
      toggle(id)
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = drawn[drawn.findIndex((one) => one.id === id) + step]
    document.getElementById(`live-${next?.id}`)?.focus()
  }

  if (people.length === 0) return <p className="py-8 text-ink-2">Nobody fits.</p>
  return (
    <>
      <table
        className="table table-fixed"
        aria-label="Candidates"
        aria-rowcount={people.length + 1}
        onKeyDown={onKeyDown}
      >
        <thead className="max-md:sr-only">
          <tr>
            {mayTick && (
              <th className="w-7.5">
                <input
                  type="checkbox"
                  className="block"
                  aria-label={`Tick all ${people.length}`}
                  checked={isAllChosen}
                  onChange={() =>
                    onChoose(isAllChosen ? new Set() : new Set(people.map(({ id }) => id)))
                  }
                />
              </th>
            )}
            <th className="w-[21%] max-md:w-auto">Candidate</th>
            <th className="w-[7%]">Room</th>
            <th className="w-[11%]">State</th>
            <th className="w-[15%]">Answered</th>
            <th className="w-[8%] text-end!">Last save</th>
            <th className="w-[7%] text-end!">Clock left</th>
            <th className="w-[8%] text-end! max-lg:hidden">Ends</th>
            <th className="w-[7%] pl-3.5!">Strikes</th>
            <th>Marks</th>
          </tr>
        </thead>
        <tbody>
          {drawn.map((one, index) => (
            <Row
              key={one.id}
              one={one}
              nowMs={one.where === 'running' ? nowMs : 0}
              rowIndex={index + 2}
              isChosen={chosen.has(one.id)}
              mayTick={mayTick}
              isPhone={isPhone}
              url={leads(one.id)}
              onToggle={toggle}
              onOpen={navigate}
            />
          ))}
        </tbody>
      </table>
      {drawn.length < people.length && (
        <button
          type="button"
          className="btn btn-ghost mt-4 max-md:min-h-11"
          onClick={() => setAreAllDrawn(true)}
        >
          Show all {people.length} candidates
        </button>
      )}
    </>
  )
}

interface RowProps {
  one: LiveCandidate
  nowMs: number
  rowIndex: number
  isChosen: boolean
  mayTick: boolean
  isPhone: boolean
  url: string | null
  onToggle: (id: string) => void
  onOpen: (url: string) => void
}

const Row = memo(function Row(props: RowProps) {
  return props.isPhone ? <PhoneRow {...props} /> : <DeskRow {...props} />
})

function DeskRow({ one, nowMs, rowIndex, isChosen, mayTick, url, onToggle, onOpen }: RowProps) {
  const { timeZone } = useAssessment()
  const isInside = one.where === 'running'
  const name = one.name ?? one.username
  const ageMs = isInside && one.savedMs !== null ? nowMs - one.savedMs : null
  return (
    // For the mouse alone: the name in it is the link, for keys too.
    <tr
      data-row={one.id}
      aria-rowindex={rowIndex}
      className={`${url ? 'cursor-pointer' : ''} ${isChosen ? 'is-chosen' : ''} ${isInside ? '' : 'text-ink-2'} whitespace-nowrap`}
      onClick={(event) => {
        if (url && !(event.target as HTMLElement).closest('a, input, label')) onOpen(url)
      }}
    >
      {mayTick && (
        <td>
          <input
            type="checkbox"
            className="block"
            aria-label={`Tick ${name}`}
            checked={isChosen}
            onChange={() => onToggle(one.id)}
          />
        </td>
      )}
      <td className="truncate">
        <NameLink one={one} url={url} />
        {one.name && <small className="ml-1.5 text-[12.5px] text-ink-2">{one.username}</small>}
      </td>
      <td className="truncate">{one.room}</td>
      <td>
        <StateWord one={one} timeZone={timeZone} />
      </td>
      <td>
        <AnsweredBar answered={one.answered} total={one.total} />
        {one.total > 0 && (
          <span className="ml-2">
            {one.answered}
            <span className="sr-only"> of {one.total}</span>
          </span>
        )}
      </td>
      <td className={`text-end ${ageMs !== null && ageMs >= LIMITS.noSaveMs ? 'amber' : ''}`}>
        {ageMs === null ? '–' : ageText(ageMs)}
      </td>
      <td className="text-end font-medium">
        {isInside && one.endsMs !== null ? clockText(one.endsMs - nowMs) : '–'}
      </td>
      <td className="text-end max-lg:hidden">
        {isInside && one.endsMs !== null ? zoneSecond(one.endsMs, timeZone) : '–'}
      </td>
      <td className="pl-3.5!">
        <Strikes strikes={one.strikes} takenBack={one.takenBack} />
      </td>
      <td className="truncate">
        <Marks one={one} />
      </td>
    </tr>
  )
}

function PhoneRow({ one, nowMs, rowIndex, url }: RowProps) {
  const { timeZone } = useAssessment()
  const isInside = one.where === 'running'
  return (
    <tr data-row={one.id} aria-rowindex={rowIndex}>
      <td colSpan={10} className="h-[68px]! p-0!">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
          <div className="truncate">
            <NameLink one={one} url={url} />
            {needOf(one) !== null && (
              <span className="ml-2 text-[12.5px]">
                <Marks one={one} />
              </span>
            )}
          </div>
          <b className="figures text-end font-medium text-[15px]">
            {isInside && one.endsMs !== null ? (
              clockText(one.endsMs - nowMs)
            ) : (
              <StateWord one={one} timeZone={timeZone} />
            )}
          </b>
          <span className="truncate text-[12.5px] text-ink-2">
            <AnsweredBar answered={one.answered} total={Math.min(one.total, 40)} />{' '}
            {one.total > 0 ? `${one.answered} of ${one.total}` : one.room && nameRoom(one.room)}
          </span>
          <span className="figures text-end text-[12.5px] text-ink-2">
            {isInside &&
              (one.savedMs === null ? 'no save yet' : `saved ${ageText(nowMs - one.savedMs)} ago`)}
          </span>
        </div>
      </td>
    </tr>
  )
}

function NameLink({ one, url }: { one: LiveCandidate; url: string | null }): ReactNode {
  const name = one.name ?? one.username
  const look = 'inline-flex items-center font-medium max-md:min-h-11 max-md:text-[15px]'
  if (!url) return <span className={look}>{name}</span>
  return (
    <Link to={url} id={`live-${one.id}`} className={`${look} hover:underline`}>
      {name}
    </Link>
  )
}

const CLOSED: Readonly<Record<string, string>> = {
  violations: 'Closed',
  deadline: 'Time over',
  candidate: 'Done',
}

function StateWord({ one, timeZone }: { one: LiveCandidate; timeZone: string }) {
  const word =
    one.where === 'running'
      ? 'Inside'
      : one.where === 'verified'
        ? 'Signed in'
        : one.where === 'absent'
          ? 'Not here'
          : `${CLOSED[one.reason ?? ''] ?? 'Done'} ${zoneTime(one.closedMs ?? 0, timeZone)}`
  const dot = one.where === 'running' ? '' : one.where === 'absent' ? 'dot-over' : 'dot-open'
  return (
    <span className="inline-flex items-center gap-2">
      <i aria-hidden className={`dot ${dot}`} />
      {word}
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
