import { ABSENCE_KINDS, HEARTBEAT_MS } from '../../assessments/violations.ts'

// What an organiser should look at (product 6.8.19): said in words, derived from facts each time it
// is read, never stored, and no strike. Each has an honest explanation too, which docs/proctoring.md names.
// A script may have left a hundred thousand events and ten thousand windows, so that nobody can read the
// status of the room: everything here takes time in proportion, but for sorting.

/** A question answered faster than this was not read (a rapid guess), milliseconds. */
const RAPID_MS = 3_000
/** The same of a long question: ten words a second, up to this. */
const WORDS_PER_SECOND = 10
const RAPID_LIMIT_MS = 10_000
/** As many in a row are told. */
const RAPID_RUN = 5
/** A page that said nothing for so long before and after a save: three heartbeats did not come. */
const SILENCE_MS = 3 * HEARTBEAT_MS
/** Fewer saves than this prove nothing: a laptop that woke up. */
const UNHEARD_SAVES = 3
/** So many heartbeats in a row without the focus, and no absence told. */
const UNFOCUSED_BEATS = 4
const TAKE_OVERS = 8
/** How often account or address changed from one window to the next. */
const SWITCHES = 3
/** Between two windows: where the first one said when it went, and where it did not. */
const AWAY_MS = 10_000
const UNKNOWN_AWAY_MS = 60_000
/** Longer than anybody reads it. */
const PROMPT_MS = 10_000
const FOCUS_LOST_TIMES = 3
/** A choice and a change of visibility in the same moment. */
const SAME_MOMENT_MS = 1_000

/** An event as it is kept; all times are milliseconds since the start of the attempt. */
export interface FactEvent {
  kind: string
  windowId: string | null
  /** null for what the server saw itself */
  number: number | null
  /** when it happened, by the page's clock within the limits of the server's */
  atMs: number
  /** when the server heard of it */
  heardMs: number
  detail: unknown
  userId: string | null
  address: string | null
  agent: string | null
}

/** What is known of one attempt. */
export interface AttemptFacts {
  /** in the order in which they came in */
  events: readonly FactEvent[]
  /** how many words each question has, by item */
  wordsOf: ReadonlyMap<number, number>
  /** whether pages of this assessment send heartbeats: those of earlier versions did not */
  hasHeartbeats: boolean
}

export type Return = 'reload' | 'back_forward' | 'navigate' | 'other_browser' | 'unknown'

export type Mark =
  | { mark: 'pace'; questions: number; ms: number; atMs: number }
  | { mark: 'unheard'; saves: number }
  | { mark: 'hidden_saves'; choices: number }
  | { mark: 'hidden_beats'; beats: number }
  | { mark: 'unfocused_beats'; beats: number }
  | { mark: 'take_overs'; takeOvers: number; accounts: number; addresses: number }
  | { mark: 'between_windows'; ms: number; hasSaidSo: boolean; back: Return; atMs: number }
  | { mark: 'leave_prompt'; ms: number; atMs: number }
  | { mark: 'focus_lost'; times: number; longestMs: number }
  | { mark: 'drag'; times: number }

/** What to look at in one attempt. */
export function marksOf(facts: AttemptFacts): Mark[] {
  const windows = windowsOf(facts.events)
  const first = firstOfEach(windows)
  const choices = choicesOf(facts.events, windows[0], first)
  const choicesIn = groupByWindow(choices)
  return [
    ...paceMarks(choices, facts.wordsOf),
    ...[...first.values()].flatMap((window) =>
      watchMarks(window, choicesIn.get(window.id) ?? [], facts.hasHeartbeats),
    ),
    ...takeOverMarks(windows),
    ...betweenMarks(facts.events, windows, first, choicesIn),
    ...quietMarks(facts.events),
  ]
}

interface Window {
  id: string
  openedMs: number
  userId: string | null
  address: string | null
  agent: string | null
  /** what its page told */
  told: readonly FactEvent[]
  saves: readonly FactEvent[]
}

/** Each time that a window was opened: one that was opened again stands here again, with all it told. */
function windowsOf(events: readonly FactEvent[]): Window[] {
  const told = groupByWindow(events.filter(({ number }) => number !== null))
  const saves = groupByWindow(events.filter(({ kind }) => kind === 'saved'))
  const opened = events.filter(({ kind }) => kind === 'started' || kind === 'taken_over')
  return opened.map(({ windowId, heardMs, userId, address, agent }) => ({
    id: windowId ?? '',
    openedMs: heardMs,
    userId,
    address,
    agent,
    told: told.get(windowId ?? '') ?? [],
    saves: saves.get(windowId ?? '') ?? [],
  }))
}

/** The first opening of each. */
function firstOfEach(windows: readonly Window[]): Map<string, Window> {
  const first = new Map<string, Window>()
  for (const window of windows) if (!first.has(window.id)) first.set(window.id, window)
  return first
}

