import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import {
  type SimulatedAnswer,
  type SimulatedEvent,
  type Unnumbered,
  withIncidents,
} from './simulated-incidents.ts'

/*
 * A season that nobody sat: people, answers and incidents by a model of abilities and difficulties, so that
 * the organisers' pages have something to show (product 7.6.4). Everything follows from the seed.
 */

/** As many come; three more are on the list and do not. */
export const SIMULATED_ATTEMPTS = 120
const ABSENT = 3
/** All times of the model are milliseconds since the start of an attempt. */
const SECOND_MS = 1_000
const ROOMS = ['2.11', '1.04', '1.07'] as const
/** Words that nobody can overlook beside an invented name. */
const MARK = '(invented)'

export interface SimulatedItem {
  id: number
  /** the right answer, whatever the test says */
  key: OptionLetter
}

export interface SimulatedPerson {
  username: string
  name: string
  email: string
  room: string
}

export interface SimulatedAttempt {
  person: SimulatedPerson
  extraSeconds: number
  /** after the first moment to start */
  startsAfterMs: number
  submittedAfterMs: number
  reason: 'candidate' | 'violations' | 'deadline'
  answers: SimulatedAnswer[]
  /** in the order in which they happened */
  events: SimulatedEvent[]
  /** when each window was opened, and its last event's number */
  windows: { openedMs: number; lastEvent: number }[]
}

export interface SimulatedSeason {
  attempts: SimulatedAttempt[]
  absent: SimulatedPerson[]
  /** how the questions are answered, in their order */
  model: ItemModel[]
}

/**
 * People with invented names, each marked as invented, at addresses that nobody can have.
 * @param random from 0 up to but not 1
 */
export function inventPeople(count: number, random: () => number): SimulatedPerson[] {
  const taken = new Map<string, number>()
  return Array.from({ length: count }, (_, index) => {
    const first = FIRST_NAMES[Math.floor(random() * FIRST_NAMES.length)] as string
    const last = LAST_NAMES[Math.floor(random() * LAST_NAMES.length)] as string
    const plain = `${first}.${last}`.toLowerCase()
    const times = (taken.get(plain) ?? 0) + 1
    taken.set(plain, times)
    const username = times === 1 ? plain : `${plain}${times}`
    return {
      username,
      name: `${first} ${last} ${MARK}`,
      email: `${username}@demo.superday.example`,
      room: ROOMS[index % ROOMS.length] as string,
    }
  })
}

/**
 * A whole season over real items. The chance of a right answer grows with ability and falls with difficulty,
 * with something for guessing (a three-parameter model); times are lognormal. One item in the middle is
 * ambiguous: it draws some of the able to one distractor.
 * @param random from 0 up to but not 1, the same numbers for the same season
 */
export function simulateSeason(
  items: readonly SimulatedItem[],
  durationSeconds: number,
  random: () => number,
): SimulatedSeason {
  const people = inventPeople(SIMULATED_ATTEMPTS + ABSENT, random)
  const model = items.map((item, index) => modelOf(item, index, items.length, random))
  const attempts = people
    .slice(0, SIMULATED_ATTEMPTS)
    .map((person, index) => simulate({ person, index, model, durationSeconds }, random))
  return { attempts, absent: people.slice(SIMULATED_ATTEMPTS), model }
}

/** People of a second session. */
const LATER_ATTEMPTS = 70

/**
 * A second session of other people, whose first questions are those of the first one, as hard as there; the
 * others are somewhat harder.
 */
export function simulateLater(
  items: readonly SimulatedItem[],
  shared: readonly ItemModel[],
  durationSeconds: number,
  random: () => number,
): SimulatedAttempt[] {
  const model = items.map((item, index) => {
    const known = shared[index]
    if (known) {
      // Where the first session's key went wrong, the options stand as they were written here.
      const distractors = known.distractors.map((one) => (one === item.key ? known.key : one))
      return { ...known, id: item.id, key: item.key, distractors }
    }
    const own = modelOf(item, index, items.length, random)
    return { ...own, difficulty: own.difficulty + 0.4, isAmbiguous: false }
  })
  return inventPeople(LATER_ATTEMPTS, random).map((person, index) =>
    simulate({ person, index, model, durationSeconds }, random),
  )
}

export interface ItemModel {
  id: number
  key: OptionLetter
  distractors: OptionLetter[]
  /** in the units of ability */
  difficulty: number
  discrimination: number
  isAmbiguous: boolean
}

