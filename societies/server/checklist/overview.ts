import sql from 'sql-template-tag'
import { nameOf } from '../../../accounts/person.ts'
import { mayWith, type Role } from '../../roles.ts'
import { type Organiser, read } from '../action.ts'
import { inForce, REACHES } from '../team/guard.ts'
import { describeAction } from './action-words.ts'
import type { Helping } from './helping.ts'

/** How many lines of the log the overview shows. */
const CHANGES = 6

export interface OnDuty {
  name: string
  isYou: boolean
  /** 'owner', 'invigilator and reviewer' */
  role: string
  /** what the role may on the day */
  may: string
}

export interface Change {
  at: Date
  by: string
  /** behind the name: 'changed the window' */
  what: string
}

const MAY: Readonly<Record<Role, string>> = {
  owner: 'may give any time, reopen, end',
  author: 'writes the questions, sees counts on the day',
  invigilator: 'up to 15 min to one candidate',
  reviewer: 'sees incidents, no names until asked',
}
const FOREMOST: readonly Role[] = ['owner', 'invigilator', 'reviewer', 'author']

/**
 * Who has a role for an assessment, and what was done last (product 7.8.7); and for who is an invigilator of it and
 * nothing else, where they are needed and whom they ask (product 7.8.10).
 */
export function readPeopleAndChanges(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  of: { societyId: string; userId: string; code: string },
): Promise<{
  duty: OnDuty[]
  changes: Change[]
  helping: Helping | null
  contact: string | null
}> {
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
    const mayReadAll = mayWith(mine, 'read_log') === 'all'
    const { rows: lines } = await client.query<{
      at: Date
      actor: string
      userId: string | null
      action: string
      detail: Record<string, unknown>
    }>(
      `select at, actor, user_id as "userId", action, detail from admin_actions
       where assessment = $1 and society_id = $2 and ($3 or user_id = $4)
       order by id desc limit ${CHANGES}`,
      [of.code, of.societyId, mayReadAll, of.userId],
    )
    const isHelper = mine.length > 0 && mine.every((role) => role === 'invigilator')
    const { rows: societies } = await client.query<{ contact: string | null }>(
      `select coalesce(nullif(a.rules->>'contact', ''), s.contact) as contact
       from assessments a join societies s on s.id = a.society_id where a.code = $1`,
      [of.code],
    )
    const mayName = mayWith(mine, 'see_names') === 'all'
    const rank = (roles: readonly Role[]) => FOREMOST.findIndex((role) => roles.includes(role))
    return {
      duty: members
        .sort((a, b) => rank(a.roles) - rank(b.roles))
        .map(({ userId, email, roles }) => {
          const sorted = FOREMOST.filter((role) => roles.includes(role))
          return {
            name: nameOf(email),
            isYou: userId === of.userId,
            role: sorted.join(' and '),
            may: MAY[sorted[0] ?? 'reviewer'],
          }
        }),
      changes: lines.map(({ at, actor, userId, action, detail }) => ({
        at,
        by: userId === of.userId ? 'You' : actor,
        what: describeAction(action, detail, mayName),
      })),
      contact: societies[0]?.contact ?? null,
      helping: isHelper
        ? {
            room: me?.room ?? null,
            owners: members
              .filter(({ roles }) => roles.includes('owner'))
              .map(({ email }) => nameOf(email)),
            contact: societies[0]?.contact ?? null,
          }
        : null,
    }
  })
}
