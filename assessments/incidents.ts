// Long because each kind of incident is gathered in its own way, from the same events and into the same shape.
import { ACT_KINDS, isAbsence, MERGE_MS } from './violations.ts'

// What was recorded of an attempt, gathered into what a person would call one thing that happened (product
// 7.16.1): derived each time it is read, never stored. A script may have left thousands of events, so that
// everything here takes time in proportion, but for sorting.

/** Time without anybody watching from which on somebody has to look, milliseconds. */
export const UNSEEN_MS = 60_000
/** A new page of the same browser within this is a reload, and no incident. */
const REOPENED_MS = 10_000
/** A change of an answer so soon after a return is told with it. */
export const AFTER_RETURN_MS = 10_000

/** An event as it is kept; all times are milliseconds since the start of the attempt. */
export interface LoggedEvent {
  id: number
  kind: string
  windowId: string | null
  /** null for what the server saw itself */
  number: number | null
  /** when it happened, by the page's clock within the limits of the server's */
  atMs: number
  /** when the server heard of it */
  heardMs: number
  detail: unknown
  isViolation: boolean
  isVoided: boolean
  voidReason: string | null
  /** null also when it is gone */
  account: string | null
  address: string | null
  agent: string | null
}

/** A window that had the attempt open. */
export interface LoggedWindow {
  id: string
  openedMs: number
  /** of its events and saves, the last */
  lastHeardMs: number
  /** it saved or handed in, and never told that it was watching */
  isSilent: boolean
  /** how many of its numbered events never came in */
  missing: number
  /** from the event before each of these holes to the one behind it, in all */
  missingMs: number
}

export interface LoggedAttempt {
  /** in the order in which they came in; saves may be left out, and with them all that answers tell */
  events: readonly LoggedEvent[]
  /** in the order in which they were opened */
  windows: readonly LoggedWindow[]
  exemptKinds: readonly string[]
  /** number of each item on the candidate's paper, by its id */
  numbers: ReadonlyMap<number, number>
  /** since the start; null while it is open */
  endMs: number | null
}

/** A choice with the moment at which it was made, as its page says. */
export interface ChoiceMade {
  item: number
  choice: string
  revision: number
  atMs: number
  heardMs: number
}

export interface IncidentStrike {
  /** among all that counted when they came in, from 1 */
  number: number
  standing: 'stands' | 'taken_back' | 'exempt'
  /** why it was taken back */
  reason: string | null
  /** the test was handed in by it, though it may go on since */
  endedTest: boolean
}

export const INCIDENT_KINDS = [
  'away',
  'act',
  'offline',
  'take_over',
  'accounts',
  'unmonitored',
  'pace',
  'report',
] as const
type IncidentKind = (typeof INCIDENT_KINDS)[number]

export interface Incident {
  /** stays as long as what it is gathered from, so that a verdict finds it again */
  name: string
  kind: IncidentKind
  atMs: number
  /** null: not known, or a moment */
  lengthMs: number | null
  /** ids of what was gathered */
  events: number[]
  /** null: it never counted */
  strike: IncidentStrike | null
  /** what was done, and how often */
  act: { kind: string; key: string | null; times: number } | null
  /** numbers of the questions that were open then, as far as saves tell */
  questions: number[]
  /** answers that were changed right after the return */
  changed: { question: number; from: string; to: string; afterMs: number }[]
  takeOver: { isOtherAccount: boolean; isOtherAddress: boolean; isOtherBrowser: boolean } | null
  /** answers that were chosen while the page was offline, and when they had come in */
  waited: { answers: number; heardMs: number } | null
  /** of an unmonitored window: how many events never came in; null: none ever did */
  missing: number | null
  /** whether somebody has to decide about it */
  asks: boolean
}

/**
 * What happened in an attempt, in its order. Each event that counted is in exactly one incident, and none has
 * two of them; what did not count joins the one it belongs to.
 */
