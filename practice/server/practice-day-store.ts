import type { Database } from '../../platform/database/database.ts'
import { localDay } from '../../platform/local-day.ts'
import { ApiError } from '../../platform/server/api.ts'
import { deriveStreak, type PracticeDay, type Streak } from '../streak.ts'

export const notFound = () => new ApiError(404, 'not_found', 'This item was not found.')

/**
 * SQL that stores a finished item and its practice day in one statement. A repeat stores nothing. A later completion on
 * the same day updates its time but not its zone. $1 is user_id, $2 the local day, $3 completed_at and $4 the zone;
 * `insert` has its own values from $5. `allowed` is SQL that permits the row (platform/server/quota.ts). `more` can
 * read `stored`.
 */
export function withPracticeDay(
  insert: string,
  { allowed, more }: { allowed?: string; more?: string } = {},
): string {
  return `
    with ${allowed ? `allowed as (${allowed}), ` : ''}stored as (
      ${insert} on conflict do nothing returning user_id
    ),
    day as (
      insert into practice_days (user_id, day, completed_at, time_zone)
      select user_id, $2::date, $3::timestamptz, $4 from stored
      on conflict (user_id, day) do update set completed_at = excluded.completed_at
        where practice_days.completed_at < excluded.completed_at
    )${more ? `, ${more}` : ''}
    select user_id from stored`
}
export async function readPracticeDays(db: Database, userId: string): Promise<PracticeDay[]> {
  const { rows } = await db.$client.query<PracticeDay>({
    name: 'read-practice-days',
    text: `select day::text, (extract(epoch from completed_at) * 1000)::float8 as "completedAtMs",
        time_zone as "timeZone"
      from practice_days where user_id = $1 order by practice_days.day`,
    values: [userId],
  })
  return rows
}

export function streakAt(days: readonly PracticeDay[], at: Date, timeZone: string): Streak {
  return deriveStreak(days, { day: localDay(at.getTime(), timeZone), timeZone })
}
/** Returns the days with one more completion, as the database will store them. */
export function addPracticeDay(
  days: readonly PracticeDay[],
  completedAt: Date,
  timeZone: string,
): PracticeDay[] {
  const completedAtMs = completedAt.getTime()
  const day = localDay(completedAtMs, timeZone)
  const known = days.find((one) => one.day === day)
  if (known && known.completedAtMs >= completedAtMs) return [...days]
  const earned = { day, completedAtMs, timeZone: known?.timeZone ?? timeZone }
  return [...days.filter((one) => one !== known), earned].sort((a, b) => (a.day < b.day ? -1 : 1))
}

const LATEST_DELIVERY_MS = 7 * 24 * 3600 * 1000

/** Clamps a completion between seven days ago, or the account's start, and now (product 3.7.5, 4.14). */
export function clampCompletion(
  completedAt: Date,
  { now, memberSince }: { now: Date; memberSince: Date },
): Date {
  const earliest = Math.max(now.getTime() - LATEST_DELIVERY_MS, memberSince.getTime())
  return new Date(Math.min(Math.max(completedAt.getTime(), earliest), now.getTime()))
}

/** Reads a person's stored row by `columns`, and when their account started. Throws 404 if the account was deleted. */
export async function findSaved<Saved>(
  db: Database,
  userId: string,
  id: string,
  { table, columns }: { table: string; columns: string },
): Promise<{ saved: Saved | null; memberSince: Date }> {
  const { rows } = await db.$client.query<{ saved: Saved | null; memberSince: Date }>({
    name: `find-saved-${table}`,
    text: `select created_at as "memberSince", (
        select row_to_json(saved) from (
          select ${columns} from ${table} where user_id = users.id and id = $2
        ) saved
      ) as saved
      from users where id = $1`,
    values: [userId, id],
  })
  if (!rows[0]) throw notFound()
  return rows[0]
}

export const isoTime = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Returns the first four values of withPracticeDay. */
export const dayValues = (userId: string, completedAt: Date, timeZone: string) => [
  ...[userId, localDay(completedAt.getTime(), timeZone), completedAt, timeZone],
]
