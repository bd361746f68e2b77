import { createECDH } from 'node:crypto'
import { buildPushHTTPRequest } from '@pushforge/builder'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { deriveKey } from '../../../platform/database/secret-key.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { localDay } from '../../../platform/local-day.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { enqueueMail, nudgeMailQueue } from '../../../platform/server/mail-queue.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import type { ReminderChannel } from '../../contract/plan.ts'
import { type PlanDates, reminderOf } from '../../schedule/plan.ts'
import { LAST_REMINDER_MAIL, REMINDER_MAIL } from './mails.ts'

type Needs = Pick<AppDependencies, 'db' | 'now' | 'secretKey' | 'supportEmail'> & {
  send: SendPush
}

const BATCH = 200
/** This many people are reminded in parallel. A push service that hangs delays only these. */
const AT_ONCE = 10

interface Due extends PlanDates {
  userId: string
  email: string | null
  channel: ReminderChannel
  day: string
  practicedOn: string | null
  sentOn: string[]
}

/** Sends due reminders, each once across all nodes (product 3.16.8, 3.16.9). Returns how many. */
export async function sendReminders(needs: Needs): Promise<number> {
  const { db, now } = needs
  // Each zone has its own query. If PostgreSQL didn't know a zone, one query would fail for everyone.
  const { rows: zones } = await db.$client.query<{ zone: string }>(
    `select distinct reminders ->> 'timeZone' as zone from practice_plans where reminders is not null`,
  )
  let reminded = 0
  for (const { zone } of zones) {
    const at = now().getTime()
    for (let after = LOWEST_ID; ; ) {
      const due = await readDue(needs, {
        zone,
        after,
        hour: hourIn(at, zone),
        day: localDay(at, zone),
      })
      for (let first = 0; first < due.length; first += AT_ONCE) {
        const some = due.slice(first, first + AT_ONCE)
        const done = await Promise.all(some.map((one) => remind(needs, one)))
        reminded += done.filter(Boolean).length
      }
      const last = due.at(-1)
      if (due.length < BATCH || !last) break
      after = last.userId
    }
  }
  if (reminded > 0) nudgeMailQueue(db)
  return reminded
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Checks every minute until stopped. Any number of nodes can run it. */
export function startReminders(needs: Needs & Pick<AppDependencies, 'log'>) {
  const { log } = needs
  return startRepeating(
    {
      everyMs: 60_000,
      waitsFirst: true,
      onError: (error) => log.warn({ error: String(error) }, 'reminding failed'),
    },
    () => sendReminders(needs),
  )
}

async function readDue(
  { db }: Needs,
  asked: { zone: string; hour: number; day: string; after: string },
): Promise<Due[]> {
  const { rows } = await db.$client.query<Due>(
    `select p.user_id as "userId", u.email, p.reminders ->> 'channel' as channel, $3::text as day,
       p.interview_on::text as "interviewOn", p.days_off as "daysOff",
       coalesce(p.started_on, p.changed_at::date)::text as "startedOn",
       (select max(d.day)::text from practice_days d where d.user_id = p.user_id) as "practicedOn",
       array(select s.day::text from reminders_sent s where s.user_id = p.user_id
         order by s.day desc limit 10) as "sentOn"
     from practice_plans p join users u on u.id = p.user_id
     where p.reminders ->> 'timeZone' = $1 and (p.reminders ->> 'hour')::int = $2 and p.user_id > $4
       and u.deleting_since is null
       and (p.reminders ->> 'channel' = 'push' or u.email_verified_at is not null)
       and not exists (select from reminders_sent s where s.user_id = p.user_id and s.day = $3::date)
     order by p.user_id limit ${BATCH}`,
    [asked.zone, asked.hour, asked.day, asked.after],
  )
  return rows
}

async function remind(needs: Needs, one: Due): Promise<boolean> {
  const what = reminderOf(one, one.day, one)
  if (what === 'none') return false
  const isTaken = await inTransaction(needs.db, (client) => take(client, needs.now(), one, what))
  if (isTaken && one.channel === 'push') {
    const title =
      what === 'remind' ? 'Your ten questions are ready' : "We'll stop sending reminders"
    await push(needs, one.userId, title)
  }
  return isTaken
}

/** Claims the day and queues the mail in the same transaction. Returns false if another node was faster. */
async function take(
  client: pg.PoolClient,
  now: Date,
  { userId, email, channel, day }: Due,
  what: 'remind' | 'stop',
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into reminders_sent (user_id, day, channel, sent_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [userId, day, channel, now],
  )
  if (rowCount === 0) return false
  if (what === 'stop') {
    await client.query('update practice_plans set reminders = null where user_id = $1', [userId])
  }
  if (channel === 'mail' && email) {
    const kind = what === 'remind' ? REMINDER_MAIL : LAST_REMINDER_MAIL
    const mail = { kind, recipient: email, now, about: userId }
    await enqueueMail(drizzle(client), mail, { count: 1, withinMs: 12 * 3_600_000 })
  }
  return true
}

async function push(needs: Needs, userId: string, title: string): Promise<void> {
  const { db, secretKey, supportEmail: contact, send } = needs
  const { rows } = await db.$client.query<Subscription>(
    'select endpoint, keys from push_subscriptions where user_id = $1',
    [userId],
  )
  await Promise.all(
    rows.map(async (subscription) => {
      const outcome = await sendPush({ secretKey, contact, send }, subscription, title)
      if (outcome !== 'gone') return
      await db.$client.query(
        'delete from push_subscriptions where user_id = $1 and endpoint = $2',
        [userId, subscription.endpoint],
      )
    }),
  )
}

function hourIn(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  return Number(format.format(atMs))
}

interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** Only the browsers' push services are allowed. Otherwise a user could make the server call its own network. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^([a-z0-9-]+\.)*push\.apple\.com$/,
  /^([a-z0-9-]+\.)*notify\.windows\.com$/,
]

