import sql from 'sql-template-tag'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { listMySocieties as listMine } from '../../kit/contract.ts'
import { note, type Organiser, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { inForce } from './guard.ts'
import { grantRole } from './members.ts'
import { makeSociety } from './societies.ts'

type Mine = ResponseOf<typeof listMine>

/** The societies where an account has roles in force, by name. */
export function listMySocieties(
  { db, now }: Pick<Organiser, 'db' | 'now'>,
  userId: string,
): Promise<Mine['societies']> {
  return read({ db }, async (client) => {
    const { rows } = await client.query<Mine['societies'][number]>(
      sql`select s.id, s.name, s.time_zone as "timeZone", json_agg(json_build_object(
          'role', m.role, 'assessment', m.assessment, 'room', m.room) order by m.role, m.assessment) as roles
        from memberships m join societies s on s.id = m.society_id join users u on u.id = m.user_id
        where m.user_id = ${userId} and ${inForce(now)} and not u.is_anonymous
        group by s.id order by s.name`,
    )
    return rows
  })
}

/** Whether an account can found a society, or what stands in the way (product 7.7.2). */
export async function foundingOf(
  db: Organiser['db'],
  userId: string,
  isOpen: boolean,
): Promise<Mine['founding']> {
  if (!isOpen) return 'closed'
  const { rows } = await db.$client.query<{ isVerified: boolean }>(
    `select email_verified_at is not null as "isVerified" from users
     where id = $1 and not is_anonymous`,
    [userId],
  )
  if (!rows[0]) return 'account_needed'
  return rows[0].isVerified ? 'open' : 'address_unverified'
}

/**
 * Founds a society, of which the account is the owner (product 7.7.2).
 * Errors: 403 founding_closed, account_needed, address_unverified; 409 society_exists.
 * @param takeOne counts against the day's quota; its errors
 */
export async function foundSociety(
  organiser: Organiser & { userId: string },
  name: string,
  { isOpen, takeOne }: { isOpen: boolean; takeOne: () => Promise<void> },
): Promise<{ id: string; name: string }> {
  const { db, now, userId } = organiser
  const founding = await foundingOf(db, userId, isOpen)
  if (founding !== 'open') {
    const sentence = {
      closed:
        'Only the people who run this server can make societies here. Ask them, or ask a society for an invitation.',
      account_needed: 'Make an account first. A guest cannot be a member.',
      address_unverified:
        'Verify your e-mail address first, with the link that this page sends you.',
    }[founding]
    throw refuse(403, founding === 'closed' ? 'founding_closed' : founding, sentence)
  }
  await takeOne()
  return inTransaction(db, async (client) => {
    const societyId = await makeSociety(client, name, 'console', now)
    await grantRole(client, { societyId, userId, role: 'owner', now }, { assessment: null })
    await note(client, organiser, { action: 'found', societyId, code: null, detail: { name } })
    return { id: societyId, name }
  })
}
