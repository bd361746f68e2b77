import { inTransaction } from '../../../platform/database/transaction.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { Role } from '../../roles.ts'
import { note, type Organiser, read } from '../action.ts'
import { IN_FORCE } from './guard.ts'
import { grantRole, type Scope } from './members.ts'
import { makeSociety } from './societies.ts'

export interface MySociety {
  id: string
  name: string
  timeZone: string
  roles: (Scope & { role: Role; room: string | null })[]
}

/** Where an account has roles in force, by name. */
export function listMySocieties(
  organiser: Pick<Organiser, 'db' | 'now'>,
  userId: string,
): Promise<MySociety[]> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<MySociety['roles'][number] & Omit<MySociety, 'roles'>>(
      `select s.id, s.name, s.time_zone as "timeZone", m.role, m.assessment, m.room
       from memberships m join societies s on s.id = m.society_id join users u on u.id = m.user_id
       where m.user_id = $1 and ${IN_FORCE(2)} and not u.is_anonymous
       order by s.name, m.role, m.assessment`,
      [userId, organiser.now],
    )
    const societies = new Map<string, MySociety>()
    for (const { id, name, timeZone, ...role } of rows) {
      const society = societies.get(id) ?? { id, name, timeZone, roles: [] }
      society.roles.push(role)
      societies.set(id, society)
    }
    return [...societies.values()]
  })
}

export type Founding = 'open' | 'closed' | 'account_needed' | 'address_unverified'

/** Whether an account may found a society, or what stands in the way (product 7.7.2). */
export async function foundingOf(
  db: Organiser['db'],
  userId: string,
  isOpen: boolean,
): Promise<Founding> {
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
 * Errors: ApiError 403 where it is not open, for a guest and for an address that is not verified;
 * OrganiserRefusal when the name is taken.
 * @param takeOne counts against the day's quota; its errors
 */
export async function foundSociety(
  organiser: Organiser & { userId?: string },
  name: string,
  { isOpen, takeOne }: { isOpen: boolean; takeOne: () => Promise<void> },
): Promise<{ id: string; name: string }> {
  const { db, now, userId } = organiser
  const founding = userId === undefined ? 'closed' : await foundingOf(db, userId, isOpen)
  if (founding === 'closed' || userId === undefined) {
    throw new ApiError(
      403,
      'founding_closed',
      'Societies are made by whoever runs this server. Please ask there, or for an invitation.',
    )
  }
  if (founding === 'account_needed') {
    throw new ApiError(
      403,
      'account_needed',
      'Please make an account first: a guest cannot be a member.',
    )
  }
  if (founding === 'address_unverified') {
    throw new ApiError(
      403,
      'address_unverified',
      'Please verify your e-mail address first, by the link that this page sends you.',
    )
  }
  await takeOne()
  return inTransaction(db, async (client) => {
    const societyId = await makeSociety(client, name, 'console', now)
    await grantRole(client, { societyId, userId, role: 'owner', now }, { assessment: null })
    await note(client, organiser, {
      action: 'found',
      societyId,
      code: null,
      detail: { name },
    })
    return { id: societyId, name }
  })
}
