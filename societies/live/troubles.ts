import { awayLength, touchesMinute, unmonitoredSince } from '../../assessments/attempt-history.ts'
import { LIMITS } from '../../assessments/attempt-log.ts'
import { isAbsence, MAX_VIOLATIONS } from '../../assessments/violations.ts'
import type { LiveTrouble, Trouble } from './contract.ts'

// Who needs help during the test (product 7.14.4): the same rules as of the history, read from the few facts that one
// statement returns of every candidate. Promised extra time cannot be missing: it is in the deadline from the start.

/** A violation as it stands now. */
export interface StrikeNow {
  event: number
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
  /** oldest first */
  strikes: StrikeNow[]
  /** accounts that came in as this candidate, the first one first; deleted ones are unknown, and not among them */
  accounts: { user: string; firstMs: number }[]
  addresses: string[]
}

/** One line of 'To look at'; `linked` has the ids of the other candidates. */
export type TroubleLine = Omit<LiveTrouble, 'name' | 'username' | 'room'>

/** What all candidates together show about one. */
interface Company {
  /** who left the page, and when: taken back or not */
  absences: readonly { of: CandidateOnTheDay; away: { fromMs: number; toMs: number }[] }[]
  /** whether pages of this test send heartbeats */
  hasBeats: boolean
  byAccount: ReadonlyMap<string, readonly CandidateOnTheDay[]>
  byAddress: ReadonlyMap<string, readonly CandidateOnTheDay[]>
}

/** Reads once what the troubles of each candidate need of all. */
export function companyOf(people: readonly CandidateOnTheDay[]): Company {
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
  const absences = people.flatMap((of) => {
    const away = of.strikes
      .filter(({ kind }) => isAbsence(kind))
      .map((strike) => {
        const awayMs = awayMsOf(strike)
        const endMs = of.submittedMs ?? Number.POSITIVE_INFINITY
        return { fromMs: strike.atMs, toMs: awayMs === null ? endMs : strike.atMs + awayMs }
      })
    return away.length > 0 ? [{ of, away }] : []
  })
  return { absences, hasBeats: people.some(({ hasBeat }) => hasBeat), byAccount, byAddress }
}

const awayMsOf = ({ atMs, back }: StrikeNow) => back && awayLength(atMs, back)

/** What a member should look at of one candidate now, most urgent first. */
export function troublesOf(one: CandidateOnTheDay, company: Company, nowMs: number): TroubleLine[] {
  return [
    ...(isInside(one)
      ? [...findUnmonitored(one, company), ...findNoSave(one, nowMs), ...findOverdue(one, nowMs)]
      : []),
    ...findStrikes(one, company),
    ...findAccounts(one, company),
  ]
}

/** Whether the candidate has started, and neither handed in nor been closed. */
export const isInside = ({ startedMs, submittedMs }: CandidateOnTheDay): boolean =>
  startedMs !== null && submittedMs === null

function line(
  one: CandidateOnTheDay,
  trouble: Trouble,
  sinceMs: number,
  more: Partial<TroubleLine> = {},
): TroubleLine {
  return {
    candidate: one.id,
    trouble,
    mark: `${trouble}:${sinceMs}`,
    sinceMs,
    answered: one.answered,
    total: one.total,
    heardMs: null,
    kind: null,
    awayMs: null,
    others: null,
    accounts: 0,
    addresses: 0,
    linked: [],
    ...more,
  }
}

function findUnmonitored(one: CandidateOnTheDay, { hasBeats }: Company): TroubleLine[] {
  const { openedMs, savedMs, toldMs, isReady } = one.window
  if (openedMs === null || savedMs === null) return []
  const sinceMs = unmonitoredSince({ openedMs, savedMs, toldMs, isReady }, hasBeats)
  if (sinceMs === null) return []
  return [line(one, 'unmonitored', sinceMs, { heardMs: isReady ? sinceMs : null })]
}

function findNoSave(one: CandidateOnTheDay, nowMs: number): TroubleLine[] {
  if (one.answered >= one.total) return []
  // The last save, or the beginning where there is none since.
  const sinceMs = Math.max(one.startedMs ?? 0, one.savedMs ?? 0, one.reopenedMs ?? 0)
  // After the deadline nobody saves.
  if (nowMs - sinceMs < LIMITS.noSaveMs || (one.deadlineMs ?? nowMs) < nowMs) return []
  return [line(one, 'no_save', sinceMs, { heardMs: one.heardMs })]
}

function findOverdue(one: CandidateOnTheDay, nowMs: number): TroubleLine[] {
  if (one.deadlineMs === null || nowMs < one.deadlineMs + LIMITS.closingMs) return []
  return [line(one, 'overdue', one.deadlineMs)]
}

function findStrikes(one: CandidateOnTheDay, company: Company): TroubleLine[] {
  if (one.strikes.length === 0) return []
  const counted = one.strikes.filter(({ isCounted }) => isCounted)
  if (one.submittedMs !== null && one.submitReason === 'violations') {
    const last = counted.at(-1) ?? (one.strikes.at(-1) as StrikeNow)
    return [line(one, 'third_strike', one.submittedMs, aboutStrike(one, last, company))]
  }
  const second = counted[MAX_VIOLATIONS - 2]
  if (!isInside(one) || !second) return []
  const about = aboutStrike(one, second, company)
  return [
    line(one, 'second_strike', second.atMs, { mark: `second_strike:${second.event}`, ...about }),
  ]
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

/** Several accounts as one candidate, or one account as several. */
function findAccounts(one: CandidateOnTheDay, company: Company): TroubleLine[] {
  const newest = one.accounts.at(-1)
  const isAlone = ({ user }: { user: string }) => (company.byAccount.get(user)?.length ?? 1) < 2
  if (!newest || (one.accounts.length < 2 && one.accounts.every(isAlone))) return []
  const others = new Set<CandidateOnTheDay>()
  for (const { user } of one.accounts) {
    for (const other of company.byAccount.get(user) ?? []) if (other !== one) others.add(other)
  }
  for (const address of one.addresses) {
    const behind = company.byAddress.get(address) ?? []
    if (behind.length - 1 > LIMITS.hall) continue
    for (const other of behind) if (other !== one) others.add(other)
  }
  return [
    line(one, 'accounts', newest.firstMs, {
      accounts: one.accounts.length,
      addresses: one.addresses.length,
      linked: [...others].map(({ id }) => id).sort(),
    }),
  ]
}
