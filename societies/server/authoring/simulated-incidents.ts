import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'

/*
 * What happens to the people of the simulated season besides leaving the page (product 7.6.4): a fire alarm in
 * one room, networks that go, copies, an answer that changes after a return, a quick end. No chance is in it,
 * so that answers and abilities stay those of the seed.
 */

const SECOND_MS = 1_000
/** The room of the alarm, and after which share of the time it comes. */
export const ALARM = { room: '2.11', share: 0.38 } as const
/** Who of that room stays inside, or must not leave a third time. */
const STAYS = [18, 57, 66, 72]
const OFFLINE = [10, 34, 61]
const COPIES = [13, 50]
const CHANGES = 28
const HURRIES = 46
const OFFLINE_MS = 52_000

export interface SimulatedEvent {
  kind: string
  atMs: number
  /** milliseconds from when it happened until the server heard of it */
  heardAfterMs: number
  /** of the page's window: the first or the second */
  window: 0 | 1
  /** the page's own number, from 1 in each window; null for what the server saw */
  number: number | null
  detail: unknown
  /** of a save: item, and for how long it was looked at in this window */
  dwell?: [item: number, ms: number][]
  isViolation: boolean
  voidReason: string | null
}

export interface SimulatedAnswer {
  item: number
  choice: OptionLetter
  revision: number
  atMs: number
}

/** An event before it has its number. */
export type Unnumbered = Omit<SimulatedEvent, 'number'>

/** An attempt while it is made; all times are milliseconds since its start. */
export interface Story {
  index: number
  room: string
  endMs: number
  startsAfterMs: number
  submittedAfterMs: number
  answers: SimulatedAnswer[]
  events: Unnumbered[]
}

/** The same attempt with what happened to this person. */
export function withIncidents(story: Story, durationSeconds: number): Story {
  const alarmMs = ALARM.share * durationSeconds * SECOND_MS - story.startsAfterMs
  const { index } = story
  if (story.room === ALARM.room && !STAYS.includes(index)) return leaveForAlarm(story, alarmMs)
  if (OFFLINE.includes(index)) return loseNetwork(story)
  if (COPIES.includes(index)) return copy(story)
  if (index === CHANGES) return changeAfterReturn(story)
  if (index === HURRIES) return hurry(story)
  return story
}

const seen = (kind: string, atMs: number, more: Partial<Unnumbered> = {}): Unnumbered => ({
  ...{ kind, window: 0, detail: null, atMs: Math.round(atMs), heardAfterMs: 180 },
  ...{ isViolation: false, voidReason: null },
  ...more,
})

/** Everything after the moment comes later by as long as the room was empty, if the time allows. */
function leaveForAlarm(story: Story, alarmMs: number): Story {
  const { index, endMs, submittedAfterMs } = story
  // Each goes and comes at another moment.
  const fromMs = Math.round(alarmMs + ((index * 7_919) % 41) * SECOND_MS)
  const wantedMs = (150 + ((index * 104_729) % 70)) * SECOND_MS
  const lengthMs = Math.min(wantedMs, endMs - submittedAfterMs - SECOND_MS)
  if (lengthMs < 30 * SECOND_MS || fromMs > submittedAfterMs - 60 * SECOND_MS) return story
  const later = (atMs: number) => (atMs > fromMs ? atMs + lengthMs : atMs)
  const answers = story.answers.map((one) => ({ ...one, atMs: later(one.atMs) }))
  const events = story.events.map((event) => ({
    ...event,
    atMs: later(event.atMs),
    detail: event.kind === 'saved' ? laterChoices(event.detail, later) : event.detail,
  }))
  return {
    ...story,
    answers,
    events: [
      ...events,
      seen(index % 2 ? 'window_blur' : 'page_hidden', fromMs, { isViolation: true }),
      seen('page_visible', fromMs + lengthMs, { detail: { awayMs: lengthMs } }),
    ],
    submittedAfterMs: later(submittedAfterMs),
  }
}

type Choices = [number, string, number, number][]