function groupByWindow<T extends { windowId: string | null }>(
  list: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const id = one.windowId ?? ''
    const group = groups.get(id)
    if (group) group.push(one)
    else groups.set(id, [one])
  }
  return groups
}

interface ChoiceFact {
  item: number
  windowId: string
  /** null where nobody knows */
  atMs: number | null
  heardMs: number
}

/**
 * Each choice with the moment at which it was made: as its page says, and never after it was heard of. What
 * came in one call without that may have waited for the network, if an earlier version or window sent it; any
 * other page says when, so that then only the moment counts at which it came.
 */
function choicesOf(
  events: readonly FactEvent[],
  started: Window | undefined,
  windows: ReadonlyMap<string, Window>,
): ChoiceFact[] {
  return events.flatMap(({ kind, detail, windowId, heardMs }) => {
    if (kind !== 'saved') return []
    const window = windows.get(windowId ?? '')
    const sent = (Array.isArray(detail) ? detail : []) as [number, string, number, number?][]
    return sent.map((choice) => {
      const [item, , , at] = choice
      const isLeft = at === 0 && window !== started
      const mayHaveWaited = sent.length > 1 && (choice.length < 4 || isLeft)
      const known = typeof at === 'number' && at > 0 ? (window?.openedMs ?? 0) + at : heardMs
      const atMs = mayHaveWaited ? null : Math.min(known, heardMs)
      return { item, windowId: windowId ?? '', atMs, heardMs }
    })
  })
}

/** Questions answered one after the other faster than anybody reads them. */
function paceMarks(choices: readonly ChoiceFact[], wordsOf: ReadonlyMap<number, number>): Mark[] {
  const first = new Map<number, number | null>()
  for (const { item, atMs } of choices) if (!first.has(item)) first.set(item, atMs)
  const timed = [...first]
    .flatMap(([item, atMs]) => (atMs === null ? [] : [{ item, atMs }]))
    .sort((a, b) => a.atMs - b.atMs)
  const marks: Mark[] = []
  let run = { questions: 0, sinceMs: 0, untilMs: 0 }
  const endRun = () => {
    const { questions, sinceMs, untilMs } = run
    if (questions < RAPID_RUN) return
    marks.push({ mark: 'pace', questions, ms: untilMs - sinceMs, atMs: untilMs })
  }
  for (const { item, atMs } of timed) {
    const readingMs = ((wordsOf.get(item) ?? 0) / WORDS_PER_SECOND) * 1_000
    const isRapid = atMs - run.untilMs < Math.min(Math.max(RAPID_MS, readingMs), RAPID_LIMIT_MS)
    if (!isRapid) endRun()
    run = isRapid
      ? { ...run, questions: run.questions + 1, untilMs: atMs }
      : { questions: 0, sinceMs: atMs, untilMs: atMs }
  }
  endRun()
  return marks
}

/** Whether what a page says of itself fits what it saves. */
function watchMarks(
  window: Window,
  choices: readonly ChoiceFact[],
  hasHeartbeats: boolean,
): Mark[] {
  const { told, saves } = window
  const toldMs = inOrder(told.flatMap(({ atMs, heardMs }) => [atMs, heardMs]))
  const isHeard = (ms: number) =>
    (lastUntil(toldMs, ms + SILENCE_MS) ?? -Infinity) >= ms - SILENCE_MS
  // A window that told nothing at all is unmonitored, and named as that.
  const unheard =
    hasHeartbeats && told.length > 0 ? saves.filter(({ heardMs }) => !isHeard(heardMs)).length : 0
  const hidden = hiddenTimes(told)
  const inHiding = choices.filter(
    ({ atMs }) =>
      atMs !== null &&
      hidden.some(({ fromMs, toMs }) => atMs > fromMs + SAME_MOMENT_MS && atMs < toMs),
  ).length
  const beats = beatsInPresence(told)
  const hiddenBeats = beats.filter(({ detail }) => saysNo(detail, 'visible')).length
  const unfocused = longestRun(beats, ({ detail }) => saysNo(detail, 'focused'))
  return [
    ...(unheard >= UNHEARD_SAVES ? [{ mark: 'unheard' as const, saves: unheard }] : []),
    ...(inHiding > 0 ? [{ mark: 'hidden_saves' as const, choices: inHiding }] : []),
    ...(hiddenBeats > 0 ? [{ mark: 'hidden_beats' as const, beats: hiddenBeats }] : []),
    ...(hiddenBeats === 0 && unfocused >= UNFOCUSED_BEATS
      ? [{ mark: 'unfocused_beats' as const, beats: unfocused }]
      : []),
  ]
}

const isAbsence = (kind: string) => (ABSENCE_KINDS as readonly string[]).includes(kind)
const endsAbsence = (kind: string) => kind === 'page_visible' || kind === 'ready'
const saysNo = (detail: unknown, field: string) =>
  (detail as Record<string, unknown> | null)?.[field] === false

