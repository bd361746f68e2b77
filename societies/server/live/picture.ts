import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { LiveCandidate } from '../../contract/live.ts'
import {
  changesAtMs,
  companyOf,
  TROUBLES,
  type TroubleLine,
  troublesOf,
} from '../../day/troubles.ts'
import type { Client } from '../action.ts'
import { CHANGES_NOBODY } from './acts-of-the-day.ts'
import { Follower, type NewAction, type NewEvent, type SeenMark } from './read-changes.ts'
import { listPeople, MINUTES, type Person, readPeople, type Whose } from './read-people.ts'
import { areSameMarks, candidateOf, isSameButSaved, isSameSaved } from './shown-candidate.ts'

/** Acts that are kept for the feed. */
const FEED = 40

/** Candidates who are decided on in one turn of the event loop: a save that comes in between waits for so many. */
const AT_ONCE = 20
/** Milliseconds between two such turns, where some are decided on: of everybody it would take too long. */
const PAUSE_MS = 4

const UNMARKED: LiveCandidate['marks'] = []

/** A candidate as the page shows it, and when that changed. */
interface Shown {
  candidate: LiveCandidate
  /** of the picture, when it became so */
  version: number
  /** when anything of it changed but how many are answered and when that was saved */
  wholeVersion: number
  /** when the marks changed, which time alone does too */
  marksMs: number
}

/** Where the people of a room are, and of how many answers came late. */
export type RoomCounts = Record<LiveCandidate['where'] | 'late', number>

/**
 * Who is where in one assessment: kept up to date by what is new (update), and now and then compared with
 * what is stored (rebuild). Everything that depends on the time is decided when it is brought up to date.
 */
export class Picture {
  /** of this picture, so that a cursor of another node's is told from one of its own */
  readonly id = randomBytes(4).toString('hex')
  /** grows with each change that anybody could see */
  version = 1
  /** the moment that it shows, milliseconds since 1970 */
  takenMs = 0
  /** unseen ones, most urgent first */
  lines: TroubleLine[] = []
  /** when the lines, and when what organisers did, became as they are */
  linesVersion = 1
  feedVersion = 1
  /** newest act that changed more than its own line */
  actedId = 0
  /** newest last */
  actions: NewAction[] = []
  /** events and acts up to which all is in it */
  low = { event: 0, action: 0 }
  readonly shown = new Map<string, Shown>()
  readonly gone: { id: string; version: number }[] = []
  /** how many are where, by room ('' is none) */
  readonly rooms = new Map<string, RoomCounts>()
  readonly #whose: Whose
  readonly #follower: Follower
  #people = new Map<string, Person>()
  /** saves by room ('' is none) and minute since 1970 */
  #minutes = new Map<string, Map<number, number>>()
  #seen = new Map<string, Map<string, string>>()
  #company: ReturnType<typeof companyOf> | null = null
  /** whose facts have changed since the last decision */
  readonly #dirty = new Set<string>()
  /** of whom nothing is new but that their page is there: of a room that sits, most */
  readonly #heard = new Set<string>()
  /** whose marks may have changed */
  readonly #asked = new Set<string>()
  /** unseen lines of those who have some */
  readonly #lines = new Map<string, TroubleLine[]>()
  /** when time alone changes what is decided of a candidate, milliseconds since 1970 */
  readonly #changesAtMs = new Map<string, number>()
  /** the first of these moments, or one before it */
  #nextChangeMs = Number.NEGATIVE_INFINITY

  constructor(whose: Whose) {
    this.#whose = whose
    this.#follower = new Follower(whose)
  }

  get people(): ReadonlyMap<string, Person> {
    return this.#people
  }

