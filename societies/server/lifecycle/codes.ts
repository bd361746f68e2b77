import type { Client } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'

const LONGEST = 40

/**
 * A code for a new assessment of a society. Codes are one for all societies: one that another society has gets
 * a number behind it, so that nobody has to guess (product 7.8.2).
 * Errors: OrganiserRefusal code_taken for one of the society's own.
 */
export async function freeCode(client: Client, societyId: string, wanted: string): Promise<string> {
  const { rows } = await client.query<{ code: string; isOwn: boolean }>(
    `select code, society_id = $1 as "isOwn" from assessments where code = $2 or code like $3`,
    [societyId, wanted, `${wanted.slice(0, LONGEST - 4).replaceAll('_', '\\_')}\\_%`],
  )
  const taken = new Map(rows.map(({ code, isOwn }) => [code, isOwn]))
  if (taken.get(wanted) === true) throw new OrganiserRefusal('code_taken', { assessment: wanted })
  let code = wanted
  for (let number = 2; taken.has(code); number += 1) {
    const suffix = `_${number}`
    code = wanted.slice(0, LONGEST - suffix.length) + suffix
  }
  return code
}
