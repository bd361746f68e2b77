import { GRACE_MS } from '../../assessments/deadline.ts'
import { HEARTBEAT_MS, isAbsence, MAX_VIOLATIONS } from '../../assessments/violations.ts'

// Who needs somebody during the test (product 7.14.4): derived from facts each time, never stored, and no
// verdict. Planned time that was promised and is missing can't occur: it is in the deadline from the start.

/** Most urgent first. */
export const TROUBLES = [
  'unmonitored',
  'no_save',
  'overdue',
  'third_strike',
  'second_strike',
  'accounts',
] as const
export type Trouble = (typeof TROUBLES)[number]

/** Who is inside and saves nothing for so long. */
export const NO_SAVE_MS = 180_000
/** A page says that it watches when it is opened, or a moment later. */
const FIRST_WORD_MS = 15_000
/** Three heartbeats did not come. */
const SILENCE_MS = 3 * HEARTBEAT_MS
/** The server closes a test within a second of its grace. */
const CLOSING_MS = GRACE_MS + 5_000
/** 'In the same minute': half of it before, half of it after. */
const HALF_MINUTE_MS = 30_000
/** More candidates than these behind one address are a lecture hall, and tell nothing of each other. */
const HALL = 5

/** A violation as it stands now. */
export interface Strike {
  /** of the event */
  event: number
  kind: string
  atMs: number
  /** neither taken back nor of a kind that the candidate is exempt from */
  isCounted: boolean
  /** how long an absence lasted; null while it lasts, and of what is none */
  awayMs: number | null
}

/** What is known of a candidate on the day. All times are milliseconds since 1970. */
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
  /** of the window that owns the attempt */
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
  strikes: Strike[]
  /** accounts that came in as this candidate, the first one first; '' stands for deleted ones */
  accounts: { user: string; firstMs: number }[]
  addresses: string[]
}

/** One line of 'To look at'. */
export interface TroubleLine {
  candidate: string
  trouble: Trouble
  /** names it: the same trouble again has another one */
  mark: string
  sinceMs: number
  answered: number
  total: number
  /** no_save, unmonitored: when anything came last; null: nothing has */
  heardMs: number | null
  /** of strikes: the kind of the newest one that counts */
  kind: string | null
  awayMs: number | null
  /** of an absence: how many others of the room left in that minute; null of anything else */
  others: number | null
  accounts: number
  addresses: number
  /** other candidates who came in by one of its accounts, or share an address that few have */
  linked: string[]
}

/** What all of them together tell about one. */
interface Company {
  people: readonly CandidateOnTheDay[]
  /** whether pages of this assessment send heartbeats */
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
    for (const { user } of one.accounts) if (user !== '') put(byAccount, user, one)
    for (const address of one.addresses) put(byAddress, address, one)
  }
  return { people, hasBeats: people.some(({ hasBeat }) => hasBeat), byAccount, byAddress }
}

/** What somebody should look at of one candidate now, most urgent first (product 7.14.4). */
export function troublesOf(one: CandidateOnTheDay, company: Company, nowMs: number): TroubleLine[] {
  return [
    ...watching(one, company),
    ...saving(one, nowMs),
    ...clock(one, nowMs),
    ...strikes(one, company),
    ...accounts(one, company),
  ]
}

/** Whether somebody is inside: started and neither handed in nor closed. */
export const isInside = ({ startedMs, submittedMs }: CandidateOnTheDay): boolean =>
  startedMs !== null && submittedMs === null

