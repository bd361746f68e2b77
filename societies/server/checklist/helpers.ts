import sql from 'sql-template-tag'
import type { Row } from '../../checklist.ts'
import { numberWord } from '../../number-words.ts'
import { listed } from '../../publication.ts'
import type { Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { inForce, REACHES } from '../team/guard.ts'
import { type About, stateOfRow } from './about.ts'
import { whenWords } from './moments.ts'

/** How many people are there on the day, by the foremost role of each. */
export type HelperFacts = Readonly<Partial<Record<Role, number>>>

/** An author writes questions, and has nothing to do on the day. */
const ON_DUTY: readonly Role[] = ['owner', 'invigilator', 'reviewer']

/** By code: who has a role for it. */
export async function readHelperFacts(
  client: Client,
  codes: readonly string[],
  now: Date,
): Promise<Map<string, HelperFacts>> {
  const { rows } = await client.query<{ code: string; role: Role; count: number }>(
    sql`select code, role, count(*)::int as count from (
       select distinct on (a.code, m.user_id) a.code, m.user_id, m.role
       from assessments a join memberships m on ${REACHES} join users u on u.id = m.user_id
       where a.code = any(${codes}::text[]) and not u.is_anonymous and m.role = any(${ON_DUTY}::text[])
         and ${inForce(now)}
       order by a.code, m.user_id, array_position(${ON_DUTY}::text[], m.role)
     ) helper group by code, role`,
  )
  const found = new Map<string, Partial<Record<Role, number>>>()
  for (const { code, role, count } of rows) {
    found.set(code, { ...found.get(code), [role]: count })
  }
  return found
}

/** Row 5 of the checklist (product 7.8.7): two people at least, since one may be ill. */
export function helpersRow(facts: HelperFacts, about: About): Row {
  const total = Object.values(facts).reduce((sum, count) => sum + count, 0)
  const isDone = total > 1
  const when = about.opensAt ? ` ${whenWords(about.opensAt, about.timeZone, about.now)}` : ''
  const parts = ON_DUTY.flatMap((role) => {
    const count = facts[role] ?? 0
    if (count === 0) return []
    return [count === 1 ? `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}` : `${count} ${role}s`]
  })
  return {
    state: stateOfRow(about, { isDone }),
    word: isDone ? 'Ready' : total === 1 ? 'One person' : 'Nobody',
    finding: total === 0 ? 'Nobody is on duty.' : `${numberWord(total)}${when}: ${listed(parts)}.`,
    rest: isDone
      ? 'Their roles are in force then.'
      : 'One person cannot watch a room and mend what breaks. Invite an invigilator or a second owner.',
    missing: isDone ? null : 'Only one person is on duty.',
    link: { page: 'team', label: isDone ? 'See who is in' : 'Invite somebody' },
  }
}
