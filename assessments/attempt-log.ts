import * as z from 'zod/mini'
import { GRACE_MS } from './deadline.ts'
import { HEARTBEAT_MS } from './violations.ts'

/** Every threshold for reading events (docs/decisions/053), in milliseconds unless noted. */
export const LIMITS = {
  /** A longer time without monitoring needs a decision. */
  unseenMs: 60_000,
  /** A new page within this time counts as a reload. */
  reloadMs: 10_000,
  /** A page is silent after three missed heartbeats. */
  silenceMs: 3 * HEARTBEAT_MS,
  /** Fewer saves during a silence prove nothing: a laptop may have woken up. */
  unheardSaves: 3,
  /** A page has this long after opening to report that it is monitoring. */
  firstWordMs: 15_000,
  /** An answer changed within this time after a return is shown with the return. */
  afterReturnMs: 10_000,
  /** Half of "the same minute", before and after a moment. */
  halfMinuteMs: 30_000,
  /** A running test without a save for this long raises an alert. */
  noSaveMs: 180_000,
  /** The server closes a test within seconds after its grace period. */
  closingMs: GRACE_MS + 5_000,
  /** More candidates than this behind one address are probably in the same lecture hall. */
  hall: 5,
  /** A question answered faster than this was not read (a rapid guess). */
  rapidMs: 3_000,
  /** Reading speed: longer questions take longer, up to `rapidMostMs`. */
  wordsPerSecond: 10,
  rapidMostMs: 10_000,
  rapidRun: 5,
  /** Heartbeats in a row without focus. */
  unfocusedBeats: 4,
  takeOvers: 8,
  /** How often the account or address changed between pages. */
  switches: 3,
  /** The leave prompt was open longer than it takes to read. */
  promptMs: 10_000,
  focusLostTimes: 3,
  /** A choice and a visibility change this close together count as simultaneous. */
  sameMomentMs: 1_000,
} as const

/** A stored event. All times are milliseconds since the start of the attempt. */
export interface LoggedEvent {
  id: number
  kind: string
  windowId: string | null
  /** Null if the server recorded the event itself. */
  number: number | null
  /** When it happened, by the page's clock, within the limits of the server's clock. */
  atMs: number
  heardMs: number
  detail: unknown
  isViolation: boolean
  isVoided: boolean
  voidReason: string | null
  /** Null also if the account was deleted. */
  account: string | null
  address: string | null
  agent: string | null
}

export interface LoggedWindow {
  id: string
  openedMs: number
  /** Whether it reported that it is monitoring. */
  isReady: boolean
  /** The highest event number that its saves report. */
  lastEvent: number
  /** The events that arrived, by number. */
  told: readonly [number: number, atMs: number, heardMs: number][]
  savedMs: readonly number[]
}

export interface AttemptLog {
  /** In order of arrival. A short log has no saves or heartbeats. */
  events: readonly LoggedEvent[]
  /** In order of opening. */
  windows: readonly LoggedWindow[]
  /** In the order they were made. Empty in a short log. */
  choices: readonly Choice[]
  /** Whether pages of this test send heartbeats. Earlier versions did not. */
  hasHeartbeats: boolean
  exemptKinds: readonly string[]
  /** Question number on the candidate's paper, by item id. */
  numbers: ReadonlyMap<number, number>
  /** Word count of each question, by item id. */
  wordsOf: ReadonlyMap<number, number>
  /** The stored answers, and when the last one was saved. */
  saved: { items: readonly number[]; lastMs: number } | null
  /** Null while the attempt is open. */
  endMs: number | null
}

/** The facts of an incident, as shown to members and the candidate (product 7.16.1). */
export const incidentFields = {
  kind: z.enum([
    'away',
    'act',
    'offline',
    'take_over',
    'accounts',
    'unmonitored',
    'pace',
    'report',
  ]),
  /** Milliseconds since the start. The event itself may have arrived later. */
  atMs: z.number(),
  /** Null if unknown or if it was a single moment. */
  lengthMs: z.nullable(z.number()),
  act: z.nullable(
    z.strictObject({ kind: z.string(), key: z.nullable(z.string()), times: z.int() }),
  ),
  /** Numbers of the questions that were open then, as far as saves show. */
  questions: z.array(z.int()),
  takeOver: z.nullable(
    z.strictObject({
      isOtherAccount: z.boolean(),
      isOtherAddress: z.boolean(),
      isOtherBrowser: z.boolean(),
    }),
  ),
  /** Answers chosen while the page was offline, and when the last of them arrived. */
  waited: z.nullable(z.strictObject({ answers: z.int(), heardMs: z.number() })),
  /** For an unmonitored page, how many events never arrived. Null if none ever did. */
  missing: z.nullable(z.int()),
  /** For an unmonitored page, the number of saves while it reported nothing. */
  unheard: z.int(),
}

