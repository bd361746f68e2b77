import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { deriveKey } from '../database/secret-key.ts'
import { ApiError } from './api.ts'
import type { AppDependencies } from './dependencies.ts'

const DAY_MS = 24 * 3600 * 1000
/** The column's maximum. With limits off, everything is still counted but nothing refused. */
const NO_LIMIT = 2_147_483_647

/** How much a person may do in 24 hours, far above normal use (product 9.3.13). */
export interface Quota {
  /** parameters of `takeOne`, in order */
  values(userId: string): [key: string, nowMs: number, endsMs: number, limit: number]
  /** The error to throw when `takeOne` returned no row: 429 too_many, with the time until more is allowed. */
  refusal(userId: string): Promise<ApiError>
  /** Takes `count` or nothing, in the transaction that stores the rows. Errors: see refusal. */
  take(userId: string, count?: number, client?: Pick<pg.PoolClient, 'query'>): Promise<void>
}

/** SQL that takes one from a quota within the storing statement, under the row's lock. `first`: its first parameter. */
export function takeOne(first: number): string {
  return takeSome(first, '1')
}

/** @param count SQL expression of how many, at most the limit */
function takeSome(first: number, count: string): string {
  const [key, now, ends, limit] = [
    `$${first}`,
    `$${first + 1}::bigint`,
    `$${first + 2}::bigint`,
    `$${first + 3}::int`,
  ]
  return `
    insert into rate_limits as used (key, points, expire) values (${key}, ${count}, ${ends})
    on conflict (key) do update set
      points = case when used.expire <= ${now} then ${count} else used.points + ${count} end,
      expire = case when used.expire <= ${now} then ${ends} else used.expire end
    where used.expire <= ${now} or used.points + ${count} <= ${limit}
    returning key`
}

/** A quota shared by all nodes, for 24 hours from the first use. `sentence` says what is refused, without the wait. */
export function createQuota(
  { db, now, secretKey, rateLimits }: AppDependencies,
  { name, limit, sentence }: { name: string; limit: number; sentence: string },
): Quota {
  const secret = deriveKey(secretKey, 'quotas')
  const keyOf = (userId: string) =>
    `${name}:${createHmac('sha256', secret).update(userId).digest('base64url').slice(0, 22)}`

  const quota: Quota = {
    values(userId) {
      const nowMs = now().getTime()
      return [keyOf(userId), nowMs, nowMs + DAY_MS, rateLimits ? limit : NO_LIMIT]
    },
    async refusal(userId) {
      const { rows } = await db.$client.query<{ expire: string }>(
        'select expire from rate_limits where key = $1',
        [keyOf(userId)],
      )
      const waitMs = Number(rows[0]?.expire ?? 0) - now().getTime()
      const seconds = Math.max(1, Math.ceil(waitMs / 1000))
      return new ApiError(
        429,
        'too_many',
        `${sentence} You can do more in ${waitingTime(seconds)}.`,
        { retryAfterSeconds: seconds },
      )
    },
    async take(userId, count = 1, client = db.$client) {
      const values = [...quota.values(userId), count]
      const { rowCount } =
        count > (values[3] as number)
          ? { rowCount: 0 }
          : await client.query(takeSome(1, '$5::int'), values)
      if (rowCount === 0) throw await quota.refusal(userId)
    },
  }
  return quota
}

function waitingTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `${Math.ceil(minutes / 60)} hours`
}

/** A limit of all nodes, on the system's clock. `isInsured`: each node counts alone while the table is read-only. */
export const createLimiter = (
  { db }: AppDependencies,
  keyPrefix: string,
  limit: { points: number; duration: number },
  { clearExpiredByTimeout = false, isInsured = true } = {},
) =>
  new RateLimiterPostgres({
    storeClient: db.$client,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout,
    keyPrefix,
    ...limit,
    ...(isInsured ? { insuranceLimiter: new RateLimiterMemory({ keyPrefix, ...limit }) } : {}),
  })

/** Seconds until a limiter allows more. Errors: rethrows anything that isn't a limiter's refusal. */
export function secondsToWait(refusal: unknown): number {
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
}
