import { formatMinutes, lengthText } from '../platform/durations.ts'
import {
  type AttemptLog,
  type Choice,
  countUntil,
  endsAbsence,
  type Finding,
  fieldOf,
  type Incident,
  isOpening,
  isOther,
  LIMITS,
  type LoggedEvent,
  type LoggedWindow,
  plainFinding,
} from './attempt-log.ts'
import { looksOf } from './attempt-looks.ts'
import { ACT_KINDS, isAbsence, MERGE_MS } from './violations.ts'

// Findings are derived from a candidate's events on every read and never stored (docs/decisions/053). A script can
// leave thousands of events, so everything here except sorting runs in linear time.

/**
 * Finds what happened in an attempt, in order. Each counted event belongs to exactly one finding, and related events
 * join it. A short log gives the same incidents, but without questions and pace.
 */
export function findingsOf(log: AttemptLog): Finding[] {
  const happened = [...findPageActs(log), ...findOffline(log), ...findTakeOvers(log)]
  return [
    ...happened.map((one) => withAnswers(one, log)),
    ...findOtherAccounts(log),
    ...findUnmonitored(log),
    ...looksOf(log),
  ].sort((a, b) => a.atMs - b.atMs)
}

function findPageActs({ events, exemptKinds }: AttemptLog): Incident[] {
  const found: Incident[] = []
  let away: Incident | null = null
  let act: Incident | null = null
  let strikes = 0
  const begin = (event: LoggedEvent, kind: 'away' | 'act') => {
    const { id, atMs, isViolation, isVoided, voidReason } = event
    const standing = isVoided
      ? 'taken_back'
      : exemptKinds.includes(event.kind)
        ? 'exempt'
        : 'stands'
    const key = fieldOf(event, 'key')
    const one: Incident = plainFinding({
      name: `event:${id}`,
      kind,
      weight: isViolation && standing === 'stands' ? 'decision' : 'note',
      atMs,
      events: [id],
      strike: isViolation
        ? { number: strikes, standing, reason: voidReason, endedTest: false }
        : null,
      act:
        kind === 'act'
          ? { kind: event.kind, key: typeof key === 'string' ? key : null, times: 1 }
          : null,
    })
    found.push(one)
    return one
  }
  for (const event of events) {
    if (event.number === null) {
      if (event.kind !== 'submitted') continue
      away = null
      const last = found.findLast(({ strike }) => strike !== null)
      if (fieldOf(event, 'reason') === 'violations' && last?.strike) last.strike.endedTest = true
      continue
    }
    if (event.isViolation) strikes += 1
    if (isAbsence(event.kind)) {
      // A counted event always starts its own finding, so that a verdict covers one strike.
      if (away && !event.isViolation) away.events.push(event.id)
      else away = begin(event, 'away')
    } else if ((ACT_KINDS as readonly string[]).includes(event.kind)) {
      const isSame: boolean =
        act !== null &&
        !event.isViolation &&
        (event.atMs - act.atMs < MERGE_MS || (act.strike === null && act.act?.kind === event.kind))
      if (act && isSame) {
        act.events.push(event.id)
        if (act.act && act.strike === null) act.act.times += 1
      } else act = begin(event, 'act')
    } else if (away && endsAbsence(event.kind)) {
      away.lengthMs = awayLength(away.atMs, { ...event, awayMs: fieldOf(event, 'awayMs') })
      away.events.push(event.id)
      away = null
    }
  }
  return found
}

/** How long an absence lasted, by the page's report or until the next sign of the page. Null until the submit. */
export function awayLength(
  leftMs: number,
  back: { kind: string; atMs: number; awayMs: unknown },
): number | null {
  if (!endsAbsence(back.kind)) return null
  return typeof back.awayMs === 'number' ? back.awayMs : Math.max(0, back.atMs - leftMs)
}

/** Whether a gap overlaps the minute around a moment. An absence that began in that minute counts in full. */
export const touchesMinute = (one: Gap, ms: number): boolean =>
  one.fromMs <= ms + LIMITS.halfMinuteMs && one.toMs >= ms - LIMITS.halfMinuteMs

