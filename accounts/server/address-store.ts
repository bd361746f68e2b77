import type pg from 'pg'

/**
 * Records that a mail to the address was answered, in the caller's transaction. 'recovery': the new password isn't set
 * yet, so the account may belong to a stranger who signed up with this address (product 2.6.10). 'guest': there is no
 * address.
 */
export async function proveAddress(
  client: Pick<pg.PoolClient, 'query'>,
  { id, sessionId }: { id: string; sessionId: string },
  email: string,
  now: Date,
): Promise<'proven' | 'other' | 'guest' | 'recovery'> {
  const { rows } = await client.query<{ email: string; isProven: boolean; isRecovery: boolean }>(
    `select u.email, u.email_verified_at is not null as "isProven",
       s.amr @> '[{"method": "otp"}]' as "isRecovery"
     from users u join sessions s on s.user_id = u.id
     where u.id = $1 and s.id = $2 and not u.is_anonymous for no key update of u`,
    [id, sessionId],
  )
  const account = rows[0]
  if (!account) return 'guest'
  if (account.email !== email) return 'other'
  if (account.isProven) return 'proven'
  if (account.isRecovery) return 'recovery'
  await client.query('update users set email_verified_at = $2 where id = $1', [id, now])
  return 'proven'
}
