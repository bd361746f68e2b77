import { GripVertical } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { blindNumber, countOf } from '../../number-words.ts'
import { notedOf, pointsShown, rankShown } from './results-words.ts'
import type { Line } from './use-line.ts'
import { type FormView, isNear, type Row, type Shown } from './view.ts'

const COLUMNS = 'grid grid-cols-[46px_52px_92px_minmax(0,1fr)] items-center'
const GROUP_COLUMN = 'grid grid-cols-[126px_minmax(0,1fr)]'

/**
 * Distribution, groups, line and uncertainty in one picture: a row a score, a blind number a candidate
 * (product 7.17.3). One number is in the way of the tab key; arrows go to the others.
 */
export function ScorePicture(props: {
  view: FormView
  line: Line
  chosenId: string | null
  onChoose: (id: string) => void
  /** those that a filter leaves; null: all */
  filtered: ReadonlySet<string> | null
}) {
  const { view, line, chosenId, onChoose, filtered } = props
  // An element and no ref: the line within it is measured before a ref of what is around it is set.
  const [body, setBody] = useState<HTMLDivElement | null>(null)
  const rows = view.groups.flatMap((group) => group.rows)
  const numbers = rows.flatMap((row) => row.candidates)
  const inTabOrder = numbers.find(({ id }) => id === chosenId) ?? numbers[0]
  const near = numbers.filter(isNear).length
  const labelled = rowForLabel(rows)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const id = (event.target as HTMLElement).dataset.candidate
    const next = id && neighbour(rows, id, event.key)
    if (!next) return
    event.preventDefault()
    onChoose(next.id)
    body?.querySelector<HTMLElement>(`[data-candidate="${next.id}"]`)?.focus()
  }

  return (
    <div className="max-md:hidden">
      <div className={`${GROUP_COLUMN} border-line border-b text-[12.5px] text-ink-2`}>
        <span />
        <div className={`${COLUMNS} h-8.5`}>
          <span>Score</span>
          <span className="sr-only">Error</span>
          <span className="col-start-3">Rank</span>
          <span>Candidates, blind numbers</span>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys between the numbers */}
      <div ref={setBody} className="figures relative" onKeyDown={onKeyDown}>
        {view.groups.map((group, index) => (
          <section
            key={group.high}
            aria-label={group.number ? `Group ${group.number}` : 'All scores'}
            className={`${GROUP_COLUMN} ${index > 0 ? 'border-ink border-t' : ''}`}
          >
            <p className="pt-2 pb-1">
              <b className="block font-medium font-serif text-[17px] leading-tight">
                {group.number ? `Group ${group.number}` : 'No groups'}
              </b>
              <small className="mt-0.5 block text-[12.5px] text-ink-2 leading-snug">
                {countOf(group.count, 'candidate')}
                <br />
                {group.low === group.high
                  ? `${pointsShown(group.high)} ${group.high === 1 ? 'point' : 'points'}`
                  : `${pointsShown(group.low)} to ${pointsShown(group.high)} points`}
              </small>
            </p>
            <ul>
              {group.rows.map((row) => (
                <ScoreRow
                  key={row.points}
                  {...{ row, chosenId, onChoose, filtered }}
                  tabId={inTabOrder?.id ?? null}
                  isBelow={line.points !== null && row.points < line.points && !row.isNear}
                  label={
                    row === labelled && line.points !== null
                      ? `within measurement error of ${pointsShown(line.points)}: ${countOf(near, 'candidate')}`
                      : null
                  }
                />
              ))}
            </ul>
          </section>
        ))}
        {line.points !== null && body && (
          <Cut key={view.form} {...{ rows, line, body }} points={line.points} items={view.items} />
        )}
      </div>
      <Axis />
    </div>
  )
}

/** Where the zone's words are in nobody's way. */
function rowForLabel(rows: readonly Row[]): Row | undefined {
  const zone = rows.filter((row) => row.isNear)
  return zone.find((row) => row.candidates.length < 8) ?? zone[0]
}

function ScoreRow(props: {
  row: Row
  chosenId: string | null
  tabId: string | null
  onChoose: (id: string) => void
  filtered: ReadonlySet<string> | null
  isBelow: boolean
  label: string | null
}) {
  const { row, chosenId, tabId, onChoose, filtered, isBelow, label } = props
  return (
    <li
      data-row={row.points}
      className={`${COLUMNS} min-h-[33px] items-stretch ${isBelow ? 'text-ink-2' : ''}`}
    >
      <span className="self-center whitespace-nowrap font-medium font-serif text-[20px] leading-none">
        {pointsShown(row.points)}
      </span>
      <span className="self-center text-[13px] text-ink-2">
        {row.error !== null && `± ${row.error}`}
      </span>
      <span className="self-center text-[13px] text-ink-2">{row.rank && rankShown(row.rank)}</span>
      <span
        className={`relative -ml-3 flex flex-wrap items-center py-1 pl-3 ${row.isNear ? 'bg-mid-soft' : ''}`}
      >
        {row.candidates.map((one) => (
          <BlindNumber
            key={one.id}
            {...{ one, onChoose }}
            isChosen={one.id === chosenId}
            isInTabOrder={one.id === tabId}
            isFiltered={filtered !== null && !filtered.has(one.id)}
          />
        ))}
        {label && (
          <span className="amber absolute top-2 right-3 font-[550] text-[12.5px]">{label}</span>
        )}
      </span>
    </li>
  )
}

