import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type LiveCandidate,
  type LiveCounts,
  type LiveTrouble,
  type LiveView,
  TROUBLES,
} from '../../contract/live.ts'
import { companyOf, isInside, type TroubleLine, troublesOf } from '../../day/troubles.ts'
import { describeAction } from '../checklist/action-words.ts'
import { isOfTheDay } from './acts-of-the-day.ts'
import { type Action, type Person, personOf, type Row } from './read-room.ts'
import { coveredName, type Viewer } from './viewer.ts'

/** Actions that are shown. */
const SHOWN_ACTIONS = 20
/** Candidates who are worked on in one turn of the event loop: a save that comes in meanwhile waits for so many. */
const AT_ONCE = 100

/** Who is where in one assessment at one moment, and who needs somebody. */
export interface Snapshot {
  /** milliseconds since 1970 */
  takenMs: number
  /** by id */
  candidates: readonly LiveCandidate[]
  /** what nobody has seen yet, most urgent first */
  lines: readonly TroubleLine[]
  /** newest first */
  actions: readonly Action[]
}

/** Makes a snapshot of what was read. */
export async function makeSnapshot(
  { rows, actions }: { rows: readonly Row[]; actions: readonly Action[] },
  takenMs: number,
): Promise<Snapshot> {
  const people = await mapInTurns(rows, personOf)
  const company = companyOf(people)
  const decided = await mapInTurns(people, (person) => {
    const found = troublesOf(person, company, takenMs)
    const marks = found.map(({ trouble, mark }) => ({ trouble, seenBy: person.seen[mark] ?? null }))
    return {
      candidate: candidateOf(person, marks),
      lines: found.filter(({ mark }) => person.seen[mark] === undefined),
    }
  })
  const urgency = ({ trouble }: TroubleLine) => TROUBLES.indexOf(trouble)
  return {
    takenMs,
    candidates: decided.map(({ candidate }) => candidate),
    lines: decided
      .flatMap(({ lines }) => lines)
      .sort(
        (a, b) =>
          urgency(a) - urgency(b) || a.sinceMs - b.sinceMs || (a.candidate < b.candidate ? -1 : 1),
      ),
    actions,
  }
}

async function mapInTurns<T, R>(list: readonly T[], work: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of list) {
    done.push(work(one))
    if (done.length % AT_ONCE === 0) await nextTurn()
  }
  return done
}

/** What leaves the server of a candidate: named one by one. No score and no choice is among it. */
function candidateOf(person: Person, marks: LiveCandidate['marks']): LiveCandidate {
  const { id, name, username, room, startedMs, submittedMs, verifiedMs } = person
  const counted = person.strikes.filter(({ isCounted }) => isCounted).length
  return {
    id,
    name,
    username,
    room,
    where:
      startedMs === null
        ? verifiedMs === null
          ? 'absent'
          : 'verified'
        : isInside(person)
          ? 'running'
          : 'submitted',
    answered: person.answered,
    total: person.total,
    savedMs: person.savedMs,
    endsMs: person.deadlineMs,
    closedMs: submittedMs,
    reason: person.submitReason,
    strikes: counted,
    takenBack: person.strikes.length - counted,
    extraSeconds: person.extraSeconds,
    givenSeconds: person.incidentSeconds,
    late: person.lateCount,
    marks,
  }
}

/** A snapshot as a member may see it (product 7.14.3). */
export function viewOf(
  snapshot: Snapshot,
  viewer: Viewer,
  simulation: LiveView['simulation'],
): LiveView {
  const { room, isCountsAlone } = viewer
  const visible = visibleTo(snapshot, viewer)
  const lines = linesOf(snapshot, visible)
  return {
    candidates: isCountsAlone ? null : [...visible.values()],
    counts: { ...countsOf([...visible.values()]), toLookAt: lines.length },
    rooms: roomsOf([...visible.values()]),
    toLookAt: isCountsAlone ? [] : lines,
    actions: isCountsAlone ? [] : actionsOf(snapshot, viewer),
    room,
    simulation,
  }
}

/** The candidates of a member's room, by their ids. */
export function visibleTo(
  { candidates }: Snapshot,
  { room, hasNames }: Viewer,
): ReadonlyMap<string, LiveCandidate> {
  const visible = new Map<string, LiveCandidate>()
  for (const one of candidates) {
    if (room !== null && one.room !== room) continue
    visible.set(one.id, hasNames ? one : { ...one, name: null, username: coveredName(one.id) })
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
    return candidate ? (candidate.name ?? candidate.username) : 'somebody in another room'
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
  const usernames = new Set(
    candidates.filter((one) => one.room === room).map(({ username }) => username),
  )
  const isShown = ({ action, detail }: Action) => {
    if (hasLog) return true
    if (!isOfTheDay(action)) return false
    if (room === null) return true
    // What was done for another room is not told here.
    if (typeof detail.username === 'string') return usernames.has(detail.username)
    return typeof detail.room !== 'string' || detail.room === room
  }
  return actions
    .filter(isShown)
    .slice(0, SHOWN_ACTIONS)
    .map(({ id, atMs, actor, userId, action, detail }) => ({
      ...{ id, atMs, by: actor, userId },
      what: describeAction(action, detail, hasNames),
    }))
}
