import { and, eq, isNotNull } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import type { User } from './rows.ts'
import { secondFactors } from './tables.ts'

export type Factor = typeof secondFactors.$inferSelect

/** A person's second factor, verified or not, or null. A guest has none and costs no read. */
export async function readFactor(
  db: Pick<Database, 'select'>,
  user: Pick<User, 'id' | 'isAnonymous'>,
): Promise<Factor | null> {
  if (user.isAnonymous) return null
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id))
  return factor ?? null
}

/** Whether a person has a second factor that counts. */
export async function hasFactor(db: Pick<Database, 'select'>, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: secondFactors.id })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.verifiedAt)))
  return found.length > 0
}

/** SQL: whether the second factor was shown in a session, row n of sessions (levelOf). */
export const IS_AAL2 = `(n.amr @> '[{"method": "totp"}]' or n.amr @> '[{"method": "mfa/recovery_code"}]')`

/**
 * Takes a person's second factor away, its codes on paper with it, and ends every session, in the caller's
 * transaction: for who has lost it (product 2.10.9).
 * @returns whether there was one that counted
 */
export async function resetFactor(
  client: Pick<pg.PoolClient, 'query'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await client.query<{ counted: boolean }>(
    'delete from second_factors where user_id = $1 returning verified_at is not null as counted',
    [userId],
  )
  if (!rows[0]?.counted) return false
  await endSessions(client, userId)
  return true
}

/** Signs a person out everywhere, in the caller's transaction. @returns how many sessions there were */
export async function endSessions(
  client: Pick<pg.PoolClient, 'query'>,
  userId: string,
): Promise<number> {
  const { rowCount } = await client.query('delete from sessions where user_id = $1', [userId])
  return rowCount ?? 0
}
