import type { ReleasedFacts } from '../../../assessments/released-result.ts'
import type { Database } from '../../../platform/database/database.ts'

/** What a candidate reads of the own result. */
export type ReleasedResult = ReleasedFacts & { society: string /** '' for none */; words: string }

/**
 * A candidate's own result, for the account from which the test was sat, as keys and answers count now; null as
 * long as the society has not released it, after it has taken that back, and for an attempt that is not this
 * user's (product 7.17.13).
 */
export async function readReleased(
  db: Database,
  { userId, reference }: { userId: string; reference: string },
): Promise<ReleasedResult | null> {
  const { rows } = await db.$client.query<ReleasedResult>({
    name: 'released-result',
    text: `select s.society, g.correct as right, g.correct + g.incorrect as items,
        (rel.errors->coalesce(a.form, '')->>g.correct)::int as error,
        case when rel.tells_line then l.points::float8 end as line, rel.words
      from attempts a
      join assessments s on s.code = a.assessment and s.deleted_at is null
      join result_releases rel on rel.assessment = a.assessment and rel.withdrawn_at is null
      join assessment_results g on g.attempt_id = a.id
      left join result_lines l on l.assessment = a.assessment
      where a.user_id = $1 and left(a.id::text, 8) = $2 and a.submitted_at is not null and not a.is_demo
      order by a.started_at desc limit 1`,
    values: [userId, reference],
  })
  return rows[0] ?? null
}
