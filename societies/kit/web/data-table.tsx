import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react'
import { Link, useNavigate } from 'react-router'
import { toggled } from './list-bar.tsx'
import { useMore } from './more.tsx'

export interface Column<Row> {
  id: string
  head: ReactNode
  cell?: (row: Row) => ReactNode
  /** Applies to the header and each cell: 'text-end max-md:hidden'. */
  className?: string
  /** The value to sort by, ascending. */
  sortBy?: (row: Row) => number
  /** Whether an ascending sortBy puts the largest displayed value first. */
  isFalling?: boolean
}

/** The first column. Its text is the row's button or link, and its cell follows the text. */
export type NameColumn<Row> = Column<Row> & { text: (row: Row) => string }

/**
 * A list of rows with an id. Arrow keys move between rows, Enter opens, x and the space bar select, Esc closes.
 * @param props.view a different value means another list, which starts at its top
 * @param props.onTick if omitted, rows can't be selected
 * @param props.details the content that expands below a row, one at a time
 * @param props.phone a row's layout on a phone, if it isn't just narrower
 * @param props.onKey handles other keys on the focused row
 * @param props.above a row above a row; `by` is the sort column, or null if the order is reversed
 */
export function DataTable<Row extends { id: string }>(props: {
  label: string
  rows: readonly Row[]
  name: NameColumn<Row>
  columns: readonly Column<Row>[]
  empty: ReactNode
  view?: string
  sort?: string
  ticked?: ReadonlySet<string>
  onTick?: ((ticked: ReadonlySet<string>) => void) | undefined
  details?: (row: Row) => ReactNode
  chosen?: string | null
  onChoose?: (id: string) => void
  urlOf?: (row: Row) => string | null
  phone?: ((row: Row, name: ReactNode) => ReactNode) | undefined
  rowClass?: (row: Row) => string
  onKey?: (key: string, id: string) => void
  above?: (row: Row, before: Row | undefined, by: string | null) => ReactNode
  className?: string
}) {
  const { name, ticked, onTick, details, chosen, onChoose } = props
  const prefix = useId()
  const [openId, setOpenId] = useState<string | null>(null)
  const [sort, setSort] = useState({ by: props.sort ?? null, isTurned: false })
  const rows = inOrder(props.rows, [name, ...props.columns], sort)
  const { shown, more } = useMore(rows, `${props.view} ${sort.by} ${sort.isTurned}`)
  // Stable function identities keep unchanged rows from rendering again.
  const latest = useRef({ ticked, onTick, onChoose })
  latest.current = { ticked, onTick, onChoose }
  const tick = useCallback((id: string) => {
    latest.current.onTick?.(toggled(latest.current.ticked ?? new Set(), id))
  }, [])
  const press = useCallback((id: string) => {
    if (latest.current.onChoose) latest.current.onChoose(id)
    else setOpenId((now) => (now === id ? null : id))
  }, [])
  const areAllTicked = rows.every(({ id }) => ticked?.has(id))
  const focus = (id: string | undefined) => document.getElementById(`${prefix}-${id}`)?.focus()

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const target = event.target as HTMLElement
    // A row's dialog handles its own keys. It's rendered outside the row, but React events bubble to it.
    if (!event.currentTarget.contains(target)) return
    if (event.key === 'Escape' && openId) {
      event.preventDefault()
      setOpenId(null)
      focus(openId)
    }
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    if (!id || event.ctrlKey || event.metaKey || event.altKey) return
    if (onTick && (event.key === 'x' || (event.key === ' ' && target.tagName === 'A'))) {
      event.preventDefault()
      tick(id)
    }
    props.onKey?.(event.key, id)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    focus(rows[rows.findIndex((one) => one.id === id) + step]?.id)
  }

  if (rows.length === 0) return <p className="py-8 text-ink-2">{props.empty}</p>
  return (
    <>
      <table
        className={`table ${props.className ?? ''}`}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
      >
        <thead className={props.phone ? 'sr-only' : ''}>
          <tr>
            {onTick && (
              <th className="w-7.5">
                <Box
                  label={`Tick all ${rows.length}`}
                  isOn={areAllTicked}
                  onChange={() => onTick(new Set(areAllTicked ? [] : rows.map(({ id }) => id)))}
                />
              </th>
            )}
            {[name, ...props.columns].map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => {
            const to = props.urlOf?.(row)
            const isOpen = details !== undefined && openId === row.id
            return (
              <Fragment key={row.id}>
                {props.above?.(row, rows[at - 1], sort.isTurned ? null : sort.by)}
                <MemoRow
                  row={row}
                  rowIndex={at + 2}
                  linkId={`${prefix}-${row.id}`}
                  name={name}
                  columns={props.columns}
                  phone={props.phone}
                  isTicked={onTick ? ticked?.has(row.id) === true : null}
                  way={details ? 'opens' : onChoose ? 'chosen' : to ? 'link' : null}
                  isOn={isOpen || chosen === row.id}
                  to={to ?? ''}
                  className={props.rowClass?.(row) ?? ''}
                  onTick={tick}
                  onPress={press}
                />
                {isOpen && <Details>{details(row)}</Details>}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {more}
    </>
  )
}

function Details({ children }: { children: ReactNode }) {
  return (
    <tr>
      <td colSpan={30} className="h-auto! border-b-ink! bg-surface p-0!">
        {children}
      </td>
    </tr>
  )
}

interface RowProps<Row> {
  row: Row
  rowIndex: number
  /** The id of the element that gets the row's focus. */
  linkId: string
  name: NameColumn<Row>
  columns: readonly Column<Row>[]
  phone: ((row: Row, name: ReactNode) => ReactNode) | undefined
  /** Null if the row has no checkbox. */
  isTicked: boolean | null
  /** What clicking the row does: expand it, choose it, or follow a link. */
  way: 'opens' | 'chosen' | 'link' | null
  isOn: boolean
  to: string
  className: string
  onTick: (id: string) => void
  onPress: (id: string) => void
}

function DrawnRow<Row extends { id: string }>(props: RowProps<Row>) {
  const { row, name, way, isOn, isTicked, to } = props
  const navigate = useNavigate()
  const text = name.text(row)
  const named = {
    id: props.linkId,
    className:
      'inline-flex min-h-9 items-center py-1 text-start font-medium hover:underline max-md:min-h-11',
  }
  const link =
    way === null ? (
      <span className="font-medium">{text}</span>
    ) : way === 'link' ? (
      <Link to={to} {...named}>
        {text}
      </Link>
    ) : (
      <button
        type="button"
        {...{ [way === 'opens' ? 'aria-expanded' : 'aria-pressed']: isOn }}
        onClick={() => props.onPress(row.id)}
        {...named}
      >
        {text}
      </button>
    )
  // This handler is for the mouse only. The name's link or button works with the keyboard too.
  function onClick(event: MouseEvent) {
    if (!way || (event.target as HTMLElement).closest('a, button, input, label')) return
    if (way === 'link') void navigate(to)
    else props.onPress(row.id)
  }
  const look = isTicked || (way === 'chosen' && isOn) ? 'is-chosen' : isOn ? 'bg-surface' : ''
  return (
    <tr
      data-row={row.id}
      aria-rowindex={props.rowIndex}
      className={`${way ? 'cursor-pointer' : ''} ${look} ${props.className}`}
      onClick={onClick}
    >
      {props.phone ? (
        <td colSpan={30} className="h-[68px]! p-0!">
          {props.phone(row, link)}
        </td>
      ) : (
        <>
          {isTicked !== null && (
            <td>
              <Box label={`Tick ${text}`} isOn={isTicked} onChange={() => props.onTick(row.id)} />
            </td>
          )}
          <td className={name.className}>
            {link}
            {name.cell?.(row)}
          </td>
          {props.columns.map(({ id, cell, className }) => (
            <td key={id} className={className}>
              {cell?.(row)}
            </td>
          ))}
        </>
      )}
    </tr>
  )
}
const MemoRow = memo(DrawnRow) as typeof DrawnRow

function Box(props: { label: string; isOn: boolean; onChange: () => void }) {
  return (
    <label className="grid size-4 place-items-center max-md:-ml-3 max-md:size-11">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.isOn}
        onChange={props.onChange}
      />
    </label>
  )
}

interface Sort {
  by: string | null
  isTurned: boolean
}

function Head<Row>(props: { column: Column<Row>; sort: Sort; onSort: (sort: Sort) => void }) {
  const { id, head, className, sortBy, isFalling = false } = props.column
  const isHere = props.sort.by === id
  const isDown = isFalling !== props.sort.isTurned
  if (!sortBy) {
    return (
      <th scope="col" className={className?.replace('text-end', 'text-end!')}>
        {head}
      </th>
    )
  }
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={`min-h-6 max-md:min-h-11 ${isHere ? 'font-[550] text-ink' : ''}`}
        onClick={() => props.onSort({ by: id, isTurned: isHere && !props.sort.isTurned })}
      >
        {head}
        {isHere && <span aria-hidden> {isDown ? '↓' : '↑'}</span>}
      </button>
    </th>
  )
}

function inOrder<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort) {
  const of = columns.find(({ id }) => id === sort.by)?.sortBy
  if (!of) return rows
  const sorted = [...rows].sort((a, b) => of(a) - of(b))
  return sort.isTurned ? sorted.reverse() : sorted
}