function modelOf(
  { id, key }: SimulatedItem,
  index: number,
  count: number,
  random: () => number,
): ItemModel {
  return {
    id,
    key,
    distractors: OPTION_LETTERS.filter((letter) => letter !== key),
    // Easier ones first, as authors order them, with much noise.
    difficulty: -1.2 + (1.8 * index) / count + 0.7 * normal(random),
    discrimination: 0.9 + 0.7 * random(),
    isAmbiguous: index === Math.floor(count / 2),
  }
}

const GUESSING = 0.15
/** What the median candidate needs for an item, as a share of what there is for each. */
const PACE = 0.62

interface Given {
  person: SimulatedPerson
  index: number
  model: ItemModel[]
  durationSeconds: number
}

function simulate(given: Given, random: () => number): SimulatedAttempt {
  const { person, index, model, durationSeconds } = given
  const ability = normal(random)
  // The line of one is slow in the last minute: a choice before the end is heard after it.
  const isLate = index === 88
  const speed = isLate ? 1.6 : Math.exp(0.22 * normal(random) - 0.06 * ability)
  const extraSeconds = index === 17 || index === 64 ? Math.round(durationSeconds / 4) : 0
  const endMs = (durationSeconds + extraSeconds) * SECOND_MS
  const perItemMs = (durationSeconds * SECOND_MS * PACE) / model.length
  // The machine of one goes down for some minutes.
  const crash = index === 41 ? { atMs: 0.4 * endMs, forMs: 0.14 * endMs } : null
  const strikes = planStrikes(index, endMs)
  const stopMs = strikes.length >= 3 ? (strikes[2] as Strike).atMs : Number.POSITIVE_INFINITY

  const answers: SimulatedAttempt['answers'] = []
  const events: Unnumbered[] = [seen('ready', 900, 0)]
  const windows = [0]
  let atMs = 4_000
  let revision = 0
  let late: SimulatedAttempt['answers'][number] | null = null
  /** not told yet */
  let dwell: [item: number, ms: number][] = []
  for (const item of model) {
    const neededMs = perItemMs * speed * Math.exp(0.55 * normal(random) + 0.12 * item.difficulty)
    atMs += neededMs
    dwell.push([item.id, Math.round(neededMs)])
    if (crash && windows.length === 1 && atMs > crash.atMs) {
      atMs += crash.forMs
      windows.push(Math.round(crash.atMs + crash.forMs))
      // What the machine had not told went down with it.
      dwell = [[item.id, Math.round(neededMs / 2)]]
      events.push(server('taken_over', crash.atMs + crash.forMs, 1))
      events.push(seen('ready', crash.atMs + crash.forMs + 700, 1))
    }
    const choice = choose(item, ability, random)
    const isSkipped = random() < 0.015
    const isPastEnd = atMs >= Math.min(endMs, stopMs)
    if (isLate && isPastEnd && !late) {
      late = { item: item.id, choice, revision: revision + 1, atMs: endMs - 2_500 }
    }
    if (isPastEnd || isSkipped) continue
    revision += 1
    answers.push({ item: item.id, choice, revision, atMs: Math.round(atMs) })
    events.push({ ...saved(answers.at(-1) as (typeof answers)[number], windows), dwell })
    dwell = []
  }
  for (const strike of strikes.filter((one) => one.atMs <= Math.min(atMs, endMs))) {
    events.push(...strikeEvents(strike))
  }
  const isStruckOut = strikes.length >= 3 && stopMs <= Math.min(atMs, endMs)
  // Who is through looks over it for a while.
  const doneMs = atMs + (20 + 90 * random()) * SECOND_MS
  const submittedAfterMs = Math.round(isStruckOut ? stopMs : Math.min(doneMs, endMs))
  const reason = isStruckOut ? 'violations' : doneMs < endMs ? 'candidate' : 'deadline'
  const startsAfterMs = Math.round(4_000 + 70_000 * random())
  const story = withIncidents(
    { index, room: person.room, endMs, startsAfterMs, submittedAfterMs, answers, events },
    durationSeconds,
  )
  const end = server('submitted', story.submittedAfterMs, 0, { reason })
  // The strike that ends a test is heard of first.
  const told = [...story.events, isStruckOut ? { ...end, heardAfterMs: 181 } : end]
  if (late && reason === 'deadline') {
    const { item, choice, revision: number } = late
    const detail = { questionId: item, choice, revision: number }
    told.push({ ...seen('late_answer', late.atMs, 0, detail), heardAfterMs: 41_000 })
  }
  const isHeard = ({ kind, atMs }: Unnumbered) =>
    kind === 'late_answer' || atMs <= story.submittedAfterMs
  const numbered = numberEvents(told.filter(isHeard))
  return {
    ...{ person, extraSeconds, reason, startsAfterMs, events: numbered, answers: story.answers },
    submittedAfterMs: story.submittedAfterMs,
    windows: windows.map((openedMs, window) => ({
      openedMs,
      lastEvent: Math.max(
        0,
        ...numbered.filter((one) => one.window === window).map(({ number }) => number ?? 0),
      ),
    })),
  }
}

