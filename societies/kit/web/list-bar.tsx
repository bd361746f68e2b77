import { Search } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { roomTitle } from '../role-words.ts'

export interface Filter<Row> {
  id: string
  label: string
  fits: (row: Row) => boolean
}

/** One filter per room. More than eight would not fit in a row of buttons. */
export const roomFilters = <Row extends { room: string | null }>(
  rooms: readonly string[],
): Filter<Row>[] =>
  rooms.slice(0, 8).map((room) => ({
    id: `room ${room}`,
    label: roomTitle(room),
    fits: (one) => one.room === room,
  }))

/** Removes diacritics, so that searching for Conceicao finds Conceição. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function isFound(text: string, search: string): boolean {
  const whole = plain(text)
  return plain(search)
    .split(/\s+/)
    .every((word) => whole.includes(word))
}

/** Returns filters with at least one match, each with its count. The first filter is always included. */
export const countedOf = <Row,>(rows: readonly Row[], filters: readonly Filter<Row>[]) =>
  filters
    .map((filter) => ({ ...filter, count: rows.filter(filter.fits).length }))
    .filter(({ count }, at) => at === 0 || count > 0)

/**
 * A list's search and filters.
 * @param by what can be searched: 'Name, username or room'
 * @param told the current filter and its setter, if the page holds them
 * @returns the matching rows, a key that identifies the view, and the bar to show above the list
 */
export function useListBar<Row>(
  rows: readonly Row[],
  list: {
    by: string
    textOf: (row: Row) => string
    filters: readonly Filter<Row>[]
    width?: string
    told?: readonly [filter: string, choose: (filter: string) => void]
  },
) {
  const { textOf } = list
  const [search, setSearch] = useState('')
  const own = useState('')
  const [chosen, choose] = list.told ?? own
  const searched = useDeferredValue(search)
  const filters = useMemo(() => countedOf(rows, list.filters), [rows, list.filters])
  const filter = filters.find(({ id }) => id === chosen) ?? filters[0]
  const fits = (row: Row, text: string) => (filter?.fits(row) ?? true) && isFound(textOf(row), text)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what `fits` is made of
  const shown = useMemo(
    () => rows.filter((row) => fits(row, searched)),
    [rows, filter, searched, textOf],
  )
  return {
    shown,
    /** Returns the first match for the current input. The displayed rows may be slightly behind. */
    findFirst: () => rows.find((row) => fits(row, search)),
    view: `${filter?.id} ${searched}`,
    bar: (
      <div className="flex flex-wrap items-center gap-x-5.5 gap-y-2 pt-3 pb-1">
        <SearchField
          by={list.by}
          className={list.width ?? 'w-60'}
          value={search}
          onChange={setSearch}
        />
        <FilterButtons legend="Show" filters={filters} chosen={filter?.id} onChoose={choose} />
      </div>
    ),
  }
}

export function FilterButtons(props: {
  legend: string
  filters: readonly { id: string; label: string; count: number }[]
  chosen: string | undefined
  className?: string
  onChoose: (id: string) => void
}) {
  return (
    <fieldset
      className={`filters max-md:gap-y-0! max-md:[&_button]:min-h-11 ${props.className ?? ''}`}
    >
      <legend className="sr-only">{props.legend}</legend>
      {props.filters.map(({ id, label, count }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === props.chosen}
          onClick={() => props.onChoose(id)}
        >
          {label} <small>{count}</small>
        </button>
      ))}
    </fieldset>
  )
}

/** Filters a list by typed text. '/' focuses the field and Escape clears it. */
function SearchField(props: {
  by: string
  className: string
  value: string
  onChange: (text: string) => void
}) {
  const { by, value, onChange } = props
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as HTMLElement).closest(
        'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]',
      )
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <label className={`relative max-md:w-full ${props.className}`}>
      <span className="sr-only">
        Search by {by.charAt(0).toLowerCase()}
        {by.slice(1)}
      </span>
      <Search
        size={15}
        aria-hidden
        className="-translate-y-1/2 absolute top-1/2 left-3 text-ink-2"
      />
      <input
        ref={field}
        type="search"
        className="field w-full pl-8.5!"
        placeholder={by}
        aria-keyshortcuts="/"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('')
          // Some dialogs have this field inside their form, which Enter must not submit.
          if (event.key === 'Enter' && event.currentTarget.closest('[role=dialog]')) {
            event.preventDefault()
          }
        }}
      />
    </label>
  )
}

/** The actions for selected rows, at the bottom of the page. Esc clears the selection. */
export function ChosenBar(props: {
  count: number
  /** Shown next to the count, such as 'room 2.11'. */
  note?: string
  onUntick: () => void
  children: ReactNode
}) {
  const untick = useRef(props.onUntick)
  untick.current = props.onUntick
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Search fields and dialogs handle Esc themselves, and an open row closes first.
      const isElsewhere = (event.target as HTMLElement).closest('input[type=search], [role=dialog]')
      if (event.key === 'Escape' && !isElsewhere && !event.defaultPrevented) untick.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <section className="chosen-bar" aria-label="With the ticked rows">
      <b className="mr-1.5 font-semibold">{props.count} ticked</b>
      <span className="mr-3 opacity-70">{props.note}</span>
      {props.children}
      <button type="button" onClick={props.onUntick}>
        Untick
      </button>
    </section>
  )
}

export function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(items)
  if (!next.delete(item)) next.add(item)
  return next
}