function findOffline({ events, choices }: AttemptLog): Incident[] {
  const found: Incident[] = []
  const open = new Map<string, Incident>()
  for (const event of events) {
    const window = event.windowId ?? ''
    const current = open.get(window)
    if (event.kind === 'offline' && !current) {
      const { id, atMs } = event
      const begun: Incident = plainFinding({
        name: `event:${id}`,
        kind: 'offline',
        weight: 'note',
        atMs,
        events: [id],
      })
      open.set(window, begun)
      found.push(begun)
    } else if (event.kind === 'online' && current) {
      current.lengthMs = event.atMs - current.atMs
      current.events.push(event.id)
      const held = choicesBetween(choices, current.atMs, event.atMs)
      if (held.length > 0) {
        const heardMs = held.reduce((latest, one) => Math.max(latest, one.heardMs), 0)
        current.waited = { answers: held.length, heardMs }
      }
      open.delete(window)
    }
  }
  return found
}

/** Each window's report and save times, and its first and last event kinds. */
function pagesOf({ events, windows }: AttemptLog) {
  const pages = new Map(
    windows.map((window) => {
      const moments = [...window.told.map(([, atMs]) => atMs), ...window.savedMs]
      return [
        window.id,
        {
          seenMs: moments.sort((a, b) => a - b),
          firstKind: '',
          lastKind: '',
          opened: undefined as unknown,
        },
      ]
    }),
  )
  for (const event of events) {
    const page = event.number === null ? undefined : pages.get(event.windowId ?? '')
    if (!page) continue
    page.firstKind ||= event.kind
    page.lastKind = event.kind
    if (event.kind === 'ready') page.opened ??= fieldOf(event, 'opened')
  }
  return pages
}

/** Finds changes of computer or account, and unmonitored time between two pages. */
function findTakeOvers(log: AttemptLog): Finding[] {
  const found: Finding[] = []
  const pages = pagesOf(log)
  const seated = new Set<string>()
  let before: LoggedEvent | null = null
  let reopenedMs = Number.NEGATIVE_INFINITY
  for (const event of log.events) {
    if (event.kind === 'reopened') reopenedMs = event.heardMs
    if (!isOpening(event)) continue
    const { id, atMs, account, windowId } = event
    if (before) {
      const takeOver = {
        isOtherAccount: isOther(before.account, account),
        isOtherAddress: isOther(before.address, event.address),
        isOtherBrowser: isOther(before.agent, event.agent),
      }
      const [left, page] = [pages.get(before.windowId ?? ''), pages.get(windowId ?? '')]
      const seen = left?.seenMs ?? []
      const sinceMs = Math.max(before.atMs, seen[countUntil(seen, atMs, Number) - 1] ?? 0)
      // A closed test is not monitored, so that time does not count.
      const unseenMs = reopenedMs >= sinceMs ? 0 : Math.max(0, atMs - sinceMs)
      const isNewAccount = takeOver.isOtherAccount && account !== null && !seated.has(account)
      const isNew = Object.values(takeOver).some(Boolean) || unseenMs > LIMITS.reloadMs
      const saidSo = left?.lastKind === 'page_left'
      // If a page first reports that it was hidden, the candidate had left it open in a background tab.
      const leastMs = saidSo ? LIMITS.reloadMs : LIMITS.unseenMs
      const isLong = unseenMs > leastMs || (page?.firstKind === 'page_hidden' && unseenMs > 0)
      const isDecided = isNewAccount || unseenMs > LIMITS.unseenMs
      const isElsewhere = takeOver.isOtherAccount || takeOver.isOtherBrowser
      const back = BACK[isElsewhere ? 'elsewhere' : String(page?.opened)] ?? BACK.unknown
      if (isNew || isLong) {
        found.push(
          plainFinding({
            name: `event:${id}`,
            kind: 'take_over',
            weight: isDecided ? 'decision' : isNew ? 'note' : 'look',
            atMs,
            lengthMs: unseenMs,
            events: [id],
            takeOver,
            look: isLong
              ? `${saidSo ? 'away' : 'no reports for'} ${lengthText(unseenMs)} between two windows, from ${formatMinutes(atMs - unseenMs)}, ${back}`
              : null,
          }),
        )
      }
    }
    if (account !== null) seated.add(account)
    before = event
  }
  return found
}

