import { remainingMs } from '../../assessments/time-left.ts'
import { type AssessmentRow, act, type Organiser, requireAssessment } from './action.ts'
import { describeGap, readGaps } from './monitoring.ts'
import type { ExportOptions } from './results.ts'

export type Whereabouts = 'absent' | 'verified' | 'running' | 'submitted'

export interface CandidateStatus {
  username: string
  isDemo: boolean
  isRevoked: boolean
  /** verified: has signed in with the credentials, and not started */
  where: Whereabouts
  /** questions answered, of how many */
  answered: number
  total: number
  /** milliseconds, 0 unless running */
  remainingMs: number
  submittedAt: Date | null
  submitReason: string | null
  strikes: number
  extraSeconds: number
  /** sentences; empty when every window was watched */
  unmonitored: string[]
  /** how many accounts have verified, started or taken over, those deleted since not among them */
  userCount: number
  addresses: string[]
}

/**
 * Where everybody is: who hasn't come, who is in and how far, who is done, and what somebody should look
 * at. Errors: AdminError.
 */
export function readStatus(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<{ assessment: AssessmentRow; candidates: CandidateStatus[] }> {
  const { now } = organiser
  return act(organiser, 'status', code, async (client) => {
    const assessment = await requireAssessment(client, code)
    const { rows } = await client.query<Row>(
      `select c.username, c.is_demo as "isDemo", c.revoked_at is not null as "isRevoked",
         c.extra_seconds as "extraSeconds", a.id as "attemptId",
         coalesce(cardinality(a.paper), 0) as total, a.deadline_at as "deadlineAt",
         a.submitted_at as "submittedAt", a.submit_reason as "submitReason",
         (select count(*)::int from attempt_answers answer where answer.attempt_id = a.id) as answered,
         coalesce(attempt_strikes(a.id), 0) as strikes,
         came.verified, came.users as "userCount", came.addresses
       from candidates c
       left join attempts a on a.candidate_id = c.id
       cross join lateral (
         select coalesce(bool_or(e.kind = 'verified'), false) as verified,
           count(distinct e.user_id)::int as users,
           coalesce(array_agg(distinct e.address order by e.address)
             filter (where e.address is not null), '{}') as addresses
         from attempt_events e
         where e.candidate_id = c.id and e.kind in ('verified', 'started', 'taken_over')
       ) came
       where c.assessment = $1 and ($2 or not c.is_demo)
       order by lower(c.username)`,
      [code, demo],
    )
    const gaps = new Map<string, string[]>()
    for (const gap of await readGaps(client, code)) {
      gaps.set(gap.attemptId, [...(gaps.get(gap.attemptId) ?? []), describeGap(gap)])
    }
    const candidates = rows.map(({ attemptId, deadlineAt, verified, ...row }) => ({
      ...row,
      where: whereabouts(attemptId, row.submittedAt, verified),
      remainingMs:
        deadlineAt && !row.submittedAt ? remainingMs(deadlineAt.getTime(), now.getTime()) : 0,
      unmonitored: gaps.get(attemptId ?? '') ?? [],
    }))
    return { result: { assessment, candidates }, detail: { demo } }
  })
}

type Row = Omit<CandidateStatus, 'where' | 'remainingMs' | 'unmonitored'> & {
  attemptId: string | null
  deadlineAt: Date | null
  verified: boolean
}

function whereabouts(
  attemptId: string | null,
  submittedAt: Date | null,
  verified: boolean,
): Whereabouts {
  if (attemptId) return submittedAt ? 'submitted' : 'running'
  return verified ? 'verified' : 'absent'
}

export interface ListedAssessment extends AssessmentRow {
  itemCount: number
  candidateCount: number
  runningCount: number
  submittedCount: number
}

/** All assessments, by code; demo candidates don't count. */
export function listAssessments(organiser: Organiser): Promise<ListedAssessment[]> {
  return act(organiser, 'list', null, async (client) => {
    const { rows } = await client.query<ListedAssessment>(`
      select code, society, session, duration_seconds as "durationSeconds", opens_at as "opensAt",
        closes_at as "closesAt", time_zone as "timeZone", is_sample as "isSample",
        content_hash as "contentHash", created_at as "createdAt",
        (select count(*)::int from assessment_items i where i.assessment = code) as "itemCount",
        (select count(*)::int from candidates c where c.assessment = code and not c.is_demo
          and c.revoked_at is null) as "candidateCount",
        (select count(*)::int from attempts a where a.assessment = code and not a.is_demo
          and a.submitted_at is null) as "runningCount",
        (select count(*)::int from attempts a where a.assessment = code and not a.is_demo
          and a.submitted_at is not null) as "submittedCount"
      from assessments order by code`)
    return { result: rows, detail: {} }
  })
}