export function gatherIncidents(attempt: LoggedAttempt): Incident[] {
  const choices = choicesMade(attempt)
  const earlier = earlierOnes(choices)
  return [
    ...gatherPage(attempt),
    ...gatherOffline(attempt, choices),
    ...gatherTakeOvers(attempt),
    ...gatherUnmonitored(attempt),
  ]
    .map((one) => withAnswers(one, { choices, earlier, numbers: attempt.numbers }))
    .sort((a, b) => a.atMs - b.atMs)
}

/** An incident of which nothing more is known than this. */
export function plainIncident(
  known: Pick<Incident, 'name' | 'kind' | 'atMs'> & Partial<Incident>,
): Incident {
  return {
    ...{ lengthMs: null, events: [], strike: null, act: null, questions: [], changed: [] },
    ...{ takeOver: null, waited: null, missing: null, asks: false },
    ...known,
  }
}

const isAct = (kind: string) => (ACT_KINDS as readonly string[]).includes(kind)
const endsAbsence = (kind: string) => kind === 'page_visible' || kind === 'ready'

/** Absences and other acts, as the page told them. */
function gatherPage({ events, exemptKinds }: LoggedAttempt): Incident[] {
  const incidents: Incident[] = []
  let away: Incident | null = null
  let act: Incident | null = null
  let strikes = 0
  for (const event of events) {
    if (event.number === null) {
      if (event.kind !== 'submitted') continue
      away = null // a closed page tells no return
      if (fieldOf(event, 'reason') === 'violations') tellEnd(incidents)
      continue
    }
    if (event.isViolation) strikes += 1
    if (isAbsence(event.kind)) {
      // What counted begins an incident of its own, so that a verdict is about one strike.
      if (away && !event.isViolation) away.events.push(event.id)
      else {
        away = begin(event, 'away', strikes, exemptKinds)
        incidents.push(away)
      }
    } else if (isAct(event.kind)) {
      const isSame: boolean =
        act !== null &&
        !event.isViolation &&
        (event.atMs - act.atMs < MERGE_MS || (act.strike === null && act.act?.kind === event.kind))
      if (act && isSame) {
        act.events.push(event.id)
        if (act.act && act.strike === null) act.act.times += 1
      } else {
        act = begin(event, 'act', strikes, exemptKinds)
        incidents.push(act)
      }
    } else if (away && endsAbsence(event.kind)) {
      away.lengthMs = awayMsOf(event) ?? Math.max(0, event.atMs - away.atMs)
      away.events.push(event.id)
      away = null
    }
  }
  return incidents
}

/** Of what had counted by then, the last one ended the test. */
function tellEnd(incidents: readonly Incident[]): void {
  const last = incidents.findLast(({ strike }) => strike !== null)
  if (last?.strike) last.strike.endedTest = true
}

function begin(
  event: LoggedEvent,
  kind: 'away' | 'act',
  strikes: number,
  exemptKinds: readonly string[],
): Incident {
  const { id, atMs, isViolation, isVoided, voidReason } = event
  const standing = isVoided ? 'taken_back' : exemptKinds.includes(event.kind) ? 'exempt' : 'stands'
  return plainIncident({
    ...{ name: `event:${id}`, kind, atMs, events: [id] },
    ...(isViolation && {
      strike: { number: strikes, standing, reason: voidReason, endedTest: false },
    }),
    act: kind === 'act' ? { kind: event.kind, key: keyOf(event), times: 1 } : null,
    asks: isViolation && standing === 'stands',
  })
}

const fieldOf = ({ detail }: LoggedEvent, field: string): unknown =>
  (detail as Record<string, unknown> | null)?.[field]

function keyOf(event: LoggedEvent): string | null {
  const key = fieldOf(event, 'key')
  return typeof key === 'string' ? key : null
}

