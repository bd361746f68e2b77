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

// What a whole log shows besides its incidents (product 6.8.19). Nothing here is a strike, and each has an honest
// explanation too, which docs/proctoring.md names.

export function looksOf(log: AttemptLog, choices: readonly Choice[]): Finding[] {
  return [
    ...findPace(choices, log.wordsOf),
    ...findContradictions(log, choices),
    ...findManyTakeOvers(log),
    ...findExcused(log),
  ]
}

const look = (
  kind: Finding['kind'],
  { id, atMs }: { id: number | string; atMs: number },
  facts: Partial<Finding> = {},
): Finding => plainFinding({ name: `${kind}:${id}`, kind, weight: 'look', atMs, ...facts })

/** Questions answered one after the other faster than anybody reads them. */
function findPace(choices: readonly Choice[], wordsOf: AttemptLog['wordsOf']): Finding[] {
  const first = new Map<number, Choice>()
  for (const one of choices) if (!first.has(one.item)) first.set(one.item, one)
  const found: Finding[] = []
  let run = { questions: 0, sinceMs: 0, untilMs: 0 }
  const endRun = () => {
    const { questions, sinceMs, untilMs } = run
    if (questions < LIMITS.rapidRun) return
    found.push(
      plainFinding({
        name: `pace:${untilMs}`,
        kind: 'pace',
        weight: 'note',
        atMs: sinceMs,
        lengthMs: untilMs - sinceMs,
        act: { kind: 'pace', key: null, times: questions },
      }),
    )
  }
  for (const { item, atMs, isTimed } of first.values()) {
    if (!isTimed) continue
    const readingMs = ((wordsOf.get(item) ?? 0) / LIMITS.wordsPerSecond) * 1_000
    const leastMs = Math.min(Math.max(LIMITS.rapidMs, readingMs), LIMITS.rapidMostMs)
    if (atMs - run.untilMs < leastMs) {
      run = { ...run, questions: run.questions + 1, untilMs: atMs }
    } else {
      endRun()
      run = { questions: 0, sinceMs: atMs, untilMs: atMs }
    }
  }
  endRun()
  return found
}

/** Where what a page says of itself does not fit what it saves. */
function findContradictions({ events }: AttemptLog, choices: readonly Choice[]): Finding[] {
  const choicesIn = groupBy(choices, ({ windowId }) => windowId)
  const told = events.filter(({ number }) => number !== null)
  return [...groupBy(told, ({ windowId }) => windowId ?? '')].flatMap(([id, own]) => {
    const hidden = hiddenTimes(own)
    const inHiding = (choicesIn.get(id) ?? []).filter(
      ({ atMs, isTimed }) =>
        isTimed &&
        hidden.some(({ fromMs, toMs }) => atMs > fromMs + LIMITS.sameMomentMs && atMs < toMs),
    )
    const beats = beatsInPresence(own)
    const hiddenBeats = beats.filter((beat) => fieldOf(beat, 'visible') === false)
    const unfocused = longestRun(beats, (beat) => fieldOf(beat, 'focused') === false)
    const many = (kind: Finding['kind'], of: readonly { atMs: number }[], least = 1) =>
      of[0] && of.length >= least
        ? [look(kind, { id, atMs: of[0].atMs }, { times: of.length })]
        : []
    return [
      ...many('hidden_saves', inHiding),
      ...many('hidden_beats', hiddenBeats),
      ...(hiddenBeats.length === 0
        ? many('unfocused_beats', unfocused, LIMITS.unfocusedBeats)
        : []),
    ]
  })
}

/** Heartbeats while no absence was reported. */
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

/** From the first hide until the page was seen again. */
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
  const places = { accounts: countOf('account'), addresses: countOf('address') }
  return [look('take_overs', first, { times: takeOvers.length, places })]
}

/** What was excused or is no violation, where it is more than chance. */
function findExcused({ events }: AttemptLog): Finding[] {
  const awayMs = (event: LoggedEvent) => Number(fieldOf(event, 'awayMs') ?? 0)
  const of = (kind: string) => events.filter((event) => event.kind === kind)
  const [lost, drags] = [of('focus_lost'), of('drag')]
  return [
    ...of('leave_prompt')
      .filter((event) => awayMs(event) >= LIMITS.promptMs)
      .map((event) => look('leave_prompt', event, { lengthMs: awayMs(event) })),
    ...(lost[0] && lost.length >= LIMITS.focusLostTimes
      ? [
          look('focus_lost', lost[0], {
            times: lost.length,
            lengthMs: Math.max(...lost.map(awayMs)),
          }),
        ]
      : []),
    ...(drags[0] ? [look('drag', drags[0], { times: drags.length })] : []),
  ]
}
