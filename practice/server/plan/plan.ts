import { eq } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { deletePlan, putPlan } from '../../contract/plan.ts'
import type { Plan } from '../../schedule/plan.ts'
import { ROLES } from '../../schedule/plan-choices.ts'
import { practicePlans, pushSubscriptions } from '../tables.ts'

export function servePlan(api: Api, { db, now }: AppDependencies): void {
  api.serve(putPlan, async ({ user, body }) => {
    const changedAt = now()
    const plan = {
      startedOn: changedAt.toISOString().slice(0, 10),
      ...body,
      daysOff: [...new Set(body.daysOff)].sort((a, b) => a - b),
    }
    const values = { ...plan, changedAt }
    await db
      .insert(practicePlans)
      .values({ userId: user.id, ...values })
      .onConflictDoUpdate({ target: practicePlans.userId, set: values })
    return { plan }
  })

  api.serve(deletePlan, async ({ user }) => {
    // This deletes the reminders too.
    await db.delete(practicePlans).where(eq(practicePlans.userId, user.id))
    await db.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, user.id))
    return { plan: null }
  })
}

export async function readPlan(db: Database, userId: string): Promise<Plan | null> {
  const { rows } = await db.$client.query<Plan>({
    name: 'read-plan',
    text: `select interview_on::text as "interviewOn", minutes_a_day as "minutesADay", role,
        days_off as "daysOff", coalesce(started_on, changed_at::date)::text as "startedOn"
      from practice_plans where user_id = $1`,
    values: [userId],
  })
  const [plan] = rows
  return plan && ROLES.includes(plan.role) ? plan : null
}
