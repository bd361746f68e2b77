import sql from 'sql-template-tag'
import { nameOf } from '../../../accounts/person.ts'
import { inForce, REACHES } from '../../access/server/guard.ts'
import { mayWith, type Role } from '../../kit/roles.ts'
import { type Organiser, read } from '../../kit/server/action.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import type { Helping } from './helping.ts'

/** How many lines of the log the overview shows. */
const CHANGES = 6

/** What a role can do on the day. */
const MAY: Readonly<Record<Role, string>> = {
  owner: 'can give any time, reopen and end tests',
  author: 'writes the questions, sees counts on the day',
  invigilator: 'can give up to 15 min to one candidate',
  reviewer: 'sees incidents, and names only on request',
}
const FOREMOST: readonly Role[] = ['owner', 'invigilator', 'reviewer', 'author']

/**
 * The members with a role for a test, and what was done last (product 7.8.7). For a member who is only an invigilator,
 * also where they are needed and who to ask (product 7.8.10).
 */
export function readPeopleAndChanges(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  of: { societyId: string; userId: string; code: string },
) {
  return read({ db }, async (client) => {
    const { rows: members } = await client.query<{
      userId: string
      email: string
      roles: Role[]
      room: string | null
    }>(
      sql`select u.id as "userId", u.email, array_agg(distinct m.role) as roles,
         (array_agg(m.room order by m.room is not null, m.assessment is null)
           filter (where m.role = 'invigilator'))[1] as room
       from assessments a join memberships m on ${REACHES} join users u on u.id = m.user_id
       where a.code = ${of.code} and a.society_id = ${of.societyId} and ${inForce(now)} and not u.is_anonymous
       group by u.id order by u.email`,
    )
    const me = members.find(({ userId }) => userId === of.userId)
    const mine = me?.roles ?? []
    const { rows: lines } = await client.query<{
      at: Date
      by: string
      action: string
      detail: Record<string, unknown>
    }>(
      `select at, case when user_id = $4 then 'You' else actor end as by, action, detail
       from admin_actions where assessment = $1 and society_id = $2 and ($3 or user_id = $4)
       order by id desc limit ${CHANGES}`,
      [of.code, of.societyId, mayWith(mine, 'read_log') === 'all', of.userId],
    )
    const { rows: contacts } = await client.query<{ contact: string | null }>(
      `select coalesce(nullif(a.rules->>'contact', ''), s.contact) as contact
       from assessments a join societies s on s.id = a.society_id where a.code = $1`,
      [of.code],
    )
    const contact = contacts[0]?.contact ?? null
    const isHelper = mine.length > 0 && mine.every((role) => role === 'invigilator')
    const helping: Helping | null = isHelper
      ? {
          room: me?.room ?? null,
          owners: members
            .filter(({ roles }) => roles.includes('owner'))
            .map(({ email }) => nameOf(email)),
          contact,
        }
      : null
    const duty = FOREMOST.flatMap((foremost, rank) =>
      members
        .filter(({ roles }) => FOREMOST.findIndex((role) => roles.includes(role)) === rank)
        .map(({ userId, email, roles }) => ({
          name: nameOf(email),
          isYou: userId === of.userId,
          role: FOREMOST.filter((role) => roles.includes(role)).join(' and '),
          may: MAY[foremost],
        })),
    )
    const mayName = mayWith(mine, 'see_names') === 'all'
    const changes = lines.map(({ at, by, action, detail }) => ({
      at,
      by,
      what: describeAction(action, detail, mayName),
    }))
    return { duty, changes, helping, contact }
  })
}
