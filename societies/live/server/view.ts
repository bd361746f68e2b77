import { wholeMinute } from '../../../platform/durations.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import { standIn } from '../../access/server/reach.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { may, mayWith, roomOf } from '../../kit/roles.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import { type LiveCandidate, type LiveTrouble, type LiveView, TROUBLES } from '../contract.ts'
import { companyOf, isInside, type TroubleLine, troublesOf } from '../troubles.ts'
import { type Action, type Person, personOf, type Row } from './read-room.ts'

/** The state of a test at one moment, and its alerts. */
export interface Snapshot {
  takenMs: number
  /** by id */
  candidates: readonly LiveCandidate[]
  /** unseen alerts, most urgent first */
  lines: readonly TroubleLine[]
  actions: readonly Action[]
}

export async function makeSnapshot(
  { rows, actions }: { rows: readonly Row[]; actions: readonly Action[] },
  takenMs: number,
): Promise<Snapshot> {
  const people = await mapInSlices(rows, personOf)
  const company = companyOf(people)
  const lines: TroubleLine[] = []
  const candidates = await mapInSlices(people, (person) => {
    const found = troublesOf(person, company, takenMs)
    lines.push(...found.filter(({ mark }) => person.seen[mark] === undefined))
    const marks = found.map(({ trouble, mark }) => ({ trouble, seenBy: person.seen[mark] ?? null }))
    return candidateOf(person, marks)
  })
  const urgency = ({ trouble }: TroubleLine) => TROUBLES.indexOf(trouble)
  lines.sort(
    (a, b) =>
      urgency(a) - urgency(b) || a.sinceMs - b.sinceMs || (a.candidate < b.candidate ? -1 : 1),
  )
  return { takenMs, candidates, lines, actions }
}

const startsOf = ({ startedMs, startsFromMs, startsUntilMs }: Person): LiveCandidate['startsMs'] =>
  startedMs === null && startsFromMs !== null && startsUntilMs !== null
    ? [startsFromMs, startsUntilMs]
    : null

/** Picks the fields that leave the server one by one, without scores or choices. */
function candidateOf(person: Person, marks: LiveCandidate['marks']): LiveCandidate {
  const strikes = person.strikes.filter(({ isCounted }) => isCounted).length
  const beforeStart = person.verifiedMs === null ? 'absent' : 'verified'
  // This is a single literal, because a spread costs V8 several times as much.
  return {
    id: person.id,
    name: person.name,
    username: person.username,
    room: person.room,
    where: person.startedMs === null ? beforeStart : isInside(person) ? 'running' : 'submitted',
    answered: person.answered,
    total: person.total,
    savedMs: isInside(person) ? person.savedMs : null,
    startsMs: startsOf(person),
    // Results show durations by blind number, so times next to a name are rounded.
    endsMs: isInside(person) ? person.deadlineMs : null,
    closedMs: person.submittedMs === null ? null : wholeMinute(person.submittedMs),
    reason: person.submitReason,
    strikes,
    takenBack: person.strikes.length - strikes,
    extraSeconds: person.extraSeconds,
    givenSeconds: person.incidentSeconds,
    late: person.lateCount,
    marks,
  }
}

/** How much of a snapshot a member can see (product 7.14.3). */
export interface Viewer {
  /** null: all rooms */
  room: string | null
  /** only counts, without candidates */
  isCountsAlone: boolean
  hasNames: boolean
  /** the room with visible names; null: all rooms */
  namesIn: string | null
  /** includes actions that only readers of the log can see */
  hasLog: boolean
}

export function viewerOf({ extent, roles: held }: Pick<Member, 'extent' | 'roles'>): Viewer {
  const roles = held.map(({ role }) => role)
  return {
    room: roomOf(held, 'watch_live'),
    isCountsAlone: extent !== 'all' && !extent.includes('own_room'),
    hasNames: mayWith(roles, 'see_names') === 'all',
    namesIn: roomOf(
      held.filter(({ role }) => may(role, 'see_names') === 'all'),
      'see_names',
    ),
    hasLog: mayWith(roles, 'read_log') === 'all',
  }
}