/** Of people with one window, whose time is that of the attempt. */
const laterChoices = (detail: unknown, later: (ms: number) => number): Choices =>
  (detail as Choices).map(([item, choice, revision, at]) => [item, choice, revision, later(at)])

/** What is chosen meanwhile waits in the page. */
function loseNetwork(story: Story): Story {
  const fromMs = Math.round(0.45 * story.submittedAfterMs)
  const toMs = fromMs + OFFLINE_MS
  const events = story.events.map((event) =>
    event.kind === 'saved' && event.atMs > fromMs && event.atMs < toMs
      ? { ...event, atMs: toMs + 400 }
      : event,
  )
  const heardAfterMs = OFFLINE_MS
  return {
    ...story,
    events: [...events, seen('offline', fromMs, { heardAfterMs }), seen('online', toMs)],
  }
}

function copy(story: Story): Story {
  const atMs = 0.3 * story.submittedAfterMs
  const shortcut = seen('shortcut', atMs, { isViolation: true, detail: { key: 'Ctrl+C' } })
  return { ...story, events: [...story.events, shortcut, seen('copy', atMs + 4)] }
}

function changeAfterReturn(story: Story): Story {
  const back = story.events.find(({ kind }) => kind === 'page_visible')
  const last = story.answers.findLast(({ atMs }) => back && atMs < back.atMs)
  if (!back || !last) return story
  const revision = Math.max(...story.answers.map((one) => one.revision)) + 1
  const atMs = back.atMs + 6 * SECOND_MS
  const letter = OPTION_LETTERS[(OPTION_LETTERS.indexOf(last.choice) + 2) % 4]
  const changed = { ...last, revision, atMs, choice: letter ?? last.choice }
  const detail = [[changed.item, changed.choice, revision, atMs]]
  return {
    ...story,
    answers: story.answers.map((one) => (one === last ? changed : one)),
    events: [...story.events, seen('saved', atMs + 350, { heardAfterMs: 0, detail })],
  }
}

/** The last questions are not read any more. */
function hurry(story: Story): Story {
  const rest = story.answers.slice(-7)
  const beginMs = rest[0]?.atMs ?? 0
  const timeOf = new Map(rest.map(({ item }, index) => [item, beginMs + index * 2 * SECOND_MS]))
  return {
    ...story,
    answers: story.answers.map((one) => ({ ...one, atMs: timeOf.get(one.item) ?? one.atMs })),
    events: story.events.map((event) => {
      if (event.kind !== 'saved') return event
      const [[item, choice, revision, at]] = event.detail as [Choices[number]]
      const atMs = timeOf.get(item)
      if (atMs === undefined) return { ...event, detail: [[item, choice, revision, at]] }
      return { ...event, atMs: atMs + 350, detail: [[item, choice, revision, atMs]] }
    }),
  }
}

/** What reviewers of the demo society have decided already: on whose which strike, from 1. */
export const DECIDED = [
  { index: 5, strike: 1, verdict: 'cleared', reason: 'Dropped the calculator, says the helper.' },
  { index: 13, strike: 1, verdict: 'cleared', reason: 'Copied numbers into the calculator.' },
  { index: 57, strike: 1, verdict: 'upheld', reason: 'Left for another tab, and said so.' },
  { index: 57, strike: 2, verdict: 'upheld', reason: 'The same again.' },
  { index: 74, strike: 1, verdict: 'cleared', reason: 'A dialog of the system.' },
  { index: 28, strike: 1, verdict: 'needs_talk', reason: 'Ask what the seconds were.' },
] as const

/** What helpers wrote: after as many minutes, of a room, or of somebody. */
export const REPORTED = [
  {
    index: null,
    room: ALARM.room,
    share: ALARM.share,
    note: 'Fire alarm. Everybody out and back.',
  },
  { index: 41, room: null, share: 0.55, note: 'Battery gone; gave room computer 4.' },
] as const

/** What candidates told the society afterwards. */
export const COMMENTED = [
  { index: 41, text: 'My laptop went off in the middle. A helper gave me another computer.' },
  { index: 3, text: 'We were out for the fire alarm, some minutes. Did that count?' },
] as const
