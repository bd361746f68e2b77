import { ABSENCE_KINDS, HEARTBEAT_MS } from '../../assessments/violations.ts'

// What an organiser should look at (product 6.8.19): said in words, derived from facts each time it
// is read, never stored, and no strike. Each has an honest explanation too, which docs/proctoring.md names.

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
  const choices = choicesOf(facts.events, windows)
  return [
    ...paceMarks(choices, facts.wordsOf),
    ...windows.flatMap((window) => watchMarks(window, choices, facts.hasHeartbeats)),
    ...takeOverMarks(windows),
    ...betweenMarks(facts.events, windows, choices),
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
  told: FactEvent[]
  saves: FactEvent[]
}

function windowsOf(events: readonly FactEvent[]): Window[] {
  const opened = events.filter(({ kind }) => kind === 'started' || kind === 'taken_over')
  return opened.map(({ windowId, heardMs, userId, address, agent }) => {
    const own = events.filter((event) => event.windowId === windowId)
    return {
      id: windowId ?? '',
      openedMs: heardMs,
      userId,
      address,
      agent,
      told: own.filter(({ number }) => number !== null),
      saves: own.filter(({ kind }) => kind === 'saved'),
    }
  })
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
function choicesOf(events: readonly FactEvent[], windows: readonly Window[]): ChoiceFact[] {
  return events.flatMap(({ kind, detail, windowId, heardMs }) => {
    if (kind !== 'saved') return []
    const window = windows.find(({ id }) => id === windowId)
    const sent = (Array.isArray(detail) ? detail : []) as [number, string, number, number?][]
    return sent.map((choice) => {
      const [item, , , at] = choice
      const isLeft = at === 0 && window !== windows[0]
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
  const isHeard = (ms: number) =>
    told.some(
      ({ atMs, heardMs }) =>
        Math.abs(ms - atMs) <= SILENCE_MS || Math.abs(ms - heardMs) <= SILENCE_MS,
    )
  // A window that told nothing at all is unmonitored, and named as that.
  const unheard =
    hasHeartbeats && told.length > 0 ? saves.filter(({ heardMs }) => !isHeard(heardMs)).length : 0
  const hidden = hiddenTimes(told)
  const inHiding = choices.filter(
    ({ windowId, atMs }) =>
      windowId === window.id &&
      atMs !== null &&
      hidden.some(({ fromMs, toMs }) => atMs > fromMs + SAME_MOMENT_MS && atMs < toMs),
  ).length
  const beats = told.filter(
    (event, index) => event.kind === 'heartbeat' && !isAwayAfter(told.slice(0, index)),
  )
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

function isAwayAfter(told: readonly FactEvent[]): boolean {
  const last = told.findLast(({ kind }) => isAbsence(kind) || endsAbsence(kind))
  return last !== undefined && isAbsence(last.kind)
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

/** From each hide until the page was seen again. */
function hiddenTimes(told: readonly FactEvent[]): { fromMs: number; toMs: number }[] {
  return told.flatMap((event, index) => {
    if (event.kind !== 'page_hidden') return []
    const end = told.slice(index).find(({ kind }) => endsAbsence(kind))
    return [{ fromMs: event.atMs, toMs: end?.atMs ?? Number.POSITIVE_INFINITY }]
  })
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
  choices: readonly ChoiceFact[],
): Mark[] {
  return windows.flatMap((window, index): Mark[] => {
    const before = windows[index - 1]
    if (!before) return []
    // What waited on the device is heard of when the next window comes: when it happened is what counts.
    const seenMs = [
      before.openedMs,
      ...before.told.map(({ atMs }) => atMs),
      ...choices
        .filter(({ windowId }) => windowId === before.id)
        .map(({ atMs, heardMs }) => atMs ?? heardMs),
    ]
    const sinceMs = Math.max(...seenMs.filter((ms) => ms <= window.openedMs))
    // An organiser opened it again.
    const wasClosed = events.some(
      ({ kind, heardMs }) =>
        kind === 'reopened' && heardMs >= sinceMs && heardMs <= window.openedMs,
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