const BACK: Readonly<Record<string, string>> = {
  reload: 'back after a reload',
  back_forward: 'back through the Back or Forward button',
  navigate: 'back with a new page',
  elsewhere: 'back in another browser',
  unknown: 'back in an unknown way',
}

/** Finds accounts that entered the credentials before the end without taking the test. Later ones read a result. */
function findOtherAccounts({ events, endMs }: AttemptLog): Incident[] {
  const found: Incident[] = []
  const known = new Set(events.filter(isOpening).map(({ account }) => account))
  if (![...known].some((account) => account !== null)) return []
  for (const { kind, account, heardMs, id } of events) {
    if (kind !== 'verified' || account === null || known.has(account)) continue
    if (endMs !== null && heardMs > endMs) continue
    known.add(account)
    found.push(
      plainFinding({
        name: `event:${id}`,
        kind: 'accounts',
        weight: 'decision',
        atMs: heardMs,
        events: [id],
      }),
    )
  }
  return found
}

/** Since when a page has saved without reporting events, or null. Like findUnmonitored, for the newest events. */
export function unmonitoredSince(
  page: { openedMs: number; savedMs: number; toldMs: number | null; isReady: boolean },
  hasHeartbeats: boolean,
): number | null {
  const { openedMs, savedMs, toldMs, isReady } = page
  // A new page's first report may still be on its way.
  if (!isReady) return savedMs - openedMs < LIMITS.firstWordMs ? null : openedMs
  return hasHeartbeats && toldMs !== null && isSilent(toldMs, savedMs) ? toldMs : null
}

const isSilent = (fromMs: number, toMs: number) => toMs - fromMs > LIMITS.silenceMs

interface Gap {
  fromMs: number
  toMs: number
}

/** Gaps in which a page saved but reported nothing around the saves. @param wordsMs times of the page's reports */
function silencesOf(
  { openedMs, savedMs }: LoggedWindow,
  wordsMs: readonly number[],
  lastMs: number,
) {
  const silences = new Map<number, Gap & { saves: number }>()
  for (const ms of savedMs) {
    const place = countUntil(wordsMs, ms, Number)
    const [fromMs, nextMs] = [wordsMs[place - 1] ?? openedMs, wordsMs[place]]
    if (!isSilent(fromMs, ms) || (nextMs !== undefined && !isSilent(ms, nextMs))) continue
    const saves = (silences.get(place)?.saves ?? 0) + 1
    silences.set(place, { fromMs, toMs: nextMs ?? lastMs, saves })
  }
  return [...silences.values()]
}

/** Finds pages that saved answers while some or all of their events never arrived. */
function findUnmonitored({ windows, endMs, hasHeartbeats }: AttemptLog): Incident[] {
  return windows.flatMap((window, index): Incident[] => {
    const { id, openedMs, told, savedMs, isReady, lastEvent } = window
    if (savedMs.length === 0 && lastEvent === 0) return []
    const name = `gap:${id}`
    const lastMs = Math.max(openedMs, told.at(-1)?.[1] ?? 0, savedMs.at(-1) ?? 0)
    if (!isReady) {
      const untilMs = windows[index + 1]?.openedMs ?? endMs ?? lastMs
      const lengthMs = Math.max(0, untilMs - openedMs)
      const weight = lengthMs > LIMITS.unseenMs ? 'decision' : 'note'
      return [plainFinding({ name, kind: 'unmonitored', weight, atMs: openedMs, lengthMs })]
    }
    const missing = Math.max(lastEvent, told.at(-1)?.[0] ?? 0) - told.length
    const words = told.flatMap(([, atMs, heardMs]) => [atMs, heardMs]).sort((a, b) => a - b)
    const silences = hasHeartbeats ? silencesOf(window, words, lastMs) : []
    if (missing <= 0 && silences.length === 0) return []
    const holes = holesOf(window, lastMs)
    const unheard = silences.reduce((sum, { saves }) => sum + saves, 0)
    const gaps = [...holes, ...silences].sort((a, b) => a.fromMs - b.fromMs)
    const isUnheard = unheard >= LIMITS.unheardSaves
    return [
      plainFinding({
        name,
        kind: 'unmonitored',
        weight: isUnheard || joinedMs(holes) > LIMITS.unseenMs ? 'decision' : 'note',
        atMs: gaps[0]?.fromMs ?? openedMs,
        lengthMs: joinedMs(gaps),
        missing,
        unheard,
        look: isUnheard
          ? `saved ${unheard} times while its page reported nothing for over ${LIMITS.silenceMs / 1_000} s`
          : null,
      }),
    ]
  })
}

