import type { Client } from '../action.ts'

/** Positions of questions whose key is probably wrong and was not ruled on or confirmed since. */
export async function findSuspiciousKeys(_client: Client, _code: string): Promise<number[]> {
  return []
}
