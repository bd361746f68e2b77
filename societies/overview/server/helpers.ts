import sql from 'sql-template-tag'
import { listOf, numberWord } from '../../../platform/words.ts'
import { inForce, REACHES } from '../../access/server/guard.ts'
import type { Role } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'
import type { Row } from '../../setup/checklist.ts'
import { type About, gapOf, whenWords } from './window.ts'

/** How many members with this as their foremost role are there for a test. */
interface HelperFacts {
  code: string
  role: Role
  count: number
}

/** The foremost first. An author has nothing to do on the day. */
const ON_DUTY: readonly Role[] = ['owner', 'invigilator', 'reviewer']

export async function readHelperFacts(
  client: Client,
  codes: readonly string[],
  now: Date,
): Promise<HelperFacts[]> {
  const { rows } = await client.query<HelperFacts>(
    sql`select code, role, count(*)::int as count from (
       select distinct on (a.code, m.user_id) a.code, m.user_id, m.role
       from assessments a join memberships m on ${REACHES} join users u on u.id = m.user_id
       where a.code = any(${codes}::text[]) and not u.is_anonymous and m.role = any(${ON_DUTY}::text[])
         and ${inForce(now)}
       order by a.code, m.user_id, array_position(${ON_DUTY}::text[], m.role)
     ) helper group by code, role order by array_position(${ON_DUTY}::text[], role)`,
  )
  return rows
}

/** Row 5 of the checklist (product 7.8.7): at least two people, because one may be ill. */
export function helpersRow(facts: readonly HelperFacts[], about: About): Row {
  const total = facts.reduce((sum, { count }) => sum + count, 0)
  if (total < 2) {
    return {
      state: gapOf(about),
      word: total === 1 ? 'One person' : 'No one',
      finding: total === 1 ? 'Only one person is on duty.' : 'No one is on duty.',
      rest: 'One person can’t watch a room and fix problems at the same time. Invite an invigilator or a second owner.',
      link: { page: 'team', label: 'Invite someone' },
    }
  }
  const when = about.opensAt ? ` ${whenWords(about.opensAt, about.timeZone, about.now)}` : ''
  const parts = facts.map(({ role, count }) =>
    count === 1 ? `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}` : `${count} ${role}s`,
  )
  return {
    state: 'ready',
    word: 'Ready',
    finding: `${numberWord(total)}${when}: ${listOf(parts)}.`,
    rest: 'Their roles are in force then.',
    link: { page: 'team', label: 'See the team' },
  }
}