/** Gaps around missing event numbers, each up to the next event or the page's last report or save. */
function holesOf({ openedMs, told, lastEvent }: LoggedWindow, lastMs: number): Gap[] {
  const holes: Gap[] = []
  let [number, fromMs] = [0, openedMs]
  for (const [next, atMs] of told) {
    if (next - number > 1) holes.push({ fromMs, toMs: atMs })
    ;[number, fromMs] = [next, atMs]
  }
  return lastEvent > number ? [...holes, { fromMs, toMs: lastMs }] : holes
}

/** Total length of sorted gaps. Overlaps count once. */
function joinedMs(gaps: readonly Gap[]): number {
  let sumMs = 0
  let untilMs = Number.NEGATIVE_INFINITY
  for (const { fromMs, toMs } of gaps) {
    sumMs += Math.max(0, toMs - Math.max(fromMs, untilMs))
    untilMs = Math.max(untilMs, toMs)
  }
  return sumMs
}

/** Unmonitored time: between pages, on silent pages and where events are missing. Reloads don't count. */
export function unseenMsOf(findings: readonly Pick<Finding, 'kind' | 'lengthMs'>[]): number {
  return findings.reduce((sum, { kind, lengthMs }) => {
    const ms = lengthMs ?? 0
    const counts = kind === 'unmonitored' || (kind === 'take_over' && ms > LIMITS.reloadMs)
    return counts ? sum + ms : sum
  }, 0)
}

/** Whether any time was not monitored or any events are missing. */
export const isUnwatched = (findings: readonly Pick<Finding, 'kind' | 'lengthMs'>[]): boolean =>
  unseenMsOf(findings) > 0 || findings.some(({ kind }) => kind === 'unmonitored')

const choicesUntil = (choices: readonly Choice[], ms: number) =>
  countUntil(choices, ms, ({ atMs }) => atMs)
const choicesBetween = (choices: readonly Choice[], afterMs: number, untilMs: number) =>
  choices.slice(choicesUntil(choices, afterMs), choicesUntil(choices, untilMs))

/** Adds the question that was open and the answers changed right after a return. */
function withAnswers(one: Finding, { choices, numbers }: AttemptLog): Finding {
  if (choices.length === 0) return one
  const numberOf = ({ item }: Choice) => numbers.get(item) ?? 0
  const untilMs = one.atMs + (one.lengthMs ?? 0)
  const during = one.kind === 'offline' ? choicesBetween(choices, one.atMs, untilMs) : []
  // The first answer after an absence shows which question was open. At the end, the last answer does.
  const around = choices[choicesUntil(choices, one.atMs)] ?? choices.at(-1)
  const open = during.length > 0 ? during : around ? [around] : []
  const questions = [...new Set(open.map(numberOf))].sort((a, b) => a - b)
  if (one.kind !== 'away' || one.lengthMs === null) return { ...one, questions }
  const changed = choicesBetween(choices, untilMs, untilMs + LIMITS.afterReturnMs).flatMap(
    (after) => {
      const { was: from, choice: to } = after
      if (from === undefined || from === to) return []
      return [{ question: numberOf(after), from, to, afterMs: after.atMs - untilMs }]
    },
  )
  return { ...one, questions, changed }
}
