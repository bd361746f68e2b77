import { eq } from 'drizzle-orm'
import { type Api, ApiError } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../platform/server/quota.ts'
import { reportQuestion } from '../contract.ts'
import { questions } from './tables.ts'

const REPORTS_QUOTA = {
  name: 'questionReports',
  limit: 100,
  sentence: 'Thank you, but that is more reports than our editors can read in a day.',
}

export function serveReports(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, REPORTS_QUOTA)

  api.serve(reportQuestion, async ({ user, params, body }) => {
    const [question] = await db
      .select({ id: questions.id })
      .from(questions)
      .where(eq(questions.id, params.id))
    if (!question) throw new ApiError(404, 'not_found', 'There is no such thing here.')
    const { rowCount } = await db.$client.query({
      name: 'store-question-report',
      text: STORE_REPORT,
      values: [
        body.id,
        params.id,
        user.id,
        body.reason,
        body.details,
        now(),
        ...quota.values(user.id),
      ],
    })
    if (rowCount === 0 && !(await isStored(body.id))) throw await quota.refusal(user.id)
    return { received: true as const }
  })

  async function isStored(id: string): Promise<boolean> {
    const { rowCount } = await db.$client.query('select from question_reports where id = $1', [id])
    return rowCount === 1
  }
}

const STORE_REPORT = `
  with allowed as (${takeOne(7)})
  insert into question_reports (id, question_id, user_id, reason, details, created_at)
  select $1, $2, $3, $4, $5, $6 from allowed on conflict do nothing`
