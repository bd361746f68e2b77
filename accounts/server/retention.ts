import { lt } from 'drizzle-orm'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { startRepeating } from '../../platform/server/repeating.ts'
import { GUEST_DAYS } from '../retention.ts'
import { closeAccounts } from './deletion.ts'
import { recoveryTokens } from './tables.ts'

const TIDY_MS = 3_600_000
/** How many guests are closed at once, so that it stays short. */
const ROUND_LIMIT = 500

/**
 * Closes the accounts of guests whose last use, the newest refresh of a session, is GUEST_DAYS ago; they
 * are deleted as any account is (deletion.ts): attempts at a society's assessment stay without the link.
 * @returns how many were closed
 */
export async function purgeGuests({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<number> {
  const before = new Date(now().getTime() - GUEST_DAYS * 24 * 3_600_000)
  let purged = 0
  for (;;) {
    const { rows } = await db.$client.query<{ id: string }>(
      `select id from users u where is_anonymous and deleting_since is null and created_at < $1
         and coalesce(last_sign_in_at, created_at) < $1
         and not exists (select from sessions s where s.user_id = u.id and s.refreshed_at >= $1)
       limit ${ROUND_LIMIT}`,
      [before],
    )
    await closeAccounts(
      db,
      now(),
      rows.map(({ id }) => id),
    )
    purged += rows.length
    if (rows.length < ROUND_LIMIT) return purged
  }
}

/** How long a recovery token is kept after its end. */
const KEEP_TOKENS_MS = 7 * 24 * 3_600_000

/** Deletes recovery tokens that expired a week ago. */
export async function dropOldTokens({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - KEEP_TOKENS_MS)
  await db.delete(recoveryTokens).where(lt(recoveryTokens.expiresAt, before))
}

/** Tidies now and then each hour until stopped; any number of nodes may. */
export function startRetention(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { log } = dependencies
  return startRepeating(
    {
      everyMs: TIDY_MS,
      onError: (error) => log.warn({ error: String(error) }, 'tidying accounts failed'),
    },
    async () => {
      const purged = await purgeGuests(dependencies)
      if (purged > 0) log.info({ purged }, 'unused guests are being deleted')
      await dropOldTokens(dependencies)
    },
  )
}
