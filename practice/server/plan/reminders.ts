import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import {
  deleteReminders,
  getReminders,
  putReminders,
  type ReminderChannel,
  type ReminderSettings,
  stopReminders,
} from '../../contract/plan.ts'
import { userOfStopToken } from './mails.ts'
import { isPushService, pushKeyOf } from './send-reminders.ts'

const SUBSCRIPTIONS_AT_MOST = 5

/** Serves practice reminders: opt-in, and stopped without signing in (product 3.16.7 to 3.16.10). */
export function serveReminders(api: Api, dependencies: AppDependencies): void {
  const { db, now, secretKey } = dependencies
  const { $client: client } = db
  const pushKey = pushKeyOf(secretKey)

  async function readReminders(userId: string) {
    const { rows } = await client.query<{ settings: ReminderSettings | null; verified: boolean }>(
      `select p.reminders as settings, u.email_verified_at is not null as verified
       from users u left join practice_plans p on p.user_id = u.id where u.id = $1`,
      [userId],
    )
    const { rows: sent } = await client.query<{ day: string; channel: ReminderChannel }>(
      `select day::text, channel from reminders_sent where user_id = $1
       order by reminders_sent.day desc limit 10`,
      [userId],
    )
    const settings = rows[0]?.settings ?? null
    const isWaiting = settings?.channel === 'mail' && rows[0]?.verified === false
    return { settings, isWaiting, pushKey, sent }
  }

  api.serve(getReminders, ({ user }) => readReminders(user.id))

  api.serve(putReminders, async ({ user, body: { subscription, ...settings } }) => {
    if (settings.channel === 'push') {
      if (!subscription || !isPushService(subscription.endpoint)) {
        throw new ApiError(
          400,
          'no_push',
          "This browser can't receive reminders. Choose email instead.",
        )
      }
    } else if (user.isAnonymous || !user.email) {
      throw new ApiError(
        403,
        'account_needed',
        "Guests don't have an email address. Create an account first.",
      )
    }
    const { rowCount } = await client.query(
      'update practice_plans set reminders = $2, changed_at = $3 where user_id = $1',
      [user.id, JSON.stringify(settings), now()],
    )
    if (rowCount === 0) {
      throw new ApiError(409, 'no_plan', 'Make a plan first. It sets the days when you practice.')
    }
    if (subscription && settings.channel === 'push') await keep(user.id, subscription)
    return readReminders(user.id)
  })

  async function keep(
    userId: string,
    { endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } },
  ): Promise<void> {
    await client.query(
      `insert into push_subscriptions (user_id, endpoint, keys, created_at) values ($1, $2, $3, $4)
       on conflict (user_id, endpoint) do update set keys = excluded.keys`,
      [userId, endpoint, JSON.stringify(keys), now()],
    )
    await client.query(
      `delete from push_subscriptions where user_id = $1 and endpoint not in (
         select endpoint from push_subscriptions where user_id = $1
         order by created_at desc, endpoint limit ${SUBSCRIPTIONS_AT_MOST})`,
      [userId],
    )
  }

  async function stop(userId: string): Promise<void> {
    await client.query('update practice_plans set reminders = null where user_id = $1', [userId])
    await client.query('delete from push_subscriptions where user_id = $1', [userId])
  }

  api.serve(deleteReminders, async ({ user }) => {
    await stop(user.id)
    return readReminders(user.id)
  })

  api.serve(stopReminders, async ({ params }) => {
    const userId = userOfStopToken(secretKey, params.token)
    if (userId === null) {
      throw new ApiError(
        404,
        'not_found',
        'This link is incomplete. Copy all of it from the email.',
      )
    }
    await stop(userId)
    return { stopped: true as const }
  })
}
