import { mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { describeAction } from '../checklist/action-words.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'
import { type AboutIncident, readAbout } from './about-incidents.ts'
import { type Fact, factsOf } from './facts.ts'

/** Which entries: of an assessment, or of all that a member reaches. */
export interface LogOf {
  societyId: string
  userId: string
  code: string | null
  /** false: the member's own alone */
  isAll: boolean
  now: Date
}

export interface LogFilters {
  actor?: string | undefined
  action?: string | undefined
  about?: string | undefined
  /** number of an entry: only those before it */
  before?: number | undefined
}

export interface LogEntry {
  number: number
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
  isEmptied: boolean
}

/**
 * Rows l of the log that a member may read: of the assessments whose log one of the roles opens, and of the
 * society itself where such a role is for all of them; else the own ones. $1 society, $2 member, $3 now,
 * $4 assessment or null, $5 whether a role may read what others did.
 */
const READABLE = `l.society_id = $1 and ($4::text is null or l.assessment = $4) and (l.user_id = $2 or ($5 and (
  $4::text is not null
  or exists (select from memberships m where m.user_id = $2 and m.society_id = $1 and ${IN_FORCE(3)}
    and m.role in ('owner', 'reviewer') and m.assessment is null)
  or exists (select from memberships m join assessments a on a.code = l.assessment
    where m.user_id = $2 and ${IN_FORCE(3)} and m.role in ('owner', 'reviewer') and ${REACHES}))))`

/** What an entry l says besides. Of a deleted assessment it is covered, as long as that can be restored. */
const DETAIL = `case when exists (select from assessments a
  where a.code = l.assessment and a.deleted_at is not null) then '{}'::jsonb else l.detail end`

const FILTERED = `${READABLE} and ($6::text is null or l.actor = $6) and ($7::text is null or l.action = $7)
  and ($8::text is null or lower((${DETAIL})->>'username') = lower($8)) and ($9::int is null or l.number < $9)`

const valuesOf = (of: LogOf) => [of.societyId, of.userId, of.now, of.code, of.isAll]

/** Entries of a log, newest first; one more than `limit` tells that there are older ones. */
export async function listEntries(
  client: Client,
  of: LogOf,
  filters: LogFilters,
  limit: number,
): Promise<LogEntry[]> {
  const mayName = await mayNameCandidates(client, of)
  const { rows } = await client.query<
    Omit<LogEntry, 'what' | 'facts' | 'about' | 'reason' | 'isYou' | 'isEmptied'> & {
      userId: string | null
      detail: Record<string, unknown>
      isUnchanged: boolean
    }
  >(
    `select l.number, l.at, l.actor as by, l.user_id as "userId", l.via, l.assessment, l.action,
       ${DETAIL} as detail, l.detail_hash = sha256(convert_to((${DETAIL})::text, 'UTF8')) as "isUnchanged"
     from admin_actions l where ${FILTERED} order by l.number desc limit $10`,
    [
      ...valuesOf(of),
      filters.actor ?? null,
      filters.action ?? null,
      // Whoever may not see names finds nobody by one.
      mayName ? (filters.about ?? null) : null,
      filters.before ?? null,
      limit,
    ],
  )
  const about = await readAbout(client, rows, mayName)
  return rows.map(({ userId, detail, isUnchanged, ...entry }, index) => ({
    ...entry,
    isYou: userId === of.userId,
    what: describeAction(entry.action, detail, mayName),
    reason: typeof detail.reason === 'string' ? detail.reason : null,
    facts: factsOf(detail, mayName),
    about: about[index] ?? [],
    isEmptied: !isUnchanged,
  }))
}

/** How many entries there are, by whom and of which kinds: what can be filtered by. */
export async function countEntries(
  client: Client,
  of: LogOf,
): Promise<{ count: number; actors: string[]; actions: string[] }> {
  const { rows } = await client.query<{ count: number; actors: string[]; actions: string[] }>(
    `select count(*)::int as count,
       coalesce(array_agg(distinct l.actor order by l.actor), '{}') as actors,
       coalesce(array_agg(distinct l.action order by l.action), '{}') as actions
     from admin_actions l where ${READABLE}`,
    valuesOf(of),
  )
  return rows[0] ?? { count: 0, actors: [], actions: [] }
}

/**
 * Whether a society's log is what was written: each entry follows the one before it, and the last one is the
 * log's end. A detail that a deletion emptied is no break (product 7.20.3).
 */
export async function checkChain(
  client: Client,
  societyId: string,
): Promise<{ count: number; brokenAt: number | null }> {
  const { rows } = await client.query<{ count: number; brokenAt: number | null }>(
    `with entry as (
       select l.number, l.hash, log_entry_hash(coalesce(lag(l.hash) over w, ''), l) as expected,
         l.detail = '{}' or l.detail_hash = sha256(convert_to(l.detail::text, 'UTF8')) as is_told,
         coalesce(lag(l.number) over w, 0) + 1 as next
       from admin_actions l where l.society_id = $1 window w as (order by l.number)
     ), head as (select number, hash from log_heads where chain = $1::text)
     select (select count(*)::int from entry) as count,
       coalesce(
         (select min(least(number, next)) from entry
           where hash <> expected or not is_told or number <> next),
         -- The newest ones are missing.
         (select coalesce((select max(number) from entry), 0) + 1 from head
           where head.number <> coalesce((select max(number) from entry), 0))
       ) as "brokenAt"`,
    [societyId],
  )
  return rows[0] ?? { count: 0, brokenAt: null }
}

async function mayNameCandidates(client: Client, of: LogOf): Promise<boolean> {
  const { rows } = await client.query<{ role: Role }>(
    `select distinct m.role from memberships m
     where m.society_id = $1 and m.user_id = $2 and ${IN_FORCE(3)}`,
    [of.societyId, of.userId, of.now],
  )
  return (
    mayWith(
      rows.map(({ role }) => role),
      'see_names',
    ) === 'all'
  )
}
