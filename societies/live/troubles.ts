import { awayLength, touchesMinute, unmonitoredSince } from '../../assessments/attempt-history.ts'
import { LIMITS } from '../../assessments/attempt-log.ts'
import type { HelpAsked } from '../../assessments/contract.ts'
import { isAbsence, MAX_VIOLATIONS } from '../../assessments/violations.ts'
import { wholeMinute } from '../../platform/durations.ts'
import type { LiveTrouble, Trouble } from './contract.ts'

// Who needs help during the test (product 7.14.4): the same rules as of the history, read from the few facts that one
// statement returns of every candidate. Promised extra time cannot be missing: it is in the deadline from the start.

export interface StrikeNow {
  kind: string
  atMs: number
  /** neither taken back nor of a kind that the candidate is exempt from */
  isCounted: boolean
  /** of an absence: the first return or hand-in after it */
  back: { kind: string; atMs: number; awayMs: unknown } | null
}

/** The facts about a candidate on the day. All times are milliseconds since 1970. */
export interface CandidateOnTheDay {
  id: string
  name: string | null
  username: string
  room: string | null
  /** first sign-in with the credentials */
  verifiedMs: number | null
  /** null before the start */
  startedMs: number | null
  deadlineMs: number | null
  submittedMs: number | null
  submitReason: string | null
  /** when it was opened again last */
  reopenedMs: number | null
  /** questions of the paper */
  total: number
  /** questions that have an answer */
  answered: number
  savedMs: number | null
  /** when anything came from the candidate's pages last */
  heardMs: number | null
  /** the page that has the attempt */
  window: {
    openedMs: number | null
    savedMs: number | null
    /** its newest event */
    toldMs: number | null
    /** it has said that it watches */
    isReady: boolean
  }
  /** whether one of its pages has ever sent a heartbeat */
  hasBeat: boolean
  /** requests for help, oldest first; null: none */
  help: HelpAsked[] | null
  /** oldest first */
  strikes: StrikeNow[]
  /** accounts that came in as this candidate, the first one first; deleted ones are unknown, and not among them */
  accounts: { user: string; firstMs: number }[]
  addresses: string[]
}

/** One line of 'To look at'; `linked` has the ids of the other candidates. */
export type TroubleLine = Omit<LiveTrouble, 'name' | 'username' | 'room'>

/** What all candidates together show about one. */
export type Company = ReturnType<typeof companyOf>

