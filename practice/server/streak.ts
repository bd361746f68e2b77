import { localDay } from '../../platform/local-day.ts'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { completePractice, getStreak } from '../contract.ts'
import { deriveStreak } from '../streak.ts'
import { readPracticeDays, streakAt, withPracticeDay } from './practice-day-store.ts'

/** How many of the latest practised days GET /api/streak tells, for the week on the dashboard. */
const RECENT_DAYS = 14

/** GET and POST /api/streak (product 9.2.13, 9.2.14). */
export function serveStreak(api: Api, { db, now }: AppDependencies): void {
  api.serve(getStreak, async ({ user, query }) => {
    const days = await readPracticeDays(db, user.id)
    const today = localDay(now().getTime(), query.timeZone)
    return {
      ...deriveStreak(days, { day: today, timeZone: query.timeZone }),
      recentDays: days.slice(-RECENT_DAYS).map((day) => day.day),
    }
  })

  api.serve(completePractice, async ({ user, body }) => {
    const at = now()
    await db.$client.query({
      name: 'store-error-practice',
      text: withPracticeDay(
        `insert into error_practices (user_id, completed_at, id) values ($1, $3, $5)`,
      ),
      values: [user.id, localDay(at.getTime(), body.timeZone), at, body.timeZone, body.id],
    })
    return streakAt(await readPracticeDays(db, user.id), at, body.timeZone)
  })
}