function BlindNumber(props: {
  one: Shown
  isChosen: boolean
  isInTabOrder: boolean
  isFiltered: boolean
  onChoose: (id: string) => void
}) {
  const { one, isChosen, isInTabOrder, isFiltered, onChoose } = props
  return (
    <button
      type="button"
      data-candidate={one.id}
      tabIndex={isInTabOrder ? 0 : -1}
      aria-pressed={isChosen}
      className={`h-6 w-[42px] text-start text-[13px] ${isFiltered ? 'opacity-25' : ''}`}
      onClick={() => onChoose(one.id)}
    >
      <span
        className={`relative ${isChosen ? '-ml-[5px] rounded bg-accent px-[5px] py-0.5 text-on-accent' : ''}`}
      >
        {blindNumber(one.number)}
        <Mark one={one} />
      </span>
    </button>
  )
}

/** The dot at a number's shoulder. */
function Mark({ one }: { one: Shown }) {
  const noted = notedOf(one)
  if (noted === '') return null
  return (
    <>
      <i
        aria-hidden
        className={`absolute -top-0.5 -right-2 size-1.5 rounded-full ${one.strikes > 0 || one.isEndedByStrikes ? 'bg-ink' : 'shadow-[inset_0_0_0_1.3px_var(--line-strong)]'}`}
      />
      <span className="sr-only">, {noted}</span>
    </>
  )
}

/** Whom an arrow key leads to: along the row, or to the same place of the next row that has somebody. */
function neighbour(rows: readonly Row[], id: string, key: string): Shown | undefined {
  const filled = rows.filter(({ candidates }) => candidates.length > 0)
  const at = filled.findIndex(({ candidates }) => candidates.some((one) => one.id === id))
  const row = filled[at]?.candidates ?? []
  const place = row.findIndex((one) => one.id === id)
  const along = (step: number) => row[place + step]
  const across = (step: number) => {
    const next = filled[at + step]?.candidates
    return next?.[Math.min(place, next.length - 1)]
  }
  if (key === 'ArrowRight') return along(1)
  if (key === 'ArrowLeft') return along(-1)
  if (key === 'ArrowDown') return across(1)
  if (key === 'ArrowUp') return across(-1)
  return undefined
}

/** The line: dragged, or moved by the arrow keys. */
function Cut(props: {
  rows: readonly Row[]
  line: Line
  points: number
  items: number
  body: HTMLDivElement
}) {
  const { rows, line, points, items, body } = props
  const [top, setTop] = useState<number | null>(null)
  const isDragged = useRef(false)
  /** lower edges of the rows with the score that is in above them, and the upper edge of all */
  const edges = useCallback(() => {
    const elements = [...body.querySelectorAll<HTMLElement>('[data-row]')]
    const base = body.getBoundingClientRect().top
    const [first] = elements
    return [
      ...(first
        ? [
            {
              points: Number(first.dataset.row) + 1,
              y: first.getBoundingClientRect().top - base,
            },
          ]
        : []),
      ...elements.map((element) => ({
        points: Number(element.dataset.row),
        y: element.getBoundingClientRect().bottom - base,
      })),
    ]
  }, [body])

  useLayoutEffect(() => {
    const place = () => {
      const last = edges().findLast((edge) => edge.points >= points)
      setTop(last?.y ?? edges()[0]?.y ?? null)
    }
    place()
    const watching = new ResizeObserver(place)
    watching.observe(body)
    return () => watching.disconnect()
  }, [edges, points, body])

  function nearest(event: PointerEvent): number {
    const y = event.clientY - body.getBoundingClientRect().top
    const found = edges().reduce((best, edge) =>
      Math.abs(edge.y - y) < Math.abs(best.y - y) ? edge : best,
    )
    return Math.max(0, found.points)
  }
  function onKeyDown(event: KeyboardEvent) {
    const steps = {
      ArrowUp: 1,
      ArrowRight: 1,
      ArrowDown: -1,
      ArrowLeft: -1,
      PageUp: 5,
      PageDown: -5,
    }
    const step = steps[event.key as keyof typeof steps]
    if (!step) return
    event.preventDefault()
    line.step(Math.min(Math.max(0, points + step), highest))
  }
  const highest = Math.max(items, Math.ceil(rows[0]?.points ?? 0)) + 1
  const above = rows
    .filter((row) => row.points >= points)
    .reduce((sum, { candidates }) => sum + candidates.length, 0)
  if (top === null) return null
  return (
    <div
      className="pointer-events-none absolute right-0 left-[126px] z-2 border-ink border-t-2"
      style={{ top: top - 1 }}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label="Cut-off"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={highest}
        aria-valuenow={points}
        aria-valuetext={`${pointsShown(points)} points: ${above} at or above`}
        className="pointer-events-auto absolute -top-3.5 right-0 flex h-[26px] cursor-ns-resize touch-none select-none items-center gap-1.5 rounded bg-ink px-2.5 font-[550] text-[12.5px] text-paper"
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          isDragged.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          if (isDragged.current) line.drag(nearest(event))
        }}
        onPointerUp={(event) => {
          if (!isDragged.current) return
          isDragged.current = false
          line.drop(nearest(event))
        }}
        onPointerCancel={() => {
          isDragged.current = false
          line.leave()
        }}
      >
        <GripVertical size={13} aria-hidden />
        Cut-off {pointsShown(points)}
      </div>
    </div>
  )
}

/** How many a row has. */
function Axis() {
  return (
    <div
      aria-hidden
      className="figures relative ml-[316px] h-6 border-ink border-t text-[12px] text-ink-2"
    >
      <span className="absolute top-1 left-0">1</span>
      <span className="absolute top-1 left-[168px]">5</span>
      <span className="absolute top-1 left-[378px] whitespace-nowrap">10 candidates</span>
    </div>
  )
}