  /** Reads all of it. @param client in one snapshot */
  async build(client: Client, now: Date): Promise<void> {
    await this.#follower.look(client, [])
    const { rows: seen } = await client.query<SeenMark>(
      `select s.candidate_id as candidate, s.mark, s.seen_by as by
       from candidates c join seen_marks s on s.candidate_id = c.id where c.assessment = $1`,
      [this.#whose.code],
    )
    this.#putSeen(
      seen,
      seen.map(({ candidate }) => candidate),
    )
    const { rows: actions } = await client.query<NewAction>(
      `select a.id, (extract(epoch from a.at) * 1000)::float8 as "atMs", a.actor, a.user_id as "userId",
         a.action, a.detail
       from admin_actions a join assessments t on t.code = a.assessment and t.society_id = a.society_id
       where a.assessment = $1 order by a.id desc limit ${FEED}`,
      [this.#whose.code],
    )
    this.#noteActions(actions.reverse())
    await this.#readAll(client, now)
    await this.#decide(now)
  }

  /**
   * Brings it up to date by what is new.
   * @returns whether an organiser has done what cannot be followed: then it has to be rebuilt
   */
  async update(client: Client, now: Date): Promise<boolean> {
    const hasActed = await this.#follow(client, now)
    await this.#decide(now)
    return hasActed
  }

  /**
   * Reads all of it again, and compares that with what following had made of it.
   * @param client in one snapshot
   * @returns how many candidates, and rooms' saves, were not as they are stored
   */
  async rebuild(client: Client, now: Date): Promise<number> {
    const hasActed = await this.#follow(client, now)
    const before = this.#facts(now)
    await this.#readAll(client, now)
    await this.#decide(now)
    if (hasActed) return 0
    const after = this.#facts(now)
    const names = new Set([...before.keys(), ...after.keys()])
    return [...names].filter((name) => before.get(name) !== after.get(name)).length
  }

  /** Saves in each of the last half hour's minutes, the oldest first. @param room null: all rooms */
  savesPerMinute(room: string | null): number[] {
    const last = Math.floor(this.takenMs / 60_000)
    const rooms = room === null ? [...this.#minutes.values()] : [this.#minutes.get(room)]
    return Array.from({ length: MINUTES }, (_, index) =>
      rooms.reduce((sum, counts) => sum + (counts?.get(last - MINUTES + 1 + index) ?? 0), 0),
    )
  }

  /** All facts as texts, to compare: a person's fields stand in one order, since following writes in place. */
  #facts(now: Date): Map<string, string> {
    const facts = new Map<string, string>()
    for (const [id, person] of this.#people) facts.set(id, JSON.stringify(person))
    const first = Math.floor(now.getTime() / 60_000) - MINUTES + 1
    for (const [room, counts] of this.#minutes) {
      const kept = [...counts].filter(([minute]) => minute >= first).sort(([a], [b]) => a - b)
      if (kept.length > 0) facts.set(`saves in ${room}`, JSON.stringify(kept))
    }
    return facts
  }

  /** @returns whether somebody acted on more than can be followed */
  async #follow(client: Client, now: Date): Promise<boolean> {
    const asked = [...new Set(this.lines.map(({ candidate }) => candidate)), ...this.#seen.keys()]
    const { events, actions, seen } = await this.#follower.look(client, asked)
    this.#putSeen(seen, asked)
    this.#noteActions(actions)
    const touched = this.#apply(events)
    if (touched.size > 0) {
      const ids = [...touched]
      const found = await readPeople(client, this.#whose, ids, now)
      for (const id of ids) this.#people.delete(id)
      for (const { person } of found) this.#people.set(person.id, person)
      this.#company = null
    }
    for (const { kind, candidate, atMs } of events) {
      if (kind === 'saved') {
        this.#countSave(this.#people.get(candidate)?.room ?? '', Math.floor(atMs / 60_000))
      }
    }
    return actions.some(({ action }) => !CHANGES_NOBODY.has(action))
  }

  /** @returns candidates of whom more has changed than a save or a heartbeat does */
  #apply(events: readonly NewEvent[]): Set<string> {
    const touched = new Set<string>()
    for (const event of events) {
      const person = this.#people.get(event.candidate)
      const isBeat = event.kind === 'heartbeat'
      const isFollowed = person?.attemptId && (event.kind === 'saved' || isBeat)
      const changed = isFollowed && isBeat ? this.#heard : this.#dirty
      changed.add(event.candidate)
      if (isFollowed) this.#applyTo(person, event)
      else touched.add(event.candidate)
    }
    return touched
  }

  #applyTo(person: Person, { id, kind, atMs, windowId, detail }: NewEvent): void {
    person.eventId = Math.max(person.eventId, id)
    person.heardMs = Math.max(person.heardMs ?? atMs, atMs)
    const window = windowId === person.windowId ? person.window : null
    if (kind === 'heartbeat') {
      if (!person.hasBeat) this.#company = null
      person.hasBeat = true
      if (window) window.toldMs = Math.max(window.toldMs ?? atMs, atMs)
      return
    }
    person.savedMs = Math.max(person.savedMs ?? atMs, atMs)
    if (window) {
      window.firstSavedMs = Math.min(window.firstSavedMs ?? atMs, atMs)
      window.savedMs = Math.max(window.savedMs ?? atMs, atMs)
    }
    const items = (Array.isArray(detail) ? detail : []).map((choice) => Number(choice[0]))
    const added = items.filter((item) => !person.answered.includes(item))
    if (added.length === 0) return
    person.answered = [...new Set([...person.answered, ...added])].sort((a, b) => a - b)
  }

  #countSave(room: string, minute: number): void {
    const counts = this.#minutes.get(room) ?? new Map<number, number>()
    counts.set(minute, (counts.get(minute) ?? 0) + 1)
    this.#minutes.set(room, counts)
  }