function awayMsOf(event: LoggedEvent): number | null {
  const ms = fieldOf(event, 'awayMs')
  return typeof ms === 'number' ? ms : null
}

function gatherOffline({ events }: LoggedAttempt, choices: readonly ChoiceMade[]): Incident[] {
  const incidents: Incident[] = []
  const open = new Map<string, Incident>()
  for (const event of events) {
    const window = event.windowId ?? ''
    const current = open.get(window)
    if (event.kind === 'offline' && !current) {
      const begun = plainIncident({
        ...{ name: `event:${event.id}`, kind: 'offline', atMs: event.atMs, events: [event.id] },
      })
      open.set(window, begun)
      incidents.push(begun)
    } else if (event.kind === 'online' && current) {
      current.lengthMs = event.atMs - current.atMs
      current.events.push(event.id)
      open.delete(window)
    }
  }
  return incidents.map((one) => {
    const untilMs = one.lengthMs === null ? null : one.atMs + one.lengthMs
    const held =
      untilMs === null
        ? []
        : choices.slice(firstAfter(choices, one.atMs), firstAfter(choices, untilMs))
    if (held.length === 0) return one
    return {
      ...one,
      waited: { answers: held.length, heardMs: Math.max(...held.map(({ heardMs }) => heardMs)) },
    }
  })
}

/** Other computers and accounts, and times between two windows in which nobody was seen. */
function gatherTakeOvers({ events, windows }: LoggedAttempt): Incident[] {
  const incidents: Incident[] = []
  const heardIn = new Map(windows.map((one) => [one.id, one.lastHeardMs]))
  const seated = new Set<string>()
  const asked = new Set<string>()
  const entered: LoggedEvent[] = []
  let before: LoggedEvent | null = null
  let reopenedMs = Number.NEGATIVE_INFINITY
  for (const event of events) {
    if (event.kind === 'reopened') reopenedMs = event.heardMs
    if (event.kind === 'verified') entered.push(event)
    if (event.kind !== 'started' && event.kind !== 'taken_over') continue
    if (before) {
      const takeOver = {
        isOtherAccount: isOther(before.account, event.account),
        isOtherAddress: isOther(before.address, event.address),
        isOtherBrowser: isOther(before.agent, event.agent),
      }
      const heardMs = Math.min(heardIn.get(before.windowId ?? '') ?? before.atMs, event.atMs)
      const sinceMs = Math.max(heardMs, before.atMs)
      // While it stood closed nobody was to be seen.
      const unseenMs = reopenedMs >= sinceMs ? 0 : event.atMs - sinceMs
      const isNewAccount =
        takeOver.isOtherAccount && event.account !== null && !seated.has(event.account)
      if (Object.values(takeOver).some(Boolean) || unseenMs > REOPENED_MS) {
        incidents.push(
          plainIncident({
            ...{ name: `event:${event.id}`, kind: 'take_over', atMs: event.atMs, takeOver },
            ...{ lengthMs: unseenMs, events: [event.id] },
            asks: isNewAccount || unseenMs > UNSEEN_MS,
          }),
        )
      }
    }
    if (event.account !== null) seated.add(event.account)
    before = event
  }
  for (const event of entered) {
    const { account, heardMs, id } = event
    if (account === null || seated.has(account) || asked.has(account) || seated.size === 0) continue
    asked.add(account)
    incidents.push(
      plainIncident({
        name: `event:${id}`,
        kind: 'accounts',
        atMs: heardMs,
        events: [id],
        asks: true,
      }),
    )
  }
  return incidents
}

/** What is not known any more is no other: an account may be deleted. */
const isOther = (before: string | null, now: string | null) =>
  before !== null && now !== null && before !== now

