import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { createQuota, takeOne } from '../../platform/server/quota.ts'
import { completePractice, getStreak } from '../contract.ts'
import {
  dayValues,
  findSaved,
  readPracticeDays,
  streakAt,
  withPracticeDay,
} from './practice-day-store.ts'

const RECENT_DAYS = 84

export function serveStreak(api: Api, dependencies: AppDependencies): void {
  const { db, now } = dependencies
  const quota = createQuota(dependencies, {
    name: 'errorPractices',
    limit: 1_000,
    sentence: 'You have reached the daily limit for mistake tests.',
  })

  api.serve(getStreak, async ({ user, query }) => {
    const days = await readPracticeDays(db, user.id)
    return {
      ...streakAt(days, now(), query.timeZone),
      recentDays: days.slice(-RECENT_DAYS).map((day) => day.day),
    }
  })

  api.serve(completePractice, async ({ user, body }) => {
    const at = now()
    const { rowCount } = await db.$client.query({
      name: 'store-error-practice',
      text: STORE_ERROR_PRACTICE,
      values: [...dayValues(user.id, at, body.timeZone), body.id, ...quota.values(user.id)],
    })
    if (rowCount === 0) {
      const first = await findSaved(db, user.id, body.id, {
        table: 'error_practices',
        columns: 'id',
      })
      if (!first.saved) throw await quota.refusal(user.id)
    }
    return streakAt(await readPracticeDays(db, user.id), at, body.timeZone)
  })
}

const STORE_ERROR_PRACTICE = withPracticeDay(
  'insert into error_practices (user_id, completed_at, id) select $1, $3, $5 from allowed',
  { allowed: takeOne(6) },
)