/** All viewers of a simulation see everything, because no candidate is real. */
export const OF_SIMULATION: Viewer = {
  room: null,
  isCountsAlone: false,
  hasNames: true,
  namesIn: null,
  hasLog: false,
}

export function viewOf(
  snapshot: Snapshot,
  viewer: Viewer,
  simulation: Sendable<LiveView['simulation']>,
): Sendable<LiveView> {
  const { room, isCountsAlone, hasNames, namesIn } = viewer
  const candidates = snapshot.candidates
    .filter((one) => room === null || one.room === room)
    // The placeholder is the same in each snapshot and reveals nothing.
    .map((one) =>
      hasNames && (namesIn === null || one.room === namesIn) ? one : { ...one, ...standIn(one.id) },
    )
  const lines = linesOf(snapshot, candidates)
  const counts = { ...countsOf(candidates), toLookAt: lines.length }
  const rooms = roomsOf(candidates)
  const shared = { counts, rooms, room, simulation }
  return isCountsAlone
    ? { ...shared, candidates: null, toLookAt: [], actions: [] }
    : { ...shared, candidates, toLookAt: lines, actions: actionsOf(snapshot, viewer) }
}

/** Counts everyone in one pass, because a pass for each figure would block other calls. */
function countsOf(candidates: readonly LiveCandidate[]): Omit<LiveView['counts'], 'toLookAt'> {
  const counts = { inside: 0, absent: 0, verified: 0, done: 0, saving: 0, late: 0 }
  for (const { where, marks, late } of candidates) {
    if (where === 'running') {
      counts.inside += 1
      if (marks.every(({ trouble }) => trouble !== 'no_save')) counts.saving += 1
    } else if (where === 'submitted') counts.done += 1
    else counts[where] += 1
    if (late > 0) counts.late += 1
  }
  return counts
}

/** Rooms are sorted by name, with 2 before 10. */
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

function linesOf({ lines }: Snapshot, candidates: readonly LiveCandidate[]): LiveTrouble[] {
  const visible = new Map(candidates.map((one) => [one.id, one]))
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

const SHOWN_ACTIONS = 20

/**
 * All viewers see these actions for candidates during a test. Other actions are only for readers of the log (product
 * 7.7.4).
 */
const SHOWN_TO_ALL = new Set([
  ...['give-time', 'plan-time', 'end-at', 'reopen', 'end-now', 'undo-time'],
  ...['message', 'withdraw-message', 'reset', 'slips'],
  ...['take-strikes-back', 'restore-strikes', 'seen', 'unseen'],
])

function actionsOf(
  { candidates, actions }: Snapshot,
  { room, hasNames, namesIn, hasLog }: Viewer,
): LiveView['actions'] {
  const inRoom = new Set(
    candidates.filter((one) => one.room === room).map(({ username }) => username),
  )
  const isShown = ({ action, detail }: Action) => {
    if (hasLog) return true
    if (!SHOWN_TO_ALL.has(action)) return false
    if (room === null || detail.to === 'all') return true
    // This leaves out actions for other rooms and their candidates, and actions without either.
    const { username, usernames, moved, reopened } = detail
    if (typeof detail.room === 'string' && !username) return detail.room === room
    const names = [username, usernames, moved, reopened].flat()
    return names.some((one) => typeof one === 'string' && inRoom.has(one))
  }
  return actions
    .filter(isShown)
    .slice(0, SHOWN_ACTIONS)
    .map(({ id, atMs, actor: by, userId, action, detail }) => ({
      ...{ id, atMs, by, userId },
      what: describeAction(action, detail, hasNames && (namesIn === null || namesIn === room)),
    }))
}