/** Heartbeats while no absence was told. */
function beatsInPresence(told: readonly FactEvent[]): FactEvent[] {
  let isAway = false
  return told.filter(({ kind }) => {
    if (isAbsence(kind)) isAway = true
    else if (endsAbsence(kind)) isAway = false
    return kind === 'heartbeat' && !isAway
  })
}

function longestRun<T>(list: readonly T[], is: (one: T) => boolean): number {
  let longest = 0
  let run = 0
  for (const one of list) {
    run = is(one) ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** From the first hide until the page was seen again. */
function hiddenTimes(told: readonly FactEvent[]): { fromMs: number; toMs: number }[] {
  const times: { fromMs: number; toMs: number }[] = []
  let fromMs: number | null = null
  for (const { kind, atMs } of told) {
    if (kind === 'page_hidden') fromMs ??= atMs
    if (fromMs === null || !endsAbsence(kind)) continue
    times.push({ fromMs, toMs: atMs })
    fromMs = null
  }
  return fromMs === null ? times : [...times, { fromMs, toMs: Number.POSITIVE_INFINITY }]
}

function takeOverMarks(windows: readonly Window[]): Mark[] {
  const takeOvers = windows.length - 1
  const placeOf = ({ userId, address }: Window) => `${userId} ${address}`
  const switches = windows.filter((window, index) => {
    const before = windows[index - 1]
    return before && placeOf(before) !== placeOf(window)
  }).length
  if (takeOvers < TAKE_OVERS && switches < SWITCHES) return []
  const accounts = new Set(windows.map(({ userId }) => userId)).size
  const addresses = new Set(windows.map(({ address }) => address)).size
  return [{ mark: 'take_overs', takeOvers, accounts, addresses }]
}

/** How long nothing was known of the candidate between one window and the next. */
function betweenMarks(
  events: readonly FactEvent[],
  windows: readonly Window[],
  first: ReadonlyMap<string, Window>,
  choicesIn: ReadonlyMap<string, readonly ChoiceFact[]>,
): Mark[] {
  const reopened = events.filter(({ kind }) => kind === 'reopened')
  // What waited on the device is heard of when the next window comes: when it happened is what counts.
  const seenIn = new Map(
    [...first].map(([id, { told }]) => [
      id,
      inOrder([
        ...told.map(({ atMs }) => atMs),
        ...(choicesIn.get(id) ?? []).map(({ atMs, heardMs }) => atMs ?? heardMs),
      ]),
    ]),
  )
  return windows.flatMap((window, index): Mark[] => {
    const before = windows[index - 1]
    if (!before) return []
    const seenMs = lastUntil(seenIn.get(before.id) ?? [], window.openedMs) ?? before.openedMs
    const sinceMs = Math.max(before.openedMs, seenMs)
    // An organiser opened it again.
    const wasClosed = reopened.some(
      ({ heardMs }) => heardMs >= sinceMs && heardMs <= window.openedMs,
    )
    const ms = window.openedMs - sinceMs
    const hasSaidSo = before.told.at(-1)?.kind === 'page_left'
    const isReturn = window.told[0]?.kind === 'page_hidden'
    const limitMs = isReturn ? 0 : hasSaidSo ? AWAY_MS : UNKNOWN_AWAY_MS
    if (wasClosed || ms < limitMs) return []
    return [
      { mark: 'between_windows', ms, hasSaidSo, back: returnOf(before, window), atMs: sinceMs },
    ]
  })
}

const inOrder = (times: number[]) => times.sort((a, b) => a - b)

/** The last of times in order that is not after a moment. */
function lastUntil(times: readonly number[], untilMs: number): number | undefined {
  let from = 0
  let to = times.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((times[middle] as number) <= untilMs) from = middle + 1
    else to = middle
  }
  return times[from - 1]
}

function returnOf(before: Window, window: Window): Return {
  if (before.userId !== window.userId || before.agent !== window.agent) return 'other_browser'
  const ready = window.told.find(({ kind }) => kind === 'ready')
  const opened = (ready?.detail as { opened?: Return } | null)?.opened
  return opened ?? 'unknown'
}

/** What was excused or is no violation, where it is more than a chance. */
function quietMarks(events: readonly FactEvent[]): Mark[] {
  const awayMs = ({ detail }: FactEvent) =>
    Number((detail as { awayMs?: number } | null)?.awayMs ?? 0)
  const prompts = events.filter(
    (event) => event.kind === 'leave_prompt' && awayMs(event) >= PROMPT_MS,
  )
  const lost = events.filter(({ kind }) => kind === 'focus_lost').map(awayMs)
  const drags = events.filter(({ kind }) => kind === 'drag').length
  return [
    ...prompts.map((event) => ({
      mark: 'leave_prompt' as const,
      ms: awayMs(event),
      atMs: event.atMs,
    })),
    ...(lost.length >= FOCUS_LOST_TIMES
      ? [{ mark: 'focus_lost' as const, times: lost.length, longestMs: Math.max(...lost) }]
      : []),
    ...(drags > 0 ? [{ mark: 'drag' as const, times: drags }] : []),
  ]
}
