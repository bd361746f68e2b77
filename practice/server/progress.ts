import type { ResponseOf } from '../../platform/endpoint.ts'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getProgress, LISTED_ATTEMPTS } from '../contract.ts'
import { summarizeProgress, type TestTaken } from '../progress.ts'
import type { Bank } from './bank.ts'
import { isoTime } from './practice-day-store.ts'

export function serveProgress(api: Api, { db }: AppDependencies, bank: Bank): void {
  api.serve(getProgress, async ({ user }) => {
    const { rows: taken } = await db.$client.query<TestTaken>({
      name: 'tests-taken',
      text: `
        select category, difficulty, test_number as "testNumber", max(score) as "bestScore",
          count(*)::int as attempts,
          sum(score::float8 / total_questions * 100) as "percentageSum"
        from test_results where user_id = $1 group by category, difficulty, test_number`,
      values: [user.id],
    })
    const { rows: attempts } = await db.$client.query<
      ResponseOf<typeof getProgress>['attempts'][number]
    >({
      name: 'newest-attempts',
      text: `
        select id, ${isoTime('completed_at')} as "completedAt", category, difficulty,
          test_number as "testNumber", floor(score::float8 / total_questions * 100 + 0.5)::int as percentage
        from test_results where user_id = $1
        order by completed_at desc, id desc limit ${LISTED_ATTEMPTS}`,
      values: [user.id],
    })
    return { ...summarizeProgress(await bank.counts(user.contentVersion), taken), attempts }
  })
}
