import * as z from 'zod/mini'
import { GRACE_MS } from './deadline.ts'
import { HEARTBEAT_MS } from './violations.ts'

/** Every threshold by which events are read (docs/decisions/053), in milliseconds. */
export const LIMITS = {
  /** A time without monitoring that is longer than this needs a decision. */
  unseenMs: 60_000,
  /** A new page within this time is a reload. */
  reloadMs: 10_000,
  /** Three heartbeats did not come. */
  silenceMs: 3 * HEARTBEAT_MS,
  /** Fewer saves in silence prove nothing: a laptop that woke up. */
  unheardSaves: 3,
  /** A page says that it watches when it opens, or a moment later. */
  firstWordMs: 15_000,
  /** A change of an answer this soon after a return is told with it. */
  afterReturnMs: 10_000,
  /** Half of 'in the same minute', before and after. */
  halfMinuteMs: 30_000,
  /** A candidate who is taking the test saves nothing. */
  noSaveMs: 180_000,
  /** The server closes a test within seconds of its grace. */
  closingMs: GRACE_MS + 5_000,
  /** More candidates than these behind one address are a lecture hall. */
  hall: 5,
  /** A question answered faster than this was not read (a rapid guess). */
  rapidMs: 3_000,
  /** A long question takes longer to read, up to `rapidMostMs`. */
  wordsPerSecond: 10,
  rapidMostMs: 10_000,
  rapidRun: 5,
  /** Heartbeats in a row without focus. */
  unfocusedBeats: 4,
  takeOvers: 8,
  /** How often the account or address changed from one page to the next. */
  switches: 3,
  /** The leave prompt stood for longer than anybody reads it. */
  promptMs: 10_000,
  focusLostTimes: 3,
  /** A choice and a change of visibility this close together are one moment. */
  sameMomentMs: 1_000,
} as const

/** An event as it is kept; all times are milliseconds since the start of the attempt. */
export interface LoggedEvent {
  id: number
  kind: string
  windowId: string | null
  /** null: the server saw it itself */
  number: number | null
  /** when it happened, by the page's clock within the limits of the server's */
  atMs: number
  /** when the server received it */
  heardMs: number
  detail: unknown
  isViolation: boolean
  isVoided: boolean
  voidReason: string | null
  /** null also when it is deleted */
  account: string | null
  address: string | null
  agent: string | null
}

/** A page that had the attempt open. */
export interface LoggedWindow {
  id: string
  openedMs: number
  /** it has said that it watches */
  isReady: boolean
  /** highest number of an event that its saves claim */
  lastEvent: number
  /** its events that came in, by number */
  told: readonly [number: number, atMs: number, heardMs: number][]
  savedMs: readonly number[]
}

export interface AttemptLog {
  /** in the order in which they came in; a short log has no saves and no heartbeats */
  events: readonly LoggedEvent[]
  /** in the order in which they were opened */
  windows: readonly LoggedWindow[]
  /** in the order in which they were made; none in a short log */
  choices: readonly Choice[]
  /** whether pages of this test send heartbeats: earlier versions did not */
  hasHeartbeats: boolean
  exemptKinds: readonly string[]
  /** number of each item on the candidate's paper, by its id */
  numbers: ReadonlyMap<number, number>
  /** how many words each question has, by its id */
  wordsOf: ReadonlyMap<number, number>
  /** the answers that are stored, and when the last of them was saved */
  saved: { items: readonly number[]; lastMs: number } | null
  /** null while the attempt is open */
  endMs: number | null
}

/** The facts of an incident, as members and the candidate get them (product 7.16.1). */
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
  /** since the start; a report may be older */
  atMs: z.number(),
  /** null: unknown, or a moment */
  lengthMs: z.nullable(z.number()),
  act: z.nullable(
    z.strictObject({ kind: z.string(), key: z.nullable(z.string()), times: z.int() }),
  ),
  /** numbers of the questions that were open then, as far as saves tell */
  questions: z.array(z.int()),
  takeOver: z.nullable(
    z.strictObject({
      isOtherAccount: z.boolean(),
      isOtherAddress: z.boolean(),
      isOtherBrowser: z.boolean(),
    }),
  ),
  /** answers that were chosen while the page was offline, and when they had come in */
  waited: z.nullable(z.strictObject({ answers: z.int(), heardMs: z.number() })),
  /** of an unmonitored page: how many events never came in; null: none ever did */
  missing: z.nullable(z.int()),
  /** of an unmonitored page: saves while it reported nothing */
  unheard: z.int(),
}

export const incidentStrike = {
  /** among all that counted when they came in, from 1 */
  number: z.int(),
  standing: z.enum(['stands', 'taken_back', 'exempt']),
  /** the test was handed in by it, though it may have gone on since */
  endedTest: z.boolean(),
}
type Fields = z.infer<z.ZodMiniObject<typeof incidentFields>>
export type Strike = z.infer<z.ZodMiniObject<typeof incidentStrike>>

/** 'look': what only the report mentions (product 6.8.19) */
type FindingKind = Fields['kind'] | 'look'

/** `decision`: a member has to decide. `note`: an incident too. `look`: only the report mentions it. */
type Weight = 'decision' | 'note' | 'look'

/** One thing that happened, as a person would call it. */
export interface Finding<Kind extends FindingKind = FindingKind> extends Omit<Fields, 'kind'> {
  /** stays as long as its first event, page or report, so that a verdict finds it again */
  name: string
  kind: Kind
  weight: Weight
  events: number[]
  /** null: it never counted; with the reason why it was taken back */
  strike: (Strike & { reason: string | null }) | null
  /** answers that were changed right after the return */
  changed: { question: number; from: string; to: string; afterMs: number }[]
  /** what the report lists as worth a look (product 6.8.19) */
  look: string | null
}
export type Incident = Finding<Fields['kind']>

/** Everything but what only the report mentions. */
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
  /** as its page says, and never after it came in; where the page does not say, when it came in */
  atMs: number
  heardMs: number
  /** false: it may have waited for the network, and nobody knows how long */
  isTimed: boolean
  /** the choice before on the same question */
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
        // Earlier versions say no time, and a page says 0 of what an earlier page left on the device.
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

/** Whether an event says that the page is seen again. */
export const endsAbsence = (kind: string) => kind === 'page_visible' || kind === 'ready'

export const isOpening = ({ kind }: LoggedEvent) => kind === 'started' || kind === 'taken_over'

/** A deleted account is unknown, and unknown is not another one. */
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

/** How many of a list in order are not after a moment. */
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
