import { isUnwatched } from '../../../assessments/attempt-history.ts'
import type { Client } from '../../kit/server/action.ts'
import { type IncidentCandidate, readIncidents, standingVerdict } from './read-incidents.ts'

/** A candidate's open decisions, and whether the test was monitored throughout. */
export interface OpenOf {
  undecided: number
  /** Incidents whose verdict asks for follow-up, which leaves them open (product 7.16.11). */
  waitForTalk: number
  /** True if monitoring was interrupted or some of its events are missing. */
  isUnwatched: boolean
  /** Strikes that count. With one or more, the result says 'cheated' (product 6.11.3). */
  strikes: number
  /** Incidents that were held against the candidate. */
  upheld: number
  /** True if most of the test was answered faster than anyone can read. */
  isFast: boolean
}

/** Returns all candidates who took the test or were reported, by id. */
export const readOpen = async (client: Client, code: string): Promise<Map<string, OpenOf>> =>
  openOf(await readIncidents(client, code))

/** Does the same for incidents that were already read. */
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

/** Counts each candidate's open incidents, including those waiting for follow-up. Candidates with none are left out. */
export const openCounts = (open: ReadonlyMap<string, OpenOf>): Map<string, number> =>
  new Map(
    [...open]
      .map(([id, { undecided, waitForTalk }]) => [id, undecided + waitForTalk] as const)
      .filter(([, count]) => count > 0),
  )

export const countUndecided = async (client: Client, code: string): Promise<Map<string, number>> =>
  openCounts(await readOpen(client, code))
