import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { LiveCandidate, LiveCounts, LiveTrouble, watchLive } from '../../contract/live.ts'
import { describeAction } from '../checklist/action-words.ts'
import { isOfTheDay } from './acts-of-the-day.ts'
import type { Picture } from './picture.ts'
import type { NewAction } from './read-changes.ts'
import { coveredName, type Viewer, viewOf } from './viewer.ts'

type Live = ResponseOf<typeof watchLive>
type Shown = NonNullable<Live['picture']>

/** Lines of the feed that are shown. */
const FEED = 20
/** Two nodes decide what the time brings a moment apart. */
const BETWEEN_NODES_MS = 5_000

/** What a page has: which picture's, in which view, and how far. */
interface Cursor {
  picture: string
  view: string
  version: number
  /** events and acts up to which nothing is missing, which hold on every node */
  event: number
  action: number
  takenMs: number
}

function readCursor(text: string): Cursor {
  const [picture = '', view = '', ...numbers] = text.split('.')
  const [version = 0, event = 0, action = 0, takenMs = 0] = numbers.map(Number)
  return { picture, view, version, event, action, takenMs }
}

function writeCursor(picture: Picture, view: string): string {
  const { event, action } = picture.low
  const numbers = [picture.version, event, action, picture.takenMs]
  return [picture.id, view, ...numbers].join('.')
}

/** Rows as JSON: of two thousand candidates they are most of the work, and most who watch ask for the same ones. */
interface Rows {
  /** null: nobody's row may be seen */
  candidates: string | null
  saved: string
  gone: string[]
}

/** What has changed, with what is the same for many as JSON already. */
interface Changed {
  cursor: string
  picture: (Pick<Shown, 'isWhole' | 'toLookAt' | 'feed'> & Rows & { numbers: string }) | null
}

/**
 * What has changed in a picture since a cursor, as far as a member may see it; all of it without one
 * (product 7.14.2, 7.14.3).
 */
export function answerOf(picture: Picture, viewer: Viewer, since: string | undefined): Changed {
  const view = viewOf(viewer)
  const cursor = writeCursor(picture, view)
  const had = since === undefined ? null : readCursor(since)
  const isSameView = had?.view === view
  const isOurs = isSameView && had?.picture === picture.id
  if (isOurs && had.version === picture.version) return { cursor, picture: null }
  // A cursor of another node: its events go on here, unless somebody has acted since.
  const isKnown = isOurs || (isSameView && had !== null && had.action >= picture.actedId)
  const from = isKnown ? had : null
  return {
    cursor,
    picture: {
      isWhole: from === null,
      ...candidatesSince(picture, viewer, from, isOurs),
      numbers: writtenNumbers(picture, viewer),
      toLookAt: isOurs && had.version >= picture.linesVersion ? null : linesOf(picture, viewer),
      feed: isOurs && had.version >= picture.feedVersion ? null : feedOf(picture, viewer),
    },
  }
}

/** The whole answer as JSON. @param beside what is not of the picture */
export function writeAnswer(
  { cursor, picture }: Changed,
  beside: Omit<Live, 'cursor' | 'picture'>,
): string {
  const rest = JSON.stringify({ cursor, ...beside }).slice(1)
  if (!picture) return `{"picture":null,${rest}`
  const { candidates, saved, numbers, ...more } = picture
  return `{"picture":{"candidates":${candidates},"saved":${saved},${numbers.slice(1, -1)},${JSON.stringify(more).slice(1)},${rest}`
}

const sees = ({ room }: Viewer, candidate: Pick<LiveCandidate, 'room'>): boolean =>
  room === null || candidate.room === room

/** A candidate as a member may see it. */
export const seenBy = ({ hasNames }: Viewer, candidate: LiveCandidate): LiveCandidate =>
  hasNames ? candidate : { ...candidate, name: null, username: coveredName(candidate.id) }

/** All candidates that a member may see, by their ids. */
export function visibleTo(picture: Picture, viewer: Viewer): Map<string, LiveCandidate> {
  const visible = new Map<string, LiveCandidate>()
  if (viewer.isCountsAlone) return visible
  for (const { candidate } of picture.shown.values()) {
    if (sees(viewer, candidate)) visible.set(candidate.id, seenBy(viewer, candidate))
  }
  return visible
}

/** What is the same for many who look in the same moment, of each picture as it is. */
interface Written {
  version: number
  /** since a version, and all: after an act of somebody all who watch read all */
  rows: Map<string, Rows>
  /** by room, null: all */
  numbers: Map<string | null, string>
}

const written = new WeakMap<Picture, Written>()

function writtenOf(picture: Picture): Written {
  const { version } = picture
  const kept = written.get(picture)
  if (kept?.version === version) return kept
  const now: Written = { version, rows: new Map(), numbers: new Map() }
  written.set(picture, now)
  return now
}