/** Reads once what the troubles of each candidate need of all. */
export function companyOf(people: readonly CandidateOnTheDay[]) {
  const byAccount = new Map<string, CandidateOnTheDay[]>()
  const byAddress = new Map<string, CandidateOnTheDay[]>()
  const put = (groups: typeof byAccount, key: string, one: CandidateOnTheDay) => {
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  for (const one of people) {
    for (const { user } of one.accounts) put(byAccount, user, one)
    for (const address of one.addresses) put(byAddress, address, one)
  }
  /** who left the page, and when: taken back or not */
  const absences = people.flatMap((of) => {
    const endMs = of.submittedMs ?? Number.POSITIVE_INFINITY
    const away = of.strikes
      .filter(({ kind }) => isAbsence(kind))
      .map((strike) => {
        const awayMs = awayMsOf(strike)
        return { fromMs: strike.atMs, toMs: awayMs === null ? endMs : strike.atMs + awayMs }
      })
    return away.length > 0 ? [{ of, away }] : []
  })
  const hasBeats = people.some(({ hasBeat }) => hasBeat)
  return { absences, hasBeats, byAccount, byAddress }
}

const awayMsOf = ({ atMs, back }: StrikeNow) => back && awayLength(atMs, back)

/** Whether the candidate has started, and neither handed in nor been closed. */
export const isInside = ({ startedMs, submittedMs }: CandidateOnTheDay): boolean =>
  startedMs !== null && submittedMs === null

/** What a member should look at of one candidate now, most urgent first. */
export function troublesOf(one: CandidateOnTheDay, company: Company, nowMs: number): TroubleLine[] {
  const { id: candidate, answered, total, strikes, accounts } = one
  const lines: TroubleLine[] = []
  const add = (trouble: Trouble, sinceMs: number, more: Partial<TroubleLine> = {}) =>
    lines.push({
      ...{ candidate, trouble, mark: `${trouble}:${sinceMs}`, sinceMs, answered, total },
      ...{ heardMs: null, kind: null, awayMs: null, others: null, text: null },
      ...{ accounts: 0, addresses: 0, linked: [], ...more },
    })
  const asked = one.help?.at(-1)
  if (asked && isInside(one)) {
    const unread = (one.help ?? []).filter(({ readMs }) => readMs === null)
    const text = unread.flatMap((request) => request.text ?? []).join(' / ') || null
    add('help', unread[0]?.atMs ?? asked.atMs, { mark: `help:${asked.event}`, text })
  }
  if (isInside(one)) {
    const { openedMs, savedMs, toldMs, isReady } = one.window
    const silentMs =
      openedMs === null || savedMs === null
        ? null
        : unmonitoredSince({ openedMs, savedMs, toldMs, isReady }, company.hasBeats)
    if (silentMs !== null) add('unmonitored', silentMs, { heardMs: isReady ? silentMs : null })

    // The last save, or the beginning where there is none since.
    const savingMs = Math.max(one.startedMs ?? 0, one.savedMs ?? 0, one.reopenedMs ?? 0)
    const deadlineMs = one.deadlineMs ?? nowMs
    // After the deadline nobody saves.
    if (answered < total && nowMs - savingMs >= LIMITS.noSaveMs && nowMs <= deadlineMs) {
      add('no_save', savingMs, { heardMs: one.heardMs })
    }
    if (nowMs >= deadlineMs + LIMITS.closingMs) add('overdue', deadlineMs)
  }
  const counted = strikes.filter(({ isCounted }) => isCounted)
  const last = counted.at(-1) ?? strikes.at(-1)
  // These stay after the end, and incidents under a number have events and seconds: here they are a count and minutes.
  const addLasting = (trouble: Trouble, nr: number, ms: number, more: Partial<TroubleLine>) =>
    add(trouble, wholeMinute(ms), { mark: `${trouble}:${nr}`, ...more })
  const second = counted[MAX_VIOLATIONS - 2]
  if (last && one.submittedMs !== null && one.submitReason === 'violations') {
    addLasting('third_strike', strikes.length, one.submittedMs, aboutStrike(one, last, company))
  } else if (second && isInside(one)) {
    const nr = strikes.indexOf(second) + 1
    addLasting('second_strike', nr, second.atMs, aboutStrike(one, second, company))
  }
  // Several accounts as one candidate, or one account as several.
  const newest = accounts.at(-1)
  const isShared = ({ user }: { user: string }) => (company.byAccount.get(user)?.length ?? 1) > 1
  if (newest && (accounts.length > 1 || accounts.some(isShared))) {
    const linked = linkedWith(one, company)
    const addresses = one.addresses.length
    const more = { accounts: accounts.length, addresses, linked }
    addLasting('accounts', accounts.length, newest.firstMs, more)
  }
  return lines
}

function aboutStrike(
  one: CandidateOnTheDay,
  strike: StrikeNow,
  { absences }: Company,
): Partial<TroubleLine> {
  if (!isAbsence(strike.kind)) return { kind: strike.kind }
  const others = absences.filter(
    ({ of, away }) =>
      of !== one &&
      (one.room === null || of.room === one.room) &&
      away.some((stretch) => touchesMinute(stretch, strike.atMs)),
  )
  return { kind: strike.kind, awayMs: awayMsOf(strike), others: others.length }
}

/** Ids of others with one of these accounts, or with an address that few share: a lecture hall tells nothing. */
function linkedWith(one: CandidateOnTheDay, { byAccount, byAddress }: Company): string[] {
  const ofAccounts = one.accounts.flatMap(({ user }) => byAccount.get(user) ?? [])
  const ofAddresses = one.addresses.flatMap((address) => {
    const behind = byAddress.get(address) ?? []
    return behind.length - 1 > LIMITS.hall ? [] : behind
  })
  const others = [...ofAccounts, ...ofAddresses].filter((other) => other !== one)
  return [...new Set(others.map(({ id }) => id))].sort()
}