  #noteActions(actions: readonly NewAction[]): void {
    for (const one of actions) {
      if (!CHANGES_NOBODY.has(one.action)) this.actedId = Math.max(this.actedId, one.id)
    }
    const known = new Set(this.actions.map(({ id }) => id))
    const fresh = actions.filter(({ id }) => !known.has(id))
    if (fresh.length === 0) return
    this.actions = [...this.actions, ...fresh].sort((a, b) => a.id - b.id).slice(-FEED)
    this.version += 1
    this.feedVersion = this.version
  }

  #putSeen(seen: readonly SeenMark[], asked: readonly string[]): void {
    for (const id of asked) {
      this.#seen.delete(id)
      this.#asked.add(id)
    }
    for (const { candidate, mark, by } of seen) {
      const marks = this.#seen.get(candidate) ?? new Map<string, string>()
      this.#seen.set(candidate, marks.set(mark, by))
    }
  }

  async #readAll(client: Client, now: Date): Promise<void> {
    const ids = await listPeople(client, this.#whose)
    const found = await readPeople(client, this.#whose, ids, now)
    this.#people = new Map(found.map(({ person }) => [person.id, person]))
    this.#minutes = new Map()
    for (const { person, minutes } of found) {
      for (const minute of minutes) this.#countSave(person.room ?? '', minute)
    }
    for (const id of this.#people.keys()) this.#dirty.add(id)
    this.#company = null
  }

  /**
   * What everything means at this moment: decided of those alone of whom it may be something else. Who reads it
   * meanwhile has some rows of before, and gets them with the next version.
   */
  async #decide(now: Date): Promise<void> {
    const nowMs = now.getTime()
    const isNewMinute = Math.floor(nowMs / 60_000) !== Math.floor(this.takenMs / 60_000)
    // Of everybody where others tell about each anew, and where the clock was set back.
    const isAll = this.#company === null || nowMs < this.takenMs
    this.takenMs = nowMs
    const next = this.version + 1
    this.#company ??= companyOf([...this.#people.values()])
    const company = this.#company
    let hasChanged = isNewMinute
    let decided = 0
    for (const person of isAll ? [...this.#people.values()] : this.#undecided(nowMs)) {
      if (this.#decideOn(person, company, next, nowMs)) hasChanged = true
      decided += 1
      if (decided % AT_ONCE === 0) await (isAll ? nextTurn() : wait(PAUSE_MS))
    }
    if (isAll && this.#removeGone(next)) hasChanged = true
    this.#dirty.clear()
    this.#heard.clear()
    this.#asked.clear()
    const lines = [...this.#lines.values()].flat()
    const urgency = ({ trouble }: TroubleLine) => TROUBLES.indexOf(trouble)
    lines.sort(
      (a, b) =>
        urgency(a) - urgency(b) || a.sinceMs - b.sinceMs || a.candidate.localeCompare(b.candidate),
    )
    const areSame =
      lines.length === this.lines.length &&
      lines.every((line, at) => isSameLine(line, this.lines[at]))
    if (!areSame) {
      this.lines = lines
      this.linesVersion = next
      hasChanged = true
    }
    if (hasChanged) this.version = next
    this.low = this.#follower.low
    for (const counts of this.#minutes.values()) {
      for (const minute of counts.keys()) {
        if (minute < nowMs / 60_000 - 2 * MINUTES) counts.delete(minute)
      }
    }
  }

  /** Of whom it may be something else than before: something came in, or a moment has come. */
  #undecided(nowMs: number): Person[] {
    const ids = new Set([...this.#dirty, ...this.#heard, ...this.#asked])
    // Who saves moves the own moment on, so it is seldom that all have to be looked through.
    if (this.#nextChangeMs <= nowMs) {
      this.#nextChangeMs = Number.POSITIVE_INFINITY
      for (const [id, atMs] of this.#changesAtMs) {
        if (atMs <= nowMs) ids.add(id)
        else this.#nextChangeMs = Math.min(this.#nextChangeMs, atMs)
      }
    }
    return [...ids].flatMap((id) => this.#people.get(id) ?? [])
  }

  /** Who is not on the list any more. @returns whether anybody is */
  #removeGone(version: number): boolean {
    const gone = [...this.shown.keys()].filter((id) => !this.#people.has(id))
    for (const id of gone) {
      this.#count(this.shown.get(id)?.candidate, -1)
      this.shown.delete(id)
      this.#lines.delete(id)
      this.#changesAtMs.delete(id)
      this.gone.push({ id, version })
    }
    return gone.length > 0
  }

  /** What one means now. @returns whether the candidate is shown otherwise than before */
  #decideOn(
    person: Person,
    company: ReturnType<typeof companyOf>,
    version: number,
    nowMs: number,
  ): boolean {
    const found = troublesOf(person, company, nowMs)
    const seen = this.#seen.get(person.id)
    const unseen = found.filter(({ mark }) => !seen?.has(mark))
    if (unseen.length > 0) this.#lines.set(person.id, unseen)
    else this.#lines.delete(person.id)
    const atMs = changesAtMs(person, nowMs)
    this.#changesAtMs.set(person.id, atMs)
    this.#nextChangeMs = Math.min(this.#nextChangeMs, atMs)
    const marks =
      found.length === 0
        ? UNMARKED
        : found.map(({ trouble, mark }) => ({ trouble, seenBy: seen?.get(mark) ?? null }))
    return this.#show(person, marks, version, nowMs)
  }

  /** @returns whether a candidate is shown otherwise than before */
  #show(person: Person, marks: LiveCandidate['marks'], version: number, nowMs: number): boolean {
    const before = this.shown.get(person.id)
    const hasOtherMarks = !before || !areSameMarks(marks, before.candidate.marks)
    if (before && !hasOtherMarks && !this.#dirty.has(person.id)) return false
    const candidate = candidateOf(person, marks)
    const isWhole = hasOtherMarks || !before || !isSameButSaved(candidate, before.candidate)
    if (!isWhole && isSameSaved(candidate, before.candidate)) return false
    const wholeVersion = isWhole ? version : before.wholeVersion
    const marksMs = hasOtherMarks ? nowMs : (before?.marksMs ?? nowMs)
    this.#count(before?.candidate, -1)
    this.#count(candidate, 1)
    this.shown.set(person.id, { candidate, version, wholeVersion, marksMs })
    return true
  }

  #count(candidate: LiveCandidate | undefined, by: 1 | -1): void {
    if (!candidate) return
    const { room, where, late } = candidate
    const none = { absent: 0, verified: 0, running: 0, submitted: 0, late: 0 }
    const counts = this.rooms.get(room ?? '') ?? none
    counts[where] += by
    if (late > 0) counts.late += by
    this.rooms.set(room ?? '', counts)
  }
}

/** Field by field: of two thousand candidates each is asked each second. */
function isSameLine(a: TroubleLine, b: TroubleLine | undefined): boolean {
  if (!b) return false
  for (const field of Object.keys(a) as (keyof TroubleLine)[]) {
    if (field !== 'linked' && a[field] !== b[field]) return false
  }
  return a.linked.join() === b.linked.join()
}