function gatherUnmonitored({ windows, endMs }: LoggedAttempt): Incident[] {
  return windows.flatMap((window, index) => {
    const { id, openedMs, isSilent, missing, missingMs, lastHeardMs } = window
    if (!isSilent && missing === 0) return []
    const untilMs = windows[index + 1]?.openedMs ?? endMs ?? lastHeardMs
    const lengthMs = isSilent ? Math.max(0, untilMs - openedMs) : missingMs
    return [
      plainIncident({
        ...{ name: `gap:${id}`, kind: 'unmonitored', atMs: openedMs, lengthMs },
        ...{ missing: isSilent ? null : missing, asks: lengthMs > UNSEEN_MS },
      }),
    ]
  })
}

/** How long nobody watched: between windows, in silent ones, and where events are missing. */
export function unseenMsOf(incidents: readonly Incident[]): number {
  return incidents
    .filter(({ kind }) => kind === 'take_over' || kind === 'unmonitored')
    .reduce((sum, { lengthMs }) => sum + (lengthMs ?? 0), 0)
}

/**
 * Each choice that was saved, by when it was made: as its page says, and never after it was heard of. Of a
 * page that does not say, when it came.
 */
export function choicesMade({
  events,
  windows,
}: Pick<LoggedAttempt, 'events' | 'windows'>): ChoiceMade[] {
  const opened = new Map(windows.map(({ id, openedMs }) => [id, openedMs]))
  return events
    .flatMap(({ kind, detail, windowId, heardMs }) => {
      if (kind !== 'saved' || !Array.isArray(detail)) return []
      return (detail as [number, string, number, number?][]).map(([item, choice, revision, at]) => {
        const saidMs = at ? (opened.get(windowId ?? '') ?? 0) + at : heardMs
        return { item, choice, revision, atMs: Math.min(saidMs, heardMs), heardMs }
      })
    })
    .sort((a, b) => a.atMs - b.atMs)
}

/** The place of the first choice that was made after a moment. */
function firstAfter(choices: readonly ChoiceMade[], atMs: number): number {
  let from = 0
  let to = choices.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((choices[middle] as ChoiceMade).atMs > atMs) to = middle
    else from = middle + 1
  }
  return from
}

interface Made {
  choices: readonly ChoiceMade[]
  /** for each of them the one before on the same question */
  earlier: readonly (ChoiceMade | undefined)[]
  numbers: LoggedAttempt['numbers']
}

function earlierOnes(choices: readonly ChoiceMade[]): (ChoiceMade | undefined)[] {
  const last = new Map<number, ChoiceMade>()
  return choices.map((choice) => {
    const before = last.get(choice.item)
    last.set(choice.item, choice)
    return before
  })
}

/** Which question was open, and what became of answers right after a return. */
function withAnswers(one: Incident, { choices, earlier, numbers }: Made): Incident {
  if (choices.length === 0 || one.kind === 'unmonitored' || one.kind === 'accounts') return one
  const numberOf = ({ item }: ChoiceMade) => numbers.get(item) ?? 0
  const next = firstAfter(choices, one.atMs)
  const untilMs = one.atMs + (one.lengthMs ?? 0)
  const end = firstAfter(choices, untilMs)
  const during = one.kind === 'offline' ? choices.slice(next, end) : []
  // Whoever is away has open what is answered next; at the end what was answered last.
  const around = choices[next] ?? choices[choices.length - 1]
  const open = during.length > 0 ? during : around ? [around] : []
  const questions = [...new Set(open.map(numberOf))].sort((a, b) => a - b)
  if (one.kind !== 'away' || one.lengthMs === null) return { ...one, questions }
  const changed: Incident['changed'] = []
  for (let index = end; index < choices.length; index += 1) {
    const after = choices[index] as ChoiceMade
    if (after.atMs - untilMs > AFTER_RETURN_MS) break
    const before = earlier[index]
    if (!before || before.choice === after.choice) continue
    const told = { from: before.choice, to: after.choice, afterMs: after.atMs - untilMs }
    changed.push({ question: numberOf(after), ...told })
  }
  return { ...one, questions, changed }
}
