import { roomTitle } from '../../kit/role-words.ts'
import type { Filter } from '../../kit/web/list-bar.tsx'
import { type LiveCandidate, TROUBLES } from '../contract.ts'

const STATES: readonly Filter<LiveCandidate>[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'inside', label: 'Inside', fits: ({ where }) => where === 'running' },
  { id: 'absent', label: 'Not here', fits: ({ where }) => where === 'absent' },
  { id: 'verified', label: 'Signed in', fits: ({ where }) => where === 'verified' },
  { id: 'done', label: 'Done', fits: ({ where }) => where === 'submitted' },
  { id: 'look', label: 'To look at', fits: (one) => needOf(one) !== null },
]
const WITH_STRIKE: Filter<LiveCandidate> = {
  id: 'strike',
  label: 'With a strike',
  fits: ({ strikes }) => strikes > 0,
}
/** More room filters would not fit in a row of buttons. */
const MOST_ROOMS = 8

/** Filters by state, by room where there are several, and by strikes. */
export function filtersOf(rooms: readonly { room: string }[]): Filter<LiveCandidate>[] {
  const ofRooms = rooms.slice(0, MOST_ROOMS).map(({ room }) => ({
    id: `room ${room}`,
    label: roomTitle(room),
    fits: (one: LiveCandidate) => one.room === room,
  }))
  return [...STATES, ...(rooms.length > 1 ? ofRooms : []), WITH_STRIKE]
}

/** How urgent the first unseen alert is, 0 first; null: there is none. */
export function needOf({ marks }: LiveCandidate): number | null {
  const open = marks.find(({ seenBy }) => seenBy === null)
  return open ? TROUBLES.indexOf(open.trouble) : null
}

const WHERE = ['running', 'verified', 'absent', 'submitted'] as const

/** By need, then running candidates by their oldest save, then the others by name (product 7.14.8). */
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