function candidatesSince(
  picture: Picture,
  viewer: Viewer,
  from: Cursor | null,
  isOurs: boolean,
): Rows {
  if (viewer.isCountsAlone) return { candidates: null, saved: '[]', gone: [] }
  // On from another node's: no two have the same.
  if (from && !isOurs) return writeRows(picture, viewer, from, isOurs)
  const { rows: known } = writtenOf(picture)
  const key = `${from?.version ?? 'whole'} ${viewer.hasNames} ${viewer.room}`
  const rows = known.get(key) ?? writeRows(picture, viewer, from, isOurs)
  known.set(key, rows)
  return rows
}

function writeRows(picture: Picture, viewer: Viewer, from: Cursor | null, isOurs: boolean): Rows {
  const hasChanged = (id: string, { version, marksMs }: { version: number; marksMs: number }) => {
    if (!from) return true
    if (isOurs) return version > from.version
    const eventId = picture.people.get(id)?.eventId ?? 0
    return eventId > from.event || marksMs >= from.takenMs - BETWEEN_NODES_MS
  }
  const candidates: LiveCandidate[] = []
  const saved: [id: string, answered: number, savedMs: number | null][] = []
  const gone = isOurs
    ? picture.gone.filter(({ version }) => version > (from?.version ?? 0)).map(({ id }) => id)
    : []
  for (const [id, shown] of picture.shown) {
    if (!hasChanged(id, shown)) continue
    if (sees(viewer, shown.candidate)) {
      const { candidate, wholeVersion } = shown
      if (from && isOurs && wholeVersion <= from.version) {
        saved.push([id, candidate.answered, candidate.savedMs])
      } else candidates.push(seenBy(viewer, candidate))
    }
    // Gone to another room.
    else if (from) gone.push(id)
  }
  return { candidates: JSON.stringify(candidates), saved: JSON.stringify(saved), gone }
}

type Numbers = Pick<Shown, 'counts' | 'rooms' | 'savesPerMinute'>

/** Rooms by name, 2 before 10. */
const byName = new Intl.Collator('en', { numeric: true })

/** The numbers as JSON. */
function writtenNumbers(picture: Picture, viewer: Viewer): string {
  const { numbers: known } = writtenOf(picture)
  const numbers = known.get(viewer.room) ?? JSON.stringify(numbersOf(picture, viewer))
  known.set(viewer.room, numbers)
  return numbers
}

/** The six figures and what stands beside them, of what a member may see. */
export function numbersOf(picture: Picture, viewer: Viewer): Numbers {
  const counts: LiveCounts = { toLookAt: 0, inside: 0, absent: 0, verified: 0, done: 0, late: 0 }
  const rooms: Numbers['rooms'] = []
  for (const [room, { running, submitted, absent, verified, late }] of picture.rooms) {
    if (viewer.room !== null && room !== viewer.room) continue
    counts.inside += running
    counts.done += submitted
    counts.absent += absent
    counts.verified += verified
    counts.late += late
    const listed = running + submitted + absent + verified
    if (room !== '' && listed > 0) rooms.push({ room, listed, inside: running })
  }
  counts.toLookAt = picture.lines.filter(({ candidate }) =>
    isSeen(picture, viewer, candidate),
  ).length
  return {
    counts,
    rooms: rooms.sort((a, b) => byName.compare(a.room, b.room)),
    savesPerMinute: picture.savesPerMinute(viewer.room),
  }
}

function isSeen(picture: Picture, viewer: Viewer, id: string): boolean {
  const shown = picture.shown.get(id)
  return shown !== undefined && sees(viewer, shown.candidate)
}

function linesOf(picture: Picture, viewer: Viewer): LiveTrouble[] {
  if (viewer.isCountsAlone) return []
  const nameOf = (id: string): string[] => {
    const candidate = picture.shown.get(id)?.candidate
    if (!candidate || !sees(viewer, candidate)) return ['somebody in another room']
    const { name, username } = seenBy(viewer, candidate)
    return [name ?? username]
  }
  return picture.lines.flatMap((line) => {
    const candidate = picture.shown.get(line.candidate)?.candidate
    if (!candidate || !sees(viewer, candidate)) return []
    const { name, username, room } = seenBy(viewer, candidate)
    const linked = [...new Set(line.linked.flatMap(nameOf))]
    return [{ ...line, name, username, room, linked }]
  })
}

function feedOf(picture: Picture, viewer: Viewer): Shown['feed'] {
  if (viewer.isCountsAlone) return []
  // Asked of who sees one room alone.
  const rooms = new Map(
    viewer.room === null
      ? []
      : [...picture.shown.values()].map(({ candidate }) => [candidate.username, candidate.room]),
  )
  const isShown = ({ action, userId, detail }: NewAction) => {
    if (userId === viewer.userId || viewer.hasLog) return true
    if (!isOfTheDay(action)) return false
    if (viewer.room === null) return true
    // What was done for another room is not told here.
    const username = typeof detail.username === 'string' ? detail.username : null
    const room = username === null ? detail.room : rooms.get(username)
    return typeof room !== 'string' || room === viewer.room
  }
  return picture.actions
    .filter(isShown)
    .slice(-FEED)
    .reverse()
    .map(({ id, atMs, actor, userId, action, detail }) => ({
      ...{ id, atMs, by: actor, isYou: userId === viewer.userId },
      what: describeAction(action, detail, viewer.hasNames),
    }))
}
