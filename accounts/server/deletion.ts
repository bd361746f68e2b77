import { lt } from 'drizzle-orm'
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { describeError } from '../../platform/server/log.ts'
import { startRepeating } from '../../platform/server/repeating.ts'
import { GUEST_DAYS } from '../limits.ts'
import { recoveryTokens } from './tables.ts'

/*
 * An account is deleted in two steps, so that a large one holds nobody up:
 *   close   one short transaction removes name, address, password and sessions; the address is free again
 *   empty   batches, each a transaction, on any node, which another node finishes; the user's row goes last
 */

/** Rows of one table that one transaction deletes or detaches: some 50 ms, for which others may wait. */
const BATCH_ROWS = 1_000
const POLL_MS = 2_000

/** Closes accounts for good, guests' too: signed out everywhere and emptied. Their data follows (startDeletions). */
export async function closeAccounts(
  db: Database,
  now: Date,
  userIds: readonly string[],
): Promise<void> {
  await inTransaction(db, async (client) => {
    // First of all: a sign-in, a recovery or a change that holds the row is waited for, and one that comes
    // later finds no account.
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

/** What refers to a user, and what becomes of it. */
interface Reference {
  table: string
  column: string
  /** 'set null' detaches: attempts and reports stay without the person (product 2.8.4) */
  onDelete: 'cascade' | 'set null'
}

/** As the foreign keys say it, so that no new table is forgotten. */
async function referencesToUsers(db: Database): Promise<Reference[]> {
  const { rows } = await db.$client.query<Reference>(`
    select c.conrelid::regclass::text as "table", quote_ident(a.attname) as "column",
      case c.confdeltype when 'n' then 'set null' else 'cascade' end as "onDelete"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass
    order by c.conrelid::regclass::text`)
  return rows
}

/** Deletes closed accounts with all they hold, in batches; asks `stopped` between them. Returns how many are gone. */
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

/** One batch of the account that waits longest and that no other node is at. */
async function deleteBatch(
  client: pg.PoolClient,
  references: readonly Reference[],
): Promise<'nobody' | 'more' | 'gone'> {
  // Not `for update`: calls that were under way when the account was closed still refer to the row.
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

/** Empties closed accounts as long as it is not stopped; any number of nodes may. */
export function startDeletions({ db, log }: Pick<AppDependencies, 'log'> & { db: Database }) {
  return startRepeating(
    {
      everyMs: POLL_MS,
      // Another transaction held a lock, or the database is down. The next run continues where this one ended.
      onError: (error) => log.warn({ error: describeError(error) }, 'deleting accounts waits'),
    },
    async (isStopped) => {
      const gone = await deleteClosedAccounts({ db }, isStopped)
      if (gone > 0) log.info({ gone }, 'accounts deleted')
    },
  )
}

const TIDY_MS = 3_600_000
/** How many guests are closed at once, so that it stays short. */
const ROUND_LIMIT = 500

/** Closes the accounts of guests who were last here GUEST_DAYS ago. @returns how many */
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