interface Strike {
  atMs: number
  kind: string
  voidReason: string | null
}

/** Who left the page and how often: most never. A fire door's alarm took everybody of one row away once. */
function planStrikes(index: number, endMs: number): Strike[] {
  const at = (...shares: number[]) =>
    shares.map((share, n) => ({
      atMs: Math.round(share * endMs),
      kind: n % 2 ? 'window_blur' : 'page_hidden',
      voidReason: null as string | null,
    }))
  if (index === 29) return at(0.18, 0.31, 0.52)
  if (index === 57 || index === 103) return at(0.2, 0.47)
  if (index % 23 === 5) return at(0.35)
  if (index === 71 || index === 72) {
    return at(0.26).map((one) => ({ ...one, voidReason: 'Alarm of the fire door in room 1.07' }))
  }
  return []
}

const seen = (kind: string, atMs: number, window: 0 | 1, detail: unknown = null): Unnumbered => ({
  ...{ kind, window, detail, atMs: Math.round(atMs), heardAfterMs: 180 },
  ...{ isViolation: false, voidReason: null },
})

/** What the server saw itself has no number of the page. */
const server = (kind: string, atMs: number, window: 0 | 1, detail: unknown = null): Unnumbered => ({
  ...seen(kind, atMs, window, detail),
  heardAfterMs: 0,
})

function saved(
  answer: SimulatedAttempt['answers'][number],
  windows: readonly number[],
): Unnumbered {
  const { item, choice, revision, atMs } = answer
  const window = windows.length === 2 ? 1 : 0
  const inWindowMs = atMs - (windows[window] as number)
  return server('saved', atMs + 350, window, [[item, choice, revision, inWindowMs]])
}

function strikeEvents({ atMs, kind, voidReason }: Strike): Unnumbered[] {
  const away = { ...seen(kind, atMs, 0), isViolation: true, voidReason }
  return [away, seen('page_visible', atMs + 9_000, 0, { awayMs: 9_000 })]
}

const WITHOUT_NUMBER = ['saved', 'submitted', 'taken_over', 'late_answer']

function numberEvents(events: Unnumbered[]): SimulatedEvent[] {
  const last = [0, 0]
  return events
    .sort((a, b) => a.atMs - b.atMs)
    .map((event) => {
      if (WITHOUT_NUMBER.includes(event.kind)) return { ...event, number: null }
      last[event.window] = (last[event.window] as number) + 1
      return { ...event, number: last[event.window] as number }
    })
}

function choose(item: ItemModel, ability: number, random: () => number): OptionLetter {
  const { key, distractors, difficulty, discrimination, isAmbiguous } = item
  const knows = 1 / (1 + Math.exp(-1.5 * discrimination * (ability - difficulty)))
  const isRight = random() < GUESSING + (1 - GUESSING) * knows
  const drawn = random()
  if (isAmbiguous && ability > 0.2 && drawn < 0.3) return distractors[0] as OptionLetter
  if (isRight) return key
  // The first distractor is the tempting one.
  return distractors[drawn < 0.5 ? 0 : drawn < 0.8 ? 1 : 2] as OptionLetter
}

/** A standard normal number (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** The same numbers for the same seed, from 0 up to but not 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const FIRST_NAMES =
  'Ada Amir Ana Ben Carla Chen Dario Diya Elena Emeka Emma Felix Hana Hugo Ines Iris Jonas Kofi Lena Leo Lucia Maya Mei Milan Nadia Nora Olu Oscar Petra Priya Rafael Rosa Sami Sofia Tariq Tess Tomas Vera Yara Zoe'.split(
    ' ',
  )
const LAST_NAMES =
  'Almeida Asante Baker Costa Dietz Egger Ferri Gomez Haddad Ivanova Jansen Keller Lima Marsh Novak Okoye Parr Quist Rossi Sato Tavares Ueda Vaz Weber Young Zeman'.split(
    ' ',
  )
