import type { Client } from '../action.ts'
import { isUndecided, readIncidents } from './read-incidents.ts'

/** How many incidents of each candidate still wait for a verdict; who has none is not in it. */
export async function countUndecided(client: Client, code: string): Promise<Map<string, number>> {
  const { candidates } = await readIncidents(client, code)
  return new Map(
    candidates
      .map(({ candidateId, incidents }) => {
        const waiting = incidents.filter(({ state }) => isUndecided(state)).length
        return [candidateId, waiting] as const
      })
      .filter(([, count]) => count > 0),
  )
}
