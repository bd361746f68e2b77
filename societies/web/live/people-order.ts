import { type LiveCandidate, TROUBLES } from '../../contract/live.ts'
import { roomTitle } from '../../role-words.ts'
import type { Filter } from '../kit/list-bar.tsx'

const STATES: readonly Filter<LiveCandidate>[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'inside', label: 'Inside', fits: ({ where }) => where === 'running' },
  { id: 'absent', label: 'Not here', fits: ({ where }) => where === 'absent' },
  { id: 'verified', label: 'Signed in', fits: ({ where }) => where === 'verified' },
  { id: 'done', label: 'Done', fits: ({ where }) => where === 'submitted' },
  { id: 'look', label: 'To look at', fits: (one) => needOf(one) !== null },
  { id: 'strike', label: 'With a strike', fits: ({ strikes }) => strikes > 0 },
]
/** More rooms than these make no row of buttons. */
const MOST_ROOMS = 8

/** By where candidates are, by room, and by strikes. */
export function filtersOf(rooms: readonly { room: string }[]): Filter<LiveCandidate>[] {
  const ofRooms = rooms.slice(0, MOST_ROOMS).map(({ room }) => ({
    id: `room ${room}`,
    label: roomTitle(room),
    fits: (one: LiveCandidate) => one.room === room,
  }))
  return [...STATES.slice(0, -1), ...(rooms.length > 1 ? ofRooms : []), ...STATES.slice(-1)]
}

/** How urgently somebody should look, 0 first; null: nobody needs to. */
export function needOf({ marks }: LiveCandidate): number | null {
  const open = marks.find(({ seenBy }) => seenBy === null)
  return open ? TROUBLES.indexOf(open.trouble) : null
}

const WHERE = ['running', 'verified', 'absent', 'submitted'] as const

/** By need, then who is inside by the oldest save, then the others by name (product 7.14.8). */
export function inOrder(people: readonly LiveCandidate[]): LiveCandidate[] {
  const need = (one: LiveCandidate) => needOf(one) ?? TROUBLES.length
  return [...people].sort(
    (a, b) =>
      need(a) - need(b) ||
      WHERE.indexOf(a.where) - WHERE.indexOf(b.where) ||
      (a.where === 'running' ? (a.savedMs ?? 0) - (b.savedMs ?? 0) : 0) ||
      nameOf(a).localeCompare(nameOf(b)),
  )
}

const nameOf = ({ name, username }: LiveCandidate) => name ?? username

/**
 * The order that is shown while another one waits: rows stay where they are, who is new comes last, who is
 * gone leaves.
 */
export function keepOrder(shown: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(shown)
  const wants = new Set(wanted)
  return [...shown.filter((id) => wants.has(id)), ...wanted.filter((id) => !known.has(id))]
}
