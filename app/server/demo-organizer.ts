import { randomUUID } from 'node:crypto'
import { closeAccounts } from '../../accounts/server/deletion.ts'
import { resetFactor } from '../../accounts/server/proof-store.ts'
import { hashPassword } from '../../accounts/server/sign-in/passwords.ts'
import { makePassword } from '../../assessments/server/password-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ownDemoSociety } from '../../societies/server/demo.ts'

/** An address that can't exist. */
const EMAIL = 'organiser@demo.superday.example'

/** Resets the sample society's owner (demo mode only), with a new password and no sessions (product 7.6.3). */
export async function resetDemoOrganizer(
  db: Database,
  now: Date,
): Promise<{ email: string; password: string }> {
  const password = makePassword()
  const passwordHash = await hashPassword(password, 'demo')
  await inTransaction(db, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into users (id, email, email_verified_at, password_hash, is_anonymous, created_at, updated_at)
       values ($1, $2, $4, $3, false, $4, $4)
       on conflict (email) do update set password_hash = excluded.password_hash,
         email_verified_at = excluded.email_verified_at, updated_at = excluded.updated_at
       returning id`,
      [randomUUID(), EMAIL, passwordHash, now],
    )
    const { id } = rows[0] as { id: string }
    await client.query(
      'insert into profiles (user_id, created_at) values ($1, $2) on conflict do nothing',
      [id, now],
    )
    // A visitor who set up a second factor still has the phone, so the next one couldn't sign in.
    await resetFactor(client, id)
    await client.query('delete from sessions where user_id = $1', [id])
    await ownDemoSociety(client, id, now)
  })
  return { email: EMAIL, password }
}

/** Closes that account before production, because its password was printed (product 7.6.3). */
export async function closeDemoOrganizer(db: Database, now: Date): Promise<void> {
  const { rows } = await db.$client.query<{ id: string }>('select id from users where email = $1', [
    EMAIL,
  ])
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await closeAccounts(db, now, ids)
}
