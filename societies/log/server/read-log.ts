import sql, { empty, join, raw } from 'sql-template-tag'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { IS_CANDIDATE, inForce, REACHES } from '../../access/server/guard.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { mayAll } from '../../incidents/server/reach.ts'
import type { Client } from '../../kit/server/action.ts'
import { describeAction } from '../../kit/server/action-words.ts'
import type { exportSocietyLog } from '../contract.ts'
import { readAbout } from './about-incidents.ts'
import { factsOf } from './facts.ts'

type Filters = BodyOf<typeof exportSocietyLog>
export type LogEntry = Awaited<ReturnType<typeof listEntries>>[number]

/**
 * Rows l of the log that a member can read: the member's own, and those of tests whose log one of the roles opens, or
 * of the society itself where such a role is for all tests. Never those of a test that the member takes.
 */
const readable = ({ societyId, userId, extent, now }: Member) => sql`
  l.society_id = ${societyId} and (l.user_id = ${userId} or (${extent === 'all'} and (
    exists (select from memberships m where m.user_id = ${userId} and m.society_id = ${societyId}
      and ${inForce(now)} and m.role in ('owner', 'reviewer') and m.assessment is null)
    or exists (select from memberships m join assessments a on a.code = l.assessment
      where m.user_id = ${userId} and ${inForce(now)} and m.role in ('owner', 'reviewer') and ${REACHES}))))
  and coalesce(l.assessment, '') <> all (array(select a.code from assessments a, users u
    where a.society_id = ${societyId} and u.id = ${userId} and ${IS_CANDIDATE}))`

/** Details of an entry l. Those of a deleted test are hidden as long as it can be restored. */
const DETAIL = sql`case when exists (select from assessments a
  where a.code = l.assessment and a.deleted_at is not null) then '{}'::jsonb else l.detail end`

/** Filtering by a name must not tell a member who sees no names. */
const matches = ({ assessment, actor, action, about }: Filters, mayName: boolean) =>
  join(
    [
      sql`true`,
      ...(assessment === undefined ? [] : [sql`l.assessment = ${assessment}`]),
      ...(actor === undefined ? [] : [sql`l.actor = ${actor}`]),
      ...(action === undefined ? [] : [sql`l.action = ${action}`]),
      ...(about === undefined || !mayName
        ? []
        : [sql`lower((${DETAIL})->>'username') = lower(${about})`]),
    ],
    ' and ',
  )

/**
 * Entries of the log, newest first.
 * @param beforeId only entries before this one; null: from the newest
 */
export async function listEntries(
  client: Client,
  member: Member,
  {
    filters,
    limit,
    beforeId = null,
  }: { filters: Filters; limit: number; beforeId?: number | null },
) {
  const mayName = mayAll(member, 'see_names')
  const { rows } = await client.query<{
    id: number
    at: Date
    by: string
    isYou: boolean
    via: 'console' | 'command'
    assessment: string | null
    action: string
    detail: Record<string, unknown>
  }>(
    sql`select l.id, l.at, l.actor as by, l.user_id is not distinct from ${member.userId} as "isYou", l.via,
        l.assessment, l.action, ${DETAIL} as detail
      from admin_actions l where ${readable(member)} and ${matches(filters, mayName)}
        ${beforeId === null ? empty : sql`and l.id < ${beforeId}`}
      order by l.id desc limit ${limit}`,
  )
  const about = await readAbout(client, rows, mayName)
  return rows.map(({ detail, ...entry }, index) => ({
    ...entry,
    what: describeAction(entry.action, detail, mayName),
    reason: typeof detail.reason === 'string' ? detail.reason : null,
    facts: factsOf(detail, mayName),
    about: about[index] ?? [],
  }))
}

/** How many entries match, and what the member can filter by. */
export async function countEntries(client: Client, member: Member, filters: Filters) {
  const distinct = (column: string) =>
    raw(
      `coalesce(array_agg(distinct ${column} order by ${column}) filter (where ${column} is not null), '{}')`,
    )
  const { rows } = await client.query<{
    count: number
    assessments: string[]
    actors: string[]
    actions: string[]
  }>(
    sql`select count(*) filter (where ${matches(filters, mayAll(member, 'see_names'))})::int as count,
        ${distinct('l.assessment')} as assessments, ${distinct('l.actor')} as actors, ${distinct('l.action')} as actions
      from admin_actions l where ${readable(member)}`,
  )
  return rows[0] ?? { count: 0, assessments: [], actors: [], actions: [] }
}
