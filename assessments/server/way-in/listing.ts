import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { listAssessments } from '../../contract.ts'
import { listedSince } from '../../listing.ts'
import { labelOf } from '../../reference.ts'
import type { AssessmentRules } from '../tables.ts'

interface Row {
  code: string
  society: string
  session: string | null
  durationSeconds: number
  questionCount: number
  navigator: boolean
  rules: AssessmentRules
  opensAt: Date | null
  closesAt: Date | null
  isRunning: boolean
  timeZone: string
}

/** GET /api/assessments: the open processes, by society (product 6.1). */
export function serveListing(api: Api, { db, now }: AppDependencies): void {
  api.serve(listAssessments, async ({ user }) => {
    const at = now()
    const { rows } = await db.$client.query<Row>({
      name: 'listed-assessments',
      text: `select code, society, session, duration_seconds as "durationSeconds", navigator, rules,
          opens_at as "opensAt", closes_at as "closesAt", time_zone as "timeZone",
          -- Of two forms each asks as many (product 7.19.2): candidates read the number of one.
          (select count(*)::int from assessment_items i where i.assessment = assessments.code
            and i.form is distinct from 'B') as "questionCount",
          exists (select from attempts t where t.user_id = $2 and t.assessment = assessments.code
            and t.submitted_at is null) as "isRunning"
        from assessments
        where not is_draft and deleted_at is null and trial is null
          and (closes_at is null or closes_at > $1)
        order by society, code`,
      values: [listedSince(at), user.id],
    })
    return rows.map((row) => ({
      code: row.code,
      society: row.society,
      label: labelOf(row),
      session: row.session,
      durationSeconds: row.durationSeconds,
      questionCount: row.questionCount,
      navigator: row.navigator,
      rules: row.rules,
      opensAt: row.opensAt?.toISOString() ?? null,
      closesAt: row.closesAt?.toISOString() ?? null,
      closesInMs: row.closesAt && row.closesAt.getTime() - at.getTime(),
      isRunning: row.isRunning,
      timeZone: row.timeZone,
    }))
  })
}
