import { remainingMs } from '../../assessments/time-left.ts'
import { type Organiser, read } from './action.ts'
import { type AssessmentRow, requireAssessment } from './assessments.ts'
import { readMarks } from './attempt-facts.ts'
import type { Mark } from './marks.ts'
import type { ExportOptions } from './results/results.ts'
import { type Gap, readGaps } from './unmonitored.ts'

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
  /** empty when every window was watched */
  unmonitored: Gap[]
  /** what somebody should look at besides (product 6.8.19) */
  marks: Mark[]
  /** how many accounts have verified, started or taken over; those deleted since count as one */
  userCount: number
  addresses: string[]
}

/**
 * Where everybody is: who hasn't come, who is in and how far, who is done, and what somebody should look
 * at (product 7.4.1). Leaves no note. Errors: OrganiserRefusal.
 */
export function readStatus(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<{ assessment: AssessmentRow; candidates: CandidateStatus[] }> {
  const { now } = organiser
  return read(organiser, async (client) => {
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
           -- Whose account is gone can't be told apart any more: those are one.
           count(distinct e.user_id)::int
             + coalesce(bool_or(e.user_id is null), false)::int as users,
           coalesce(array_agg(distinct e.address order by e.address)
             filter (where e.address is not null), '{}') as addresses
         from attempt_events e
         where e.candidate_id = c.id and e.kind in ('verified', 'started', 'taken_over')
       ) came
       where c.assessment = $1 and ($2 or not c.is_demo)
       order by lower(c.username)`,
      [code, demo],
    )
    const gaps = new Map<string, Gap[]>()
    for (const gap of await readGaps(client, code)) {
      gaps.set(gap.attemptId, [...(gaps.get(gap.attemptId) ?? []), gap])
    }
    const marks = await readMarks(client, code)
    const candidates = rows.map(({ attemptId, deadlineAt, verified, ...row }) => ({
      ...row,
      where: whereabouts(attemptId, row.submittedAt, verified),
      remainingMs:
        deadlineAt && !row.submittedAt ? remainingMs(deadlineAt.getTime(), now.getTime()) : 0,
      unmonitored: gaps.get(attemptId ?? '') ?? [],
      marks: marks.get(attemptId ?? '') ?? [],
    }))
    return { assessment, candidates }
  })
}

type Row = Omit<CandidateStatus, 'where' | 'remainingMs' | 'unmonitored' | 'marks'> & {
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