export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username } = new URL(endpoint)
  if (protocol !== 'https:' || port !== '' || username !== '') return false
  return SERVICES.some((service) => service.test(hostname))
}

type SendPush = (url: string, request: RequestInit) => Promise<{ status: number }>

/** Derives the key pair for push from SECRET_KEY, so it's stable and needs no setup. */
function keyPair(secretKey: Buffer) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(deriveKey(secretKey, 'push'))
  return { d: pair.getPrivateKey(), point: pair.getPublicKey() }
}

export function pushKeyOf(secretKey: Buffer): string {
  return keyPair(secretKey).point.toString('base64url')
}

/** The timeout for a push service in milliseconds. Other reminders wait for it. */
const SEND_MS = 5_000
/** How long a push service keeps a reminder for a device that is off. It's only useful today. */
const TTL_SECONDS = 6 * 3600

/** Sends a title without personal data to one browser. 'gone' means that the subscription no longer exists. */
async function sendPush(
  { secretKey, contact, send }: { secretKey: Buffer; contact: string; send: SendPush },
  subscription: Subscription,
  title: string,
): Promise<'sent' | 'gone' | 'failed'> {
  const { d, point } = keyPair(secretKey)
  try {
    const { endpoint, headers, body } = await buildPushHTTPRequest({
      privateJWK: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
        d: d.toString('base64url'),
      },
      subscription,
      message: {
        payload: { title, url: '/due' },
        options: { ttl: TTL_SECONDS },
        adminContact: `mailto:${contact}`,
      },
    })
    const { status } = await send(endpoint, {
      method: 'POST',
      headers,
      body: body as BodyInit,
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MS),
    })
    if (status === 404 || status === 410) return 'gone'
    return status < 300 ? 'sent' : 'failed'
  } catch {
    return 'failed'
  }
}
