import sql, { raw } from 'sql-template-tag'
import { lastStart } from '../../../assessments/server/candidate-store.ts'
import type { assessments } from '../../../assessments/server/tables.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { getSocietyAssessment } from '../../kit/contract.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { inForce, REACHES } from './guard.ts'

type Columns = typeof assessments.$inferSelect
type Shown = 'code' | 'society' | 'session' | 'season' | 'isDraft' | 'durationSeconds'
type Times = 'opensAt' | 'closesAt' | 'timeZone' | 'createdAt' | 'deletedAt'
type Others = 'version' | 'trial' | 'isSample' | 'contentHash'
export interface AssessmentRow extends Pick<Columns, Shown | Times | Others> {
  /** The last moment to start for any candidate; null if the test never closes. */
  lastStartAt: Date | null
  societyId: string
}

/** Without a society, the code may belong to any society, as on the command line. */
export interface Place {
  code: string
  societyId?: string
}

const LOCKS = { none: '', change: 'for no key update', replace: 'for update' }

/**
 * Returns an assessment that can be changed.
 * @param lock 'change' blocks other organizers, 'replace' also blocks candidates from starting
 * Errors: 404 no_such_assessment, 409 assessment_deleted.
 */
export async function requireAssessment(
  client: Client,
  place: string | Place,
  lock: keyof typeof LOCKS = 'none',
): Promise<AssessmentRow> {
  const { code, societyId }: Place = typeof place === 'string' ? { code: place } : place
  const row = await getAssessment(client, code, lock)
  if (!row || row.trial !== null || row.societyId !== (societyId ?? row.societyId)) {
    throw refuse(404, 'no_such_assessment', `There is no test with the code ${code}.`)
  }
  if (row.deletedAt === null) return row
  throw refuse(409, 'assessment_deleted', `${code} was deleted. Nothing in it can be changed.`)
}

const SHOWN = `a.code, a.society, a.session, a.season, a.is_draft as "isDraft",
  a.duration_seconds as "durationSeconds", a.opens_at as "opensAt", a.closes_at as "closesAt",
  ${lastStart('a')} as "lastStartAt", a.time_zone as "timeZone"`
const COLUMNS = `${SHOWN}, a.society_id as "societyId", a.version, a.deleted_at as "deletedAt", a.trial,
  a.is_sample as "isSample", a.content_hash as "contentHash", a.created_at as "createdAt"`

/** Returns the assessment with a code, including trials and deleted ones, or null. */
export async function getAssessment(
  client: Client,
  code: string,
  lock: keyof typeof LOCKS = 'none',
): Promise<AssessmentRow | null> {
  const { rows } = await client.query<AssessmentRow>(
    `select ${COLUMNS} from assessments a where a.code = $1 ${LOCKS[lock]}`,
    [code],
  )
  return rows[0] ?? null
}

/** Counts candidates who have started, without demo candidates. */
export async function countAttempts(client: Client, code: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from attempts where assessment = $1 and not is_demo',
    [code],
  )
  return rows[0]?.count ?? 0
}

export interface ListedAssessment extends AssessmentRow {
  itemCount: number
  candidateCount: number
  runningCount: number
  submittedCount: number
}

/** Demo candidates don't count. */
const COUNTS = `
  (select count(*)::int from assessment_items i where i.assessment = a.code) as "itemCount",
  (select count(*)::int from candidates c where c.assessment = a.code and not c.is_demo
    and c.revoked_at is null) as "candidateCount",
  (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo
    and t.submitted_at is null) as "runningCount",
  (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo
    and t.submitted_at is not null) as "submittedCount"`

interface Reached {
  societyId: string
  userId: string
  code?: string | null
}

/** Lists a society's assessments for which a member has an active role, by code. */
export const listReachedWith = (client: Client, now: Date, of: Reached) =>
  listReached<ListedAssessment>(client, now, of, COLUMNS)

export const listShown = (client: Client, now: Date, of: Reached) =>
  listReached<Sendable<ResponseOf<typeof getSocietyAssessment>>>(client, now, of, SHOWN)

async function listReached<Row extends object>(
  client: Client,
  now: Date,
  { societyId, userId, code }: Reached,
  columns: string,
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    sql`select ${raw(`${columns}, ${COUNTS}`)} from assessments a
      where a.society_id = ${societyId} and a.code = coalesce(${code ?? null}, a.code) and exists (
        select from memberships m where m.user_id = ${userId} and ${inForce(now)} and ${REACHES})
      order by a.code`,
  )
  return rows
}

/** Errors: 400 closes_before_opens. */
export function requireWindow(opensAt?: Date | null, closesAt?: Date | null): void {
  if (!opensAt || !closesAt || opensAt < closesAt) return
  throw refuse(400, 'closes_before_opens', 'The last start has to be after the opening.')
}

/** Owners are warned this many days before the deletion, and have at least this long to object (product 7.21.2). */
export const WARNING_DAYS = 14
export const RETENTION_MAIL = 'retention'

const LAST_STARTED = `(select max(t.started_at) from attempts t
  where t.assessment = a.code and not t.is_demo)`

/** Without an end, a test's names are as old as its newest candidate. */
const LAST_LISTED = `case when a.closes_at is null then
  (select max(w.created_at) from candidates w where w.assessment = a.code and not w.is_demo) end`

/**
 * SQL for how long an assessment a of a society s is kept: until its own date, or for the society's months after its
 * last start, or its newest candidate if it has no end. Candidates with their own start window may take it long after
 * its close.
 */
export const KEPT_UNTIL = `coalesce(a.keep_until, greatest(a.closes_at, ${LAST_LISTED},
  (select max(w.starts_until) from candidates w where w.assessment = a.code),
  ${LAST_STARTED}) + s.retention_months * interval '1 month')`

/**
 * SQL for when the owners of an assessment a were warned of its deletion. If a candidate starts after that, or is added
 * to a test without an end, the warning is void, because it was about other answers and names.
 */
export const WARNED_AT = `case when a.keep_warned_at > coalesce(greatest(${LAST_STARTED}, ${LAST_LISTED}), '-infinity')
  then a.keep_warned_at end`

export interface Kept {
  /** Null if the test has no end and no candidates. */
  until: Date | null
  /** Whether the test has its own date instead of the society's months after the close. */
  hasOwnDay: boolean
  warnedAt: Date | null
}

/** Returns the retention by code. Samples have none. */
export async function readKept(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, Kept>> {
  const { rows } = await client.query<Kept & { code: string }>(
    sql`select a.code, ${raw(KEPT_UNTIL)} as until, a.keep_until is not null as "hasOwnDay",
       ${raw(WARNED_AT)} as "warnedAt"
     from assessments a join societies s on s.id = a.society_id
     where a.code = any (${codes}) and not a.is_sample`,
  )
  return new Map(rows.map(({ code, ...kept }) => [code, kept]))
}
