import type { Client } from '../action.ts'

/** How many incidents of each candidate still wait for a verdict; who has none is not in it. */
export async function countUndecided(_client: Client, _code: string): Promise<Map<string, number>> {
  return new Map()
}
