import { formatMinutes, lengthText } from '../platform/durations.ts'
import {
  type AttemptLog,
  type Choice,
  endsAbsence,
  type Finding,
  fieldOf,
  groupBy,
  isOpening,
  isOther,
  LIMITS,
  type LoggedEvent,
  plainFinding,
} from './attempt-log.ts'
import { isAbsence } from './violations.ts'

// Findings that a full log shows in addition to its incidents (product 6.8.19). None is a strike, and
// docs/proctoring.md gives an innocent explanation for each.

export function looksOf(log: AttemptLog): Finding[] {
  const whole = findFastTest(log)
  return [
    ...(whole.length > 0 ? whole : findPace(log)),
    ...findContradictions(log),
    ...findManyTakeOvers(log),
    ...findExcused(log),
  ]
}

/** The sentences that the report lists, in order. */
export const worthALook = (history: readonly Finding[]): string[] =>
  history.flatMap(({ look }) => look ?? [])

const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`)

const plainLook = (name: string, atMs: number, look: string): Finding =>
  plainFinding({ name, kind: 'look', weight: 'look', atMs, look })

/** A question answered sooner than this was not read, in milliseconds. */
function leastMsOf({ wordsOf }: AttemptLog, item: number): number {
  const readingMs = ((wordsOf.get(item) ?? 0) / LIMITS.wordsPerSecond) * 1_000
  return Math.min(Math.max(LIMITS.rapidMs, readingMs), LIMITS.rapidMostMs)
}

/** Finds a test with at least half answered faster than anyone can read. A member decides (product 7.16.1). */
function findFastTest(log: AttemptLog): Finding[] {
  const { saved, numbers, endMs } = log
  if (!saved || endMs === null) return []
  const { items, lastMs } = saved
  const leastMs = items.reduce((sum, item) => sum + leastMsOf(log, item), 0)
  const isMost = items.length >= Math.max(LIMITS.rapidRun, numbers.size / 2)
  return isMost && lastMs < leastMs
    ? [fastFinding('pace:test', 'decision', 0, items.length, lastMs)]
    : []
}

const fastFinding = (
  name: string,
  weight: 'decision' | 'note',
  sinceMs: number,
  questions: number,
  lengthMs: number,
): Finding =>
  plainFinding({
    ...{ name, kind: 'pace', weight, atMs: sinceMs, lengthMs },
    act: { kind: 'pace', key: null, times: questions },
    look: `answered ${questions} questions in ${lengthText(lengthMs)}, until ${formatMinutes(sinceMs + lengthMs)}`,
  })

/** Finds runs of questions answered faster than anyone can read them. */
function findPace(log: AttemptLog): Finding[] {
  const { choices } = log
  const first = new Map<number, Choice>()
  for (const one of choices) if (!first.has(one.item)) first.set(one.item, one)
  const found: Finding[] = []
  let run = { questions: 0, sinceMs: 0, untilMs: 0 }
  const endRun = () => {
    const { questions, sinceMs, untilMs } = run
    if (questions < LIMITS.rapidRun) return
    found.push(fastFinding(`pace:${untilMs}`, 'note', sinceMs, questions, untilMs - sinceMs))
  }
  for (const { item, atMs, isTimed } of first.values()) {
    if (!isTimed) continue
    if (atMs - run.untilMs < leastMsOf(log, item)) {
      run = { ...run, questions: run.questions + 1, untilMs: atMs }
    } else {
      endRun()
      run = { questions: 0, sinceMs: atMs, untilMs: atMs }
    }
  }
  endRun()
  return found
}

/** Finds pages whose reports contradict their saves. */
function findContradictions({ events, choices }: AttemptLog): Finding[] {
  const choicesIn = groupBy(choices, ({ windowId }) => windowId)
  const told = events.filter(({ number }) => number !== null)
  return [...groupBy(told, ({ windowId }) => windowId ?? '')].flatMap(([id, own]) => {
    const times = hiddenTimes(own)
    const answered = (choicesIn.get(id) ?? []).filter(
      ({ atMs, isTimed }) =>
        isTimed &&
        times.some(({ fromMs, toMs }) => atMs > fromMs + LIMITS.sameMomentMs && atMs < toMs),
    )
    const beats = beatsInPresence(own)
    const hidden = beats.filter((beat) => fieldOf(beat, 'visible') === false)
    const unfocused = longestRun(beats, (beat) => fieldOf(beat, 'focused') === false)
    const found: Finding[] = []
    if (answered[0]) {
      const many = answered.length === 1 ? 'one question' : `${answered.length} questions`
      const look = `answered ${many} while the page said it was hidden`
      found.push(plainLook(`hidden_saves:${id}`, answered[0].atMs, look))
    }
    if (hidden[0]) {
      const look = `the page said ${timesText(hidden.length)} that it was hidden, but reported no absence`
      found.push(plainLook(`hidden_beats:${id}`, hidden[0].atMs, look))
    } else if (unfocused[0] && unfocused.length >= LIMITS.unfocusedBeats) {
      const look = `the page said ${timesText(unfocused.length)} in a row that it had no focus, but reported no absence`
      found.push(plainLook(`unfocused_beats:${id}`, unfocused[0].atMs, look))
    }
    return found
  })
}

/** Heartbeats sent while no absence was reported. */
function beatsInPresence(told: readonly LoggedEvent[]): LoggedEvent[] {
  let isAway = false
  return told.filter(({ kind }) => {
    if (isAbsence(kind)) isAway = true
    else if (endsAbsence(kind)) isAway = false
    return kind === 'heartbeat' && !isAway
  })
}

function longestRun<T>(list: readonly T[], is: (one: T) => boolean): T[] {
  let longest: T[] = []
  let run: T[] = []
  for (const one of list) {
    if (is(one)) run.push(one)
    else run = []
    if (run.length > longest.length) longest = run
  }
  return longest
}

/** The times from each first hide until the page was seen again. */
function hiddenTimes(told: readonly LoggedEvent[]): { fromMs: number; toMs: number }[] {
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

function findManyTakeOvers({ events }: AttemptLog): Finding[] {
  const openings = events.filter(isOpening)
  const takeOvers = openings.slice(1)
  const switches = takeOvers.filter((one, index) => {
    const before = openings[index] as LoggedEvent
    return isOther(before.account, one.account) || isOther(before.address, one.address)
  }).length
  const [first] = takeOvers
  if (!first || (takeOvers.length < LIMITS.takeOvers && switches < LIMITS.switches)) return []
  const countOf = (field: 'account' | 'address') =>
    new Set(openings.map((one) => one[field]).filter((value) => value !== null)).size
  const [accounts, addresses] = [countOf('account'), countOf('address')]
  const look = [
    `${takeOvers.length} take-overs`,
    accounts > 1 && `${accounts} accounts`,
    addresses > 0 && (addresses === 1 ? '1 address' : `${addresses} addresses`),
  ]
  return [plainLook(`take_overs:${first.id}`, first.atMs, look.filter(Boolean).join(', '))]
}

/** Finds excused or uncounted events that occur too often to be chance. */
function findExcused({ events }: AttemptLog): Finding[] {
  const awayMs = (event: LoggedEvent) => Number(fieldOf(event, 'awayMs') ?? 0)
  const of = (kind: string) => events.filter((event) => event.kind === kind)
  const [lost, drags] = [of('focus_lost'), of('drag')]
  const lookAt = ({ kind, id, atMs }: LoggedEvent, look: string) =>
    plainLook(`${kind}:${id}`, atMs, look)
  const found = of('leave_prompt')
    .filter((event) => awayMs(event) >= LIMITS.promptMs)
    .map((event) => {
      const from = formatMinutes(event.atMs)
      return lookAt(event, `the leave prompt lasted ${lengthText(awayMs(event))}, from ${from}`)
    })
  if (lost[0] && lost.length >= LIMITS.focusLostTimes) {
    const longest = lengthText(Math.max(...lost.map(awayMs)))
    const look = `lost focus ${timesText(lost.length)} for ${longest} at most, excused by fullscreen, the leave prompt or a blocked key`
    found.push(lookAt(lost[0], look))
  }
  if (drags[0]) found.push(lookAt(drags[0], `dragged text ${timesText(drags.length)}`))
  return found
}