function line(
  one: CandidateOnTheDay,
  trouble: Trouble,
  at: { sinceMs: number; of?: number },
  more: Partial<TroubleLine> = {},
): TroubleLine {
  return {
    candidate: one.id,
    trouble,
    mark: `${trouble}:${at.of ?? at.sinceMs}`,
    sinceMs: at.sinceMs,
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

/** The page saves, and says nothing of what it sees: not at all, or no longer. */
function watching(one: CandidateOnTheDay, { hasBeats }: Company): TroubleLine[] {
  const { openedMs, savedMs, toldMs, isReady } = one.window
  if (!isInside(one) || openedMs === null || savedMs === null) return []
  if (!isReady) {
    if (savedMs - openedMs < FIRST_WORD_MS) return []
    return [line(one, 'unmonitored', { sinceMs: openedMs })]
  }
  if (!hasBeats || toldMs === null || savedMs - toldMs < SILENCE_MS) return []
  return [line(one, 'unmonitored', { sinceMs: toldMs }, { heardMs: toldMs })]
}

/** The last save, or the beginning where there is none since. */
const activeSinceMs = ({ startedMs, savedMs, reopenedMs }: CandidateOnTheDay): number =>
  Math.max(startedMs ?? 0, savedMs ?? 0, reopenedMs ?? 0)

function saving(one: CandidateOnTheDay, nowMs: number): TroubleLine[] {
  if (!isInside(one) || one.answered >= one.total) return []
  const sinceMs = activeSinceMs(one)
  // Whose clock has ended saves no more.
  if (nowMs - sinceMs < NO_SAVE_MS || (one.deadlineMs ?? nowMs) < nowMs) return []
  return [line(one, 'no_save', { sinceMs }, { heardMs: one.heardMs })]
}

function clock(one: CandidateOnTheDay, nowMs: number): TroubleLine[] {
  if (!isInside(one) || one.deadlineMs === null || nowMs < one.deadlineMs + CLOSING_MS) return []
  return [line(one, 'overdue', { sinceMs: one.deadlineMs })]
}

function strikes(one: CandidateOnTheDay, company: Company): TroubleLine[] {
  if (one.strikes.length === 0) return []
  const counted = one.strikes.filter(({ isCounted }) => isCounted)
  const isClosed = one.submittedMs !== null && one.submitReason === 'violations'
  if (isClosed) {
    const last = counted.at(-1) ?? one.strikes.at(-1)
    const sinceMs = one.submittedMs as number
    return [line(one, 'third_strike', { sinceMs }, aboutStrike(one, last, company))]
  }
  const second = counted[MAX_VIOLATIONS - 2]
  if (!isInside(one) || !second) return []
  return [
    line(
      one,
      'second_strike',
      { sinceMs: second.atMs, of: second.event },
      aboutStrike(one, second, company),
    ),
  ]
}

function aboutStrike(
  one: CandidateOnTheDay,
  strike: Strike | undefined,
  { people }: Company,
): Partial<TroubleLine> {
  if (!strike) return {}
  const { kind, awayMs } = strike
  if (!isAbsence(kind)) return { kind }
  const others = people.filter(
    (other) =>
      other !== one &&
      other.room === one.room &&
      other.strikes.some(
        ({ kind, atMs }) => isAbsence(kind) && Math.abs(atMs - strike.atMs) <= HALF_MINUTE_MS,
      ),
  ).length
  return { kind, awayMs, others }
}

/** Several accounts as one candidate, or one account as several. */
function accounts(one: CandidateOnTheDay, company: Company): TroubleLine[] {
  const isAlone = ({ user }: { user: string }) => (company.byAccount.get(user)?.length ?? 1) < 2
  if (one.accounts.length < 2 && one.accounts.every(isAlone)) return []
  const others = new Set<CandidateOnTheDay>()
  for (const { user } of one.accounts) {
    for (const other of company.byAccount.get(user) ?? []) if (other !== one) others.add(other)
  }
  for (const address of one.addresses) {
    const behind = company.byAddress.get(address) ?? []
    if (behind.length - 1 > HALL) continue
    for (const other of behind) if (other !== one) others.add(other)
  }
  const count = one.accounts.length
  // The second account is what is told; where there is one, it is an account that somebody else has too.
  const sinceMs = (one.accounts[count - 1] as { firstMs: number }).firstMs
  return [
    line(
      one,
      'accounts',
      { sinceMs },
      {
        accounts: count,
        addresses: one.addresses.length,
        linked: [...others].map(({ id }) => id).sort(),
      },
    ),
  ]
}
