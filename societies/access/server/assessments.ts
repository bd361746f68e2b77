import sql, { raw } from 'sql-template-tag'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { inForce, REACHES } from './guard.ts'

export interface AssessmentRow {
  code: string
  societyId: string
  /** the name that candidates read */
  society: string
  session: string | null
  season: string | null
  /** grows with each change of its settings */
  version: number
  isDraft: boolean
  deletedAt: Date | null
  /** what is only tried out is no organiser's to look at or change (product 7.11.1) */
  trial: 'rehearsal' | 'simulation' | 'superday' | null
  durationSeconds: number
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  isSample: boolean
  contentHash: string | null
  createdAt: Date
}

/** An assessment; in the browser with the society whose it has to be, at the command line any society's. */
export interface Place {
  code: string
  societyId?: string
}

const LOCKS = { none: '', change: 'for no key update', replace: 'for update' }

/**
 * The assessment of a code; one that was deleted is a line without content, and nothing is done to it.
 * @param place its code, with its society where only that one's is meant
 * @param lock 'change' makes other organisers wait, 'replace' makes candidates who start wait too
 * Errors: 404 no_such_assessment, 409 assessment_deleted.
 */
export async function requireAssessment(
  client: Client,
  place: string | Place,
  lock: keyof typeof LOCKS = 'none',
): Promise<AssessmentRow> {
  const { code, societyId = null } = typeof place === 'string' ? { code: place } : place
  const row = await getAssessment(client, code, lock)
  if (row && row.trial === null && (societyId === null || row.societyId === societyId)) {
    if (row.deletedAt === null) return row
    throw refuse(409, 'assessment_deleted', `${code} was deleted. Nothing in it can be changed.`)
  }
  throw refuse(404, 'no_such_assessment', `There is no test ${code}.`)
}

const COLUMNS = `a.code, a.society_id as "societyId", a.society, a.session, a.season, a.version,
  a.is_draft as "isDraft", a.deleted_at as "deletedAt", a.trial,
  a.duration_seconds as "durationSeconds", a.opens_at as "opensAt", a.closes_at as "closesAt",
  a.time_zone as "timeZone", a.is_sample as "isSample", a.content_hash as "contentHash",
  a.created_at as "createdAt"`

/** The assessment of a code, or null. */
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

/** How many of a roster have started an assessment; demo candidates don't count. */
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

/** A listed assessment a, with its figures; demo candidates don't count. */
const LISTED = `${COLUMNS},
  (select count(*)::int from assessment_items i where i.assessment = a.code) as "itemCount",
  (select count(*)::int from candidates c where c.assessment = a.code and not c.is_demo
    and c.revoked_at is null) as "candidateCount",
  (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo
    and t.submitted_at is null) as "runningCount",
  (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo
    and t.submitted_at is not null) as "submittedCount"`

/**
 * The assessments of a society for which a member has a role in force, by code.
 * @param code only this one
 */
export async function listReachedWith(
  client: Client,
  now: Date,
  { societyId, userId, code }: { societyId: string; userId: string; code?: string },
): Promise<ListedAssessment[]> {
  const { rows } = await client.query<ListedAssessment>(
    sql`select ${raw(LISTED)} from assessments a
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
