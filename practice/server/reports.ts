import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../platform/server/quota.ts'
import { reportQuestion } from '../contract.ts'
import { notFound } from './practice-day-store.ts'

export function serveReports(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, {
    name: 'questionReports',
    limit: 100,
    sentence: 'Thank you! You have reached the daily limit for reports.',
  })

  api.serve(reportQuestion, async ({ user, params, body }) => {
    const { rowCount: found } = await db.$client.query('select from questions where id = $1', [
      params.id,
    ])
    if (found === 0) throw notFound()
    const { rowCount } = await db.$client.query({
      name: 'store-question-report',
      text: STORE_REPORT,
      values: [
        ...[body.id, params.id, user.id, body.reason, body.details, now()],
        ...quota.values(user.id),
      ],
    })
    if (rowCount === 0) {
      const first = await db.$client.query('select from question_reports where id = $1', [body.id])
      if (first.rowCount === 0) throw await quota.refusal(user.id)
    }
    return { received: true as const }
  })
}

const STORE_REPORT = `
  with allowed as (${takeOne(7)})
  insert into question_reports (id, question_id, user_id, reason, details, created_at)
  select $1, $2, $3, $4, $5, $6 from allowed on conflict do nothing`
