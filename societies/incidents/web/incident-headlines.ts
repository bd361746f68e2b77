import type { ResponseOf } from '../../../platform/endpoint.ts'
import { countOf, inWords, numberWord } from '../../../platform/words.ts'
import { blindNumber } from '../../kit/role-words.ts'
import type { listIncidents, ShownIncident } from '../contract.ts'

export type IncidentList = ResponseOf<typeof listIncidents>
export type ListedCandidate = IncidentList['candidates'][number]

export interface IncidentOf<Candidate = { id: string }> {
  candidate: Candidate
  one: ShownIncident
}

/** How often the pages reload during the test, in milliseconds. */
export const LOOK_MS = 10_000

export const VERDICT_WORDS = {
  cleared: 'Cleared',
  upheld: 'Upheld',
  needs_talk: 'Needs follow-up',
} as const

/** Replaces a hidden name: 'Candidate 021'. */
export const candidateName = (number: number | null): string =>
  number === null ? 'A candidate who has not started' : `Candidate ${blindNumber(number)}`

/** Returns the verdict that counts. An incident has at most one that was not withdrawn. */
export const standingOf = ({ verdicts }: ShownIncident) =>
  verdicts.find(({ withdrawnAt }) => withdrawnAt === null)

export const isUndecided = ({ state }: ShownIncident): boolean => state === 'waiting'
export const needsTalk = ({ state }: ShownIncident): boolean => state === 'needs_talk'

/** Whether an incident is undecided or waiting for follow-up. Both block the release. */
export const isOpen = (one: ShownIncident): boolean => isUndecided(one) || needsTalk(one)

/** Whether an incident is cleared but its strike still counts, so the results still say ‘cheated’ (product 7.16.14). */
export const isClearedStrike = (one: ShownIncident) =>
  one.strike?.standing === 'stands' && standingOf(one)?.verdict === 'cleared'

export const undecidedOf = (candidates: readonly ListedCandidate[]): ListedCandidate[] =>
  candidates.filter(({ incidents }) => incidents.some(isUndecided))

const waits = (count: number) => (count === 1 ? 'is waiting' : 'are waiting')

/** Example: '2 undecided, 1 needs follow-up'. Null if none needs follow-up. */
function talkWords(incidents: readonly ShownIncident[]): string | null {
  const [undecided, talks] = [isUndecided, needsTalk].map((fits) => incidents.filter(fits).length)
  if (!talks) return null
  return `${undecided ? `${undecided} undecided, ` : ''}${talks} ${talks === 1 ? 'needs' : 'need'} follow-up`
}

export function listHeadline(candidates: readonly ListedCandidate[]): string {
  const all = candidates.flatMap(({ incidents }) => incidents)
  const people = undecidedOf(candidates).length
  const undecided = all.filter(isUndecided).length
  const talks = talkWords(all)
  if (talks) return talks
  if (undecided === 0)
    return all.length > 0 ? 'No incident is waiting for a verdict' : 'No incidents'
  return `${numberWord(undecided)} ${undecided === 1 ? 'incident' : 'incidents'} of ${inWords(people)} ${people === 1 ? 'candidate' : 'candidates'} ${waits(undecided)} for a verdict`
}

export function fileHeadline(incidents: readonly ShownIncident[], isRunning: boolean): string {
  const count = incidents.length
  const undecided = incidents.filter(isUndecided).length
  if (count === 0) return 'no incidents'
  if (isRunning) return `${countOf(count, 'incident')} so far`
  const talks = talkWords(incidents)
  if (talks) return talks
  if (undecided === 0) return 'no incident is waiting for a verdict'
  if (count === 1) return 'one incident is waiting for a verdict'
  const all = count === 2 ? 'both' : `all ${inWords(count)}`
  const which = undecided < count ? `${inWords(undecided)} of ${inWords(count)}` : all
  return `${which} incidents ${waits(undecided)} for a verdict`
}