export const incidentStrike = {
  /** Its number among all strikes counted on arrival, from 1. */
  number: z.int(),
  standing: z.enum(['stands', 'taken_back', 'exempt']),
  /** Whether this strike submitted the test, even if the test was reopened later. */
  endedTest: z.boolean(),
}
type Fields = z.infer<z.ZodMiniObject<typeof incidentFields>>
export type Strike = z.infer<z.ZodMiniObject<typeof incidentStrike>>

/** 'look': shown only in the report (product 6.8.19). */
type FindingKind = Fields['kind'] | 'look'

/** `decision`: a member has to decide. `note`: an incident without a decision. `look`: shown only in the report. */
type Weight = 'decision' | 'note' | 'look'

/** One thing that happened, in terms a person would use. */
export interface Finding<Kind extends FindingKind = FindingKind> extends Omit<Fields, 'kind'> {
  /** Derived from its first event, page or report, so that a verdict finds it again. */
  name: string
  kind: Kind
  weight: Weight
  events: number[]
  /** Null if it never counted. `reason` is why it was taken back. */
  strike: (Strike & { reason: string | null }) | null
  /** Answers changed right after the return. */
  changed: { question: number; from: string; to: string; afterMs: number }[]
  /** The sentence that the report lists as worth a look (product 6.8.19). */
  look: string | null
}
export type Incident = Finding<Fields['kind']>

export const isIncident = (finding: Finding): finding is Incident => finding.weight !== 'look'

export function plainFinding<Kind extends FindingKind>(
  facts: { name: string; kind: Kind; weight: Weight; atMs: number } & Partial<
    Omit<Finding, 'kind'>
  >,
): Finding<Kind> {
  return {
    lengthMs: null,
    events: [],
    strike: null,
    act: null,
    questions: [],
    changed: [],
    takeOver: null,
    waited: null,
    missing: null,
    unheard: 0,
    look: null,
    ...facts,
  }
}

export interface Choice {
  item: number
  choice: string
  windowId: string
  /** The time the page reports, capped at arrival. If the page reports none, the arrival time. */
  atMs: number
  heardMs: number
  /** False if the choice may have waited for the network for an unknown time. */
  isTimed: boolean
  /** The previous choice on the same question. */
  was: string | undefined
}

export function choicesMade({ events, windows }: Pick<AttemptLog, 'events' | 'windows'>): Choice[] {
  const opened = new Map(windows.map(({ id, openedMs }) => [id, openedMs]))
  const firstWindow = events.find(({ kind }) => kind === 'started')?.windowId
  const last = new Map<number, string>()
  return events
    .flatMap(({ kind, detail, windowId, heardMs }) => {
      if (kind !== 'saved' || !Array.isArray(detail)) return []
      const sent = detail as [number, string, number, number?][]
      return sent.map((one) => {
        const [item, choice, , at] = one
        // Earlier versions report no time. A page reports 0 for choices that an earlier page left on the device.
        const isLeft = at === 0 && windowId !== firstWindow
        const saidMs = at ? (opened.get(windowId ?? '') ?? 0) + at : heardMs
        return {
          item,
          choice,
          windowId: windowId ?? '',
          atMs: Math.min(saidMs, heardMs),
          heardMs,
          isTimed: sent.length === 1 || (one.length > 3 && !isLeft),
        }
      })
    })
    .sort((a, b) => a.atMs - b.atMs)
    .map((one) => {
      const was = last.get(one.item)
      last.set(one.item, one.choice)
      return { ...one, was }
    })
}

export const fieldOf = ({ detail }: Pick<LoggedEvent, 'detail'>, field: string): unknown =>
  (detail as Record<string, unknown> | null)?.[field]

/** Whether an event shows that the page is visible again. */
export const endsAbsence = (kind: string) => kind === 'page_visible' || kind === 'ready'

export const isOpening = ({ kind }: LoggedEvent) => kind === 'started' || kind === 'taken_over'

/** A deleted account is unknown, so it doesn't count as a different one. */
export const isOther = (before: string | null, now: string | null) =>
  before !== null && now !== null && before !== now

export function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** Counts the items of a sorted list up to and including a moment. */
export function countUntil<T>(
  list: readonly T[],
  untilMs: number,
  msOf: (one: T) => number,
): number {
  let from = 0
  let to = list.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (msOf(list[middle] as T) <= untilMs) from = middle + 1
    else to = middle
  }
  return from
}
