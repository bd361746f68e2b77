import sql, { type Sql } from 'sql-template-tag'
import { ApiError } from '../../../platform/server/api.ts'
import type { Client } from './action.ts'

/** Who saved something last, and when; null where nobody is noted. */
export interface LastChange {
  by: string | null
  at: Date | null
  /** the member's own other tab or device */
  isYou?: boolean
}

/**
 * 409 stale: somebody else saved since the form was read. Nothing is stored and nothing merges (product 7.9.9):
 * 'Paul changed this a minute ago. Reload to see the new version. Your text is kept.'
 */
export function staleError({ by, at, isYou }: LastChange, now: Date): ApiError {
  const who = isYou ? 'You changed this on another page' : by && `${by} changed this`
  const when = at ? ` ${agoWords(now.getTime() - at.getTime())}` : ''
  return new ApiError(
    409,
    'stale',
    `${who || 'This was changed'}${when}. Reload to see the new version. Your text is kept.`,
    { more: { by, at: at?.toISOString() ?? null } },
  )
}

const MINUTE_MS = 60_000

/** 'just now', 'a minute ago', '3 hours ago' */
function agoWords(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? 'an hour ago' : `${hours} hours ago`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'a day ago' : `${days} days ago`
}

/** The last change by the log. @param which of its lines */
export async function readLastLogged(client: Client, which: Sql): Promise<LastChange> {
  const { rows } = await client.query<LastChange>(
    sql`select actor as by, at from admin_actions where ${which} order by id desc limit 1`,
  )
  return rows[0] ?? { by: null, at: null }
}
