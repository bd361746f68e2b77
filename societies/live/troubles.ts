import { awayLength, touchesMinute, unmonitoredSince } from '../../assessments/attempt-history.ts'
import { LIMITS } from '../../assessments/attempt-log.ts'
import type { HelpAsked } from '../../assessments/contract.ts'
import { isAbsence, MAX_VIOLATIONS } from '../../assessments/violations.ts'
import { wholeMinute } from '../../platform/durations.ts'
import { type LiveTrouble, TROUBLES, type Trouble } from './contract.ts'

// Finds candidates who need help during the test (product 7.14.4). The rules are the same as for incidents, but use
// the few facts that one statement returns for each candidate. Promised extra time can't be missing, because the
// deadline includes it from the start.

export interface StrikeNow {
  kind: string
  atMs: number
  /** neither withdrawn nor of a kind that the candidate is exempt from */
  isCounted: boolean
  /** for an absence: the first return or submission after it */
  back: { kind: string; atMs: number; awayMs: unknown } | null
}

/** A candidate's facts on the day of the test. All times are milliseconds since 1970. */
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
  /** when the attempt was last reopened */
  reopenedMs: number | null
  /** number of questions */
  total: number
  /** number of answered questions */
  answered: number
  savedMs: number | null
  /** when the last request came from the candidate's pages */
  heardMs: number | null
  /** the page with the attempt */
  window: {
    openedMs: number | null
    savedMs: number | null
    /** time of its newest event */
    toldMs: number | null
    /** it has reported that monitoring is on */
    isReady: boolean
  }
  /** whether any of its pages has ever sent a heartbeat */
  hasBeat: boolean
  /** requests for help, oldest first; null: none */
  help: HelpAsked[] | null
  /** oldest first */
  strikes: StrikeNow[]
  /** accounts that signed in as this candidate, in order; deleted accounts are unknown and left out */
  accounts: { user: string; firstMs: number }[]
  addresses: string[]
}

/** An alert. `linked` has the ids of the other candidates. */
export type TroubleLine = Omit<LiveTrouble, 'name' | 'username' | 'room'>

/** Facts about all candidates that are needed to judge one. */
export type Company = ReturnType<typeof companyOf>

/** Collects, once for all candidates, the shared facts that alerts need. */
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
  /** who left the page and when, including withdrawn strikes */
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

/** Checks whether the candidate has started and not yet finished. */
export const isInside = ({ startedMs, submittedMs }: CandidateOnTheDay): boolean =>
  startedMs !== null && submittedMs === null

/** Lists a candidate's current alerts, most urgent first. */
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

    // The last save, or the start if there is none since.
    const savingMs = Math.max(one.startedMs ?? 0, one.savedMs ?? 0, one.reopenedMs ?? 0)
    const deadlineMs = one.deadlineMs ?? nowMs
    // Nothing can be saved after the deadline.
    if (answered < total && nowMs - savingMs >= LIMITS.noSaveMs && nowMs <= deadlineMs) {
      add('no_save', savingMs, { heardMs: one.heardMs })
    }
    if (nowMs >= deadlineMs + LIMITS.closingMs) add('overdue', deadlineMs)
  }
  const counted = strikes.filter(({ isCounted }) => isCounted)
  const last = counted.at(-1) ?? strikes.at(-1)
  // These alerts stay after the end. Incidents have exact times by blind number, so these only show a count and
  // minutes.
  const addLasting = (trouble: Trouble, nr: number, ms: number, more: Partial<TroubleLine>) =>
    add(trouble, wholeMinute(ms), { mark: `${trouble}:${nr}`, ...more })
  const second = counted[MAX_VIOLATIONS - 2]
  if (last && one.submittedMs !== null && one.submitReason === 'violations') {
    addLasting('third_strike', strikes.length, one.submittedMs, aboutStrike(one, last, company))
  } else if (second && isInside(one)) {
    const nr = strikes.indexOf(second) + 1
    addLasting('second_strike', nr, second.atMs, aboutStrike(one, second, company))
  }
  // Several accounts for one candidate, or one account for several.
  const newest = accounts.at(-1)
  const isShared = ({ user }: { user: string }) => (company.byAccount.get(user)?.length ?? 1) > 1
  if (newest && (accounts.length > 1 || accounts.some(isShared))) {
    const linked = linkedWith(one, company)
    const addresses = one.addresses.length
    const more = { accounts: accounts.length, addresses, linked }
    addLasting('accounts', accounts.length, newest.firstMs, more)
  }
  return lines.sort((a, b) => TROUBLES.indexOf(a.trouble) - TROUBLES.indexOf(b.trouble))
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

/**
 * Finds candidates with the same account, or with an address shared by few. An address of a lecture hall says
 * nothing.
 */
function linkedWith(one: CandidateOnTheDay, { byAccount, byAddress }: Company): string[] {
  const ofAccounts = one.accounts.flatMap(({ user }) => byAccount.get(user) ?? [])
  const ofAddresses = one.addresses.flatMap((address) => {
    const behind = byAddress.get(address) ?? []
    return behind.length - 1 > LIMITS.hall ? [] : behind
  })
  const others = [...ofAccounts, ...ofAddresses].filter((other) => other !== one)
  return [...new Set(others.map(({ id }) => id))].sort()
}
