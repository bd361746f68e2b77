import { isUnwatched } from '../../../assessments/attempt-history.ts'
import type { Client } from '../../kit/server/action.ts'
import { type IncidentCandidate, readIncidents, standingVerdict } from './read-incidents.ts'

/** What is open about a candidate, and whether the test was watched. */
export interface OpenOf {
  undecided: number
  /** incidents whose verdict asks for a talk, which decides nothing (product 7.16.11) */
  waitForTalk: number
  /** there was a time without monitoring, or events of it are missing */
  isUnwatched: boolean
  /** that count: from one on the result says 'cheated' (product 6.11.3) */
  strikes: number
  /** incidents that were held against the candidate */
  upheld: number
  /** most of the test was answered faster than it can be read */
  isFast: boolean
}

/** All candidates who took the test or were reported, by id. */
export const readOpen = async (client: Client, code: string): Promise<Map<string, OpenOf>> =>
  openOf(await readIncidents(client, code))

/** The same of incidents that were read already. */
export const openOf = (candidates: readonly IncidentCandidate[]): Map<string, OpenOf> =>
  new Map(
    candidates.map(({ candidateId, incidents }) => {
      const count = (isMeant: (one: (typeof incidents)[number]) => boolean) =>
        incidents.filter(isMeant).length
      return [
        candidateId,
        {
          undecided: count(({ state }) => state === 'waiting'),
          waitForTalk: count(({ state }) => state === 'needs_talk'),
          isUnwatched: isUnwatched(incidents),
          isFast: incidents.some(({ kind, weight }) => kind === 'pace' && weight === 'decision'),
          strikes: count(({ strike }) => strike?.standing === 'stands'),
          upheld: count(
            ({ state, verdicts }) =>
              state === 'decided' && standingVerdict(verdicts)?.verdict === 'upheld',
          ),
        },
      ]
    }),
  )

/** How many incidents of each candidate are open, those that wait for a talk too; leaves out candidates with none. */
export const openCounts = (open: ReadonlyMap<string, OpenOf>): Map<string, number> =>
  new Map(
    [...open]
      .map(([id, { undecided, waitForTalk }]) => [id, undecided + waitForTalk] as const)
      .filter(([, count]) => count > 0),
  )

export const countUndecided = async (client: Client, code: string): Promise<Map<string, number>> =>
  openCounts(await readOpen(client, code))
