import { useEffect, useRef, useState } from 'react'
import { type Filter, roomFilters } from '../../kit/web/list-bar.tsx'
import { type LiveCandidate, TROUBLES } from '../contract.ts'

/** Filters by state, by strikes, and by room if there are several. */
export function filtersOf(rooms: readonly { room: string }[]): Filter<LiveCandidate>[] {
  return [
    { id: 'all', label: 'All', fits: () => true },
    { id: 'inside', label: 'In progress', fits: ({ where }) => where === 'running' },
    { id: 'absent', label: 'Not signed in', fits: ({ where }) => where === 'absent' },
    { id: 'verified', label: 'Signed in', fits: ({ where }) => where === 'verified' },
    { id: 'done', label: 'Done', fits: ({ where }) => where === 'submitted' },
    { id: 'look', label: 'With an alert', fits: (one) => needOf(one) !== null },
    ...(rooms.length > 1 ? roomFilters<LiveCandidate>(rooms.map(({ room }) => room)) : []),
    { id: 'strike', label: 'With a strike', fits: ({ strikes }) => strikes > 0 },
  ]
}

/** Ranks the first unseen alert, 0 being most urgent; null if there is none. */
export function needOf({ marks }: LiveCandidate): number | null {
  const open = marks.find(({ seenBy }) => seenBy === null)
  return open ? TROUBLES.indexOf(open.trouble) : null
}

const WHERE = ['running', 'verified', 'absent', 'submitted'] as const

/** Sorts by urgency, then running candidates by their oldest save, then the others by name (product 7.14.8). */
export function inOrder(people: readonly LiveCandidate[]): LiveCandidate[] {
  const need = (one: LiveCandidate) => needOf(one) ?? TROUBLES.length
  return [...people].sort(
    (a, b) =>
      need(a) - need(b) ||
      WHERE.indexOf(a.where) - WHERE.indexOf(b.where) ||
      (a.where === 'running' ? (a.savedMs ?? 0) - (b.savedMs ?? 0) : 0) ||
      (a.name ?? a.username).localeCompare(b.name ?? b.username),
  )
}

/** The pointer must stay still this long before the order changes. */
const REST_MS = 700
/** A new order waits at most this long, even while the pointer moves. */
const LONGEST_MS = 3_000

/**
 * Keeps rows from jumping under the pointer. A new order appears when the pointer rests or leaves, after three
 * seconds at most (product 7.14.8). Until then new rows come last and removed ones disappear.
 * @param view the filter and search; a change applies the new order immediately
 */
export function useCalmOrder(wanted: readonly string[], view: string) {
  const [shown, setShown] = useState({ ids: wanted, view })
  const movedMs = useRef(0)
  const latest = useRef(wanted)
  latest.current = wanted
  const isOther = shown.view !== view
  const waits = isOther || shown.ids.join() !== wanted.join()

  useEffect(() => {
    if (!waits) return
    const sinceMs = Date.now()
    const tryNow = () => {
      const now = Date.now()
      if (!isOther && now - movedMs.current < REST_MS && now - sinceMs < LONGEST_MS) return
      setShown({ ids: latest.current, view })
      clearInterval(timer)
    }
    const timer = setInterval(tryNow, 100)
    tryNow()
    return () => clearInterval(timer)
  }, [waits, isOther, view])

  const known = new Set(shown.ids)
  const wants = new Set(wanted)
  const kept = shown.ids.filter((id) => wants.has(id))
  return {
    ids: isOther ? wanted : [...kept, ...wanted.filter((id) => !known.has(id))],
    onPointerMove: () => {
      movedMs.current = Date.now()
    },
    onPointerLeave: () => {
      movedMs.current = 0
    },
  }
}
