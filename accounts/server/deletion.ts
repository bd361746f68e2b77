import { lt } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { describeError } from '../../platform/server/log.ts'
import { startRepeating } from '../../platform/server/repeating.ts'
import { GUEST_DAYS } from '../limits.ts'
import { recoveryTokens } from './tables.ts'

/* An account is deleted in two steps, so that a large one blocks no other call:
   - close: one short transaction removes name, address, password and sessions, and frees the address
   - empty: any nodes delete the data in batches, each a transaction, and the user's row last */

/** Rows of one table per transaction: about 50 ms, during which others may wait. */
const BATCH_ROWS = 1_000
const POLL_MS = 2_000

/** Closes accounts for good, including guests': ends sessions and clears the row. startDeletions deletes the data. */
export async function closeAccounts(
  db: Database,
  now: Date,
  userIds: readonly string[],
): Promise<void> {
  await inTransaction(db, async (client) => {
    // This comes first, so it waits for any sign-in, recovery or change that holds the row. Later ones find no account.
    await client.query(
      `update users set email = null, password_hash = null, is_anonymous = true, email_verified_at = null,
         metadata = '{}', recovery_sent_at = null, deleting_since = $2
       where id = any($1::uuid[]) and deleting_since is null`,
      [userIds, now],
    )
    await client.query('delete from sessions where user_id = any($1::uuid[])', [userIds])
    await client.query('delete from recovery_tokens where user_id = any($1::uuid[])', [userIds])
  })
}

/** A foreign key to users, and its action on deletion. */
interface Reference {
  table: string
  column: string
  /** 'set null' detaches: attempts and reports stay without the person (product 2.8.4) */
  onDelete: 'cascade' | 'set null'
}

/** Reads the foreign keys, so that no new table is forgotten. */
async function referencesToUsers(db: Database): Promise<Reference[]> {
  const { rows } = await db.$client.query<Reference>(`
    select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column",
      case c.confdeltype when 'n' then 'set null' else 'cascade' end as "onDelete"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass
    order by c.conrelid::regclass::text`)
  return rows
}

/** Deletes closed accounts and their data in batches, until `stopped`. Returns how many accounts are gone. */
export async function deleteClosedAccounts(
  { db }: { db: Database },
  stopped: () => boolean = () => false,
): Promise<number> {
  const references = await referencesToUsers(db)
  let gone = 0
  for (;;) {
    if (stopped()) return gone
    const done = await inTransaction(db, (client) => deleteBatch(client, references))
    if (done === 'nobody') return gone
    if (done === 'gone') gone += 1
  }
}

/** Deletes one batch of the account that has waited longest and that no other node is deleting. */
async function deleteBatch(
  client: pg.PoolClient,
  references: readonly Reference[],
): Promise<'nobody' | 'more' | 'gone'> {
  // Not `for update`, because calls that were running when the account closed still refer to the row.
  const { rows } = await client.query<{ id: string }>(
    `select id from users where deleting_since is not null order by deleting_since
     limit 1 for no key update skip locked`,
  )
  const id = rows[0]?.id
  if (id === undefined) return 'nobody'
  for (const { table, column, onDelete } of references) {
    const some = `select ctid from ${table} where ${column} = $1 limit ${BATCH_ROWS} for update skip locked`
    const { rowCount } = await client.query(
      onDelete === 'cascade'
        ? `delete from ${table} where ctid = any(array(${some}))`
        : `update ${table} set ${column} = null where ctid = any(array(${some}))`,
      [id],
    )
    if (rowCount === BATCH_ROWS) return 'more'
  }
  await client.query('delete from users where id = $1', [id])
  return 'gone'
}

/** Deletes closed accounts until stopped. Several nodes may do this. */
export function startDeletions({ db, log }: Pick<AppDependencies, 'log'> & { db: Database }) {
  return startRepeating(
    {
      everyMs: POLL_MS,
      // Another transaction held a lock, or the database is down. The next run continues where this one ended.
      onError: (error) => log.warn({ error: describeError(error) }, 'account deletion is delayed'),
    },
    async (isStopped) => {
      const gone = await deleteClosedAccounts({ db }, isStopped)
      if (gone > 0) log.info({ gone }, 'accounts deleted')
    },
  )
}

const TIDY_MS = 3_600_000
/** Guests closed per statement, which keeps it short. */
const ROUND_LIMIT = 500

/** Closes accounts of guests who were last here GUEST_DAYS ago. @returns how many */
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

/** How long an expired recovery token is kept. */
const KEEP_TOKENS_MS = 7 * 24 * 3_600_000

export async function dropOldTokens({
  db,
  now,
}: Pick<AppDependencies, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - KEEP_TOKENS_MS)
  await db.delete(recoveryTokens).where(lt(recoveryTokens.expiresAt, before))
}

/** Cleans up now and then hourly until stopped. Several nodes may do this. */
export function startRetention(dependencies: Pick<AppDependencies, 'db' | 'now' | 'log'>) {
  const { log } = dependencies
  return startRepeating(
    {
      everyMs: TIDY_MS,
      onError: (error) => log.warn({ error: String(error) }, 'cleaning up accounts failed'),
    },
    async () => {
      const purged = await purgeGuests(dependencies)
      if (purged > 0) log.info({ purged }, 'unused guests are being deleted')
      await dropOldTokens(dependencies)
    },
  )
}
