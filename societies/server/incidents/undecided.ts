import { isUnwatched } from '../../../assessments/attempt-history.ts'
import type { Client } from '../action.ts'
import {
  type IncidentCandidate,
  isUndecided,
  type JudgedIncident,
  readIncidents,
} from './read-incidents.ts'

/** What is open about a candidate, and whether somebody watched. */
export interface OpenOf {
  /** without a verdict */
  undecided: number
  /** the verdict asks for a talk, which decides nothing (product 7.16.11) */
  waitForTalk: number
  /** as the candidate's page says it: there was a time that nobody watched, or events of it are missing */
  isUnwatched: boolean
  /** that count: from one on the result says 'cheated' (product 6.11.3) */
  strikes: number
  /** incidents that were decided to be held against them */
  upheld: number
}

/** Every candidate who sat or was reported, by id. */
export async function readOpen(client: Client, code: string): Promise<Map<string, OpenOf>> {
  return openOf(await readIncidents(client, code))
}

/** The same of incidents that were read already. */
export const openOf = (candidates: readonly IncidentCandidate[]): Map<string, OpenOf> =>
  new Map(
    candidates.map(({ candidateId, incidents }) => {
      const open = incidents.filter(({ state }) => isUndecided(state))
      const waitForTalk = open.filter(({ state }) => state === 'needs_talk').length
      const strikes = incidents.filter(({ strike }) => strike?.standing === 'stands').length
      const upheld = incidents.filter(isUpheld).length
      const undecided = open.length - waitForTalk
      return [
        candidateId,
        { undecided, waitForTalk, isUnwatched: isUnwatched(incidents), strikes, upheld },
      ]
    }),
  )

const isUpheld = ({ state, verdicts }: JudgedIncident): boolean =>
  state === 'decided' &&
  verdicts.some(({ verdict, withdrawnAt }) => verdict === 'upheld' && withdrawnAt === null)

/** How many incidents of each candidate are open, those that wait for a talk too; who has none is not in it. */
export async function countUndecided(client: Client, code: string): Promise<Map<string, number>> {
  return openCounts(await readOpen(client, code))
}

/** The same of what was read already. */
export const openCounts = (open: ReadonlyMap<string, OpenOf>): Map<string, number> =>
  new Map(
    [...open]
      .map(([id, { undecided, waitForTalk }]) => [id, undecided + waitForTalk] as const)
      .filter(([, count]) => count > 0),
  )
