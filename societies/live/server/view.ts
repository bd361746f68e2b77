import type { Sendable } from '../../../platform/server/api.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { mayWith, roomOf } from '../../kit/roles.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import type { LiveCandidate, LiveCounts, LiveTrouble, LiveView } from '../contract.ts'
import type { Action } from './read-room.ts'
import type { Snapshot } from './snapshot.ts'

/** How much of a snapshot a member sees (product 7.14.3). */
export interface Viewer {
  /** null: every room */
  room: string | null
  /** counts without candidates */
  isCountsAlone: boolean
  hasNames: boolean
  /** actions that only readers of the log see */
  hasLog: boolean
}

export function viewerOf({ extent, roles: held }: Pick<Member, 'extent' | 'roles'>): Viewer {
  const roles = held.map(({ role }) => role)
  return {
    room: roomOf(held, 'watch_live'),
    isCountsAlone: extent !== 'all' && !extent.includes('own_room'),
    hasNames: mayWith(roles, 'see_names') === 'all',
    hasLog: mayWith(roles, 'read_log') === 'all',
  }
}

/** Every viewer of a simulation sees the whole crowd: none of its candidates is real. */
export const OF_SIMULATION: Viewer = {
  room: null,
  isCountsAlone: false,
  hasNames: true,
  hasLog: false,
}

/** How many actions are shown. */
const SHOWN_ACTIONS = 20

/**
 * Actions that only readers of the log see (product 7.7.4). Actions for candidates are shown to all viewers, so that
 * two people don't give the same minutes twice.
 */
const OF_THE_LOG =
  /question|picture|import|export|^(create|copy|load|publish|take-back|settings|add-candidates|change-letter|results|dossier|regrade|ask-to-delete|keep|delete|delete-demo|read-keys|check-keys|simulate|stop-simulation)$|key-check|rul|release|result|verdict/

/** A snapshot as a member sees it (product 7.14.3). */
export function viewOf(
  snapshot: Snapshot,
  viewer: Viewer,
  simulation: Sendable<LiveView['simulation']>,
): Sendable<LiveView> {
  const { room, isCountsAlone } = viewer
  const visible = visibleTo(snapshot, viewer)
  const candidates = [...visible.values()]
  const lines = linesOf(snapshot, visible)
  return {
    candidates: isCountsAlone ? null : candidates,
    counts: { ...countsOf(candidates), toLookAt: lines.length },
    rooms: roomsOf(candidates),
    toLookAt: isCountsAlone ? [] : lines,
    actions: isCountsAlone ? [] : actionsOf(snapshot, viewer),
    room,
    simulation,
  }
}

/** The candidates that a member sees, by id. */
export function visibleTo(
  { candidates }: Snapshot,
  { room, hasNames }: Viewer,
): ReadonlyMap<string, LiveCandidate> {
  const visible = new Map<string, LiveCandidate>()
  for (const one of candidates) {
    if (room !== null && one.room !== room) continue
    // The stand-in is the same in each snapshot and tells nothing.
    const covered = { name: null, username: `candidate ${one.id.slice(0, 6)}` }
    visible.set(one.id, hasNames ? one : { ...one, ...covered })
  }
  return visible
}

function countsOf(candidates: readonly LiveCandidate[]): Omit<LiveCounts, 'toLookAt'> {
  const countOf = (isMeant: (one: LiveCandidate) => boolean) => candidates.filter(isMeant).length
  return {
    inside: countOf(({ where }) => where === 'running'),
    absent: countOf(({ where }) => where === 'absent'),
    verified: countOf(({ where }) => where === 'verified'),
    done: countOf(({ where }) => where === 'submitted'),
    saving: countOf(
      ({ where, marks }) =>
        where === 'running' && marks.every(({ trouble }) => trouble !== 'no_save'),
    ),
    late: countOf(({ late }) => late > 0),
  }
}

/** Rooms by name, 2 before 10. */
const byName = new Intl.Collator('en', { numeric: true })

function roomsOf(candidates: readonly LiveCandidate[]): LiveView['rooms'] {
  const rooms = new Map<string, LiveView['rooms'][number]>()
  for (const { room, where } of candidates) {
    if (!room) continue
    const counted = rooms.get(room) ?? { room, listed: 0, inside: 0 }
    counted.listed += 1
    if (where === 'running') counted.inside += 1
    rooms.set(room, counted)
  }
  return [...rooms.values()].sort((a, b) => byName.compare(a.room, b.room))
}

function linesOf({ lines }: Snapshot, visible: ReadonlyMap<string, LiveCandidate>): LiveTrouble[] {
  const nameOf = (id: string): string => {
    const candidate = visible.get(id)
    return candidate ? (candidate.name ?? candidate.username) : 'someone in another room'
  }
  return lines.flatMap((line) => {
    const candidate = visible.get(line.candidate)
    if (!candidate) return []
    const { name, username, room } = candidate
    return [{ ...line, name, username, room, linked: [...new Set(line.linked.map(nameOf))] }]
  })
}

function actionsOf(
  { candidates, actions }: Snapshot,
  { room, hasNames, hasLog }: Viewer,
): LiveView['actions'] {
  const inRoom = new Set(
    candidates.filter((one) => one.room === room).map(({ username }) => username),
  )
  const isShown = ({ action, detail }: Action) => {
    if (hasLog) return true
    if (OF_THE_LOG.test(action)) return false
    if (room === null || detail.to === 'all') return true
    // Actions for other rooms and their candidates are left out.
    const { username, usernames, moved, reopened } = detail
    if (typeof detail.room === 'string' && !username) return detail.room === room
    const names = [username, usernames, moved, reopened].flat()
    const named = names.filter((one) => typeof one === 'string')
    return named.length === 0 || named.some((one) => inRoom.has(one))
  }
  return actions
    .filter(isShown)
    .slice(0, SHOWN_ACTIONS)
    .map(({ id, atMs, actor, userId, action, detail }) => ({
      id,
      atMs,
      by: actor,
      userId,
      what: describeAction(action, detail, hasNames),
    }))
}
