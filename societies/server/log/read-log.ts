import sql, { empty, join, raw } from 'sql-template-tag'
import { mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { describeAction } from '../checklist/action-words.ts'
import { IS_CANDIDATE, inForce, REACHES } from '../team/guard.ts'
import { type AboutIncident, readAbout } from './about-incidents.ts'
import { type Fact, factsOf } from './facts.ts'

/** Who reads which society's log. */
export interface LogOf {
  societyId: string
  userId: string
  /** false: only the member's own entries */
  isAll: boolean
  now: Date
}

export interface LogFilters {
  assessment?: string | undefined
  actor?: string | undefined
  action?: string | undefined
  about?: string | undefined
  /** id of an entry: only those before it */
  before?: number | undefined
}

export interface LogEntry {
  id: number
  at: Date
  by: string
  isYou: boolean
  via: 'console' | 'command'
  assessment: string | null
  action: string
  what: string
  reason: string | null
  facts: Fact[]
  /** incidents and candidates that it is about, the first five */
  about: AboutIncident[]
}

/**
 * Rows l of the log that a member can read: the member's own, and those of assessments whose log one of the roles
 * opens, or of the society itself where such a role is for all of them. Never those of an assessment that the
 * member takes.
 */
const readable = ({ societyId, userId, isAll, now }: LogOf) => sql`
  l.society_id = ${societyId} and (l.user_id = ${userId} or (${isAll} and (
    exists (select from memberships m where m.user_id = ${userId} and m.society_id = ${societyId}
      and ${inForce(now)} and m.role in ('owner', 'reviewer') and m.assessment is null)
    or exists (select from memberships m join assessments a on a.code = l.assessment
      where m.user_id = ${userId} and ${inForce(now)} and m.role in ('owner', 'reviewer') and ${REACHES}))))
  and coalesce(l.assessment, '') <> all (array(select a.code from assessments a, users u
    where a.society_id = ${societyId} and u.id = ${userId} and ${IS_CANDIDATE}))`

/** What an entry l says besides. Of a deleted assessment it is covered, as long as that can be restored. */
const DETAIL = sql`case when exists (select from assessments a
  where a.code = l.assessment and a.deleted_at is not null) then '{}'::jsonb else l.detail end`

/** @param mayName whether the member can see names: otherwise filtering by one finds nothing */
const matches = ({ assessment, actor, action, about }: LogFilters, mayName: boolean) =>
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

/** Entries of a log, newest first; one more than `limit` tells that there are older ones. */
export async function listEntries(
  client: Client,
  of: LogOf,
  filters: LogFilters,
  limit: number,
): Promise<LogEntry[]> {
  const mayName = await mayNameCandidates(client, of)
  const { rows } = await client.query<
    Omit<LogEntry, 'what' | 'facts' | 'about' | 'reason' | 'isYou'> & {
      userId: string | null
      detail: Record<string, unknown>
    }
  >(
    sql`select l.id, l.at, l.actor as by, l.user_id as "userId", l.via, l.assessment, l.action, ${DETAIL} as detail
      from admin_actions l where ${readable(of)} and ${matches(filters, mayName)}
        ${filters.before === undefined ? empty : sql`and l.id < ${filters.before}`}
      order by l.id desc limit ${limit}`,
  )
  const about = await readAbout(client, rows, mayName)
  return rows.map(({ userId, detail, ...entry }, index) => ({
    ...entry,
    isYou: userId === of.userId,
    what: describeAction(entry.action, detail, mayName),
    reason: typeof detail.reason === 'string' ? detail.reason : null,
    facts: factsOf(detail, mayName),
    about: about[index] ?? [],
  }))
}

/** How many entries match, and what the member can filter by. */
export async function countEntries(
  client: Client,
  of: LogOf,
  filters: LogFilters,
): Promise<{ count: number; assessments: string[]; actors: string[]; actions: string[] }> {
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
    sql`select count(*) filter (where ${matches(filters, await mayNameCandidates(client, of))})::int as count,
        ${distinct('l.assessment')} as assessments, ${distinct('l.actor')} as actors, ${distinct('l.action')} as actions
      from admin_actions l where ${readable(of)}`,
  )
  return rows[0] ?? { count: 0, assessments: [], actors: [], actions: [] }
}

async function mayNameCandidates(client: Client, of: LogOf): Promise<boolean> {
  const { rows } = await client.query<{ role: Role }>(
    sql`select distinct m.role from memberships m
      where m.society_id = ${of.societyId} and m.user_id = ${of.userId} and ${inForce(of.now)}`,
  )
  return (
    mayWith(
      rows.map(({ role }) => role),
      'see_names',
    ) === 'all'
  )
}
