import sql from 'sql-template-tag'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { Role } from '../../kit/roles.ts'
import { note, type Organiser, read } from '../../kit/server/action.ts'
import { INVITATION_DAYS } from '../contract.ts'
import { inForce } from './guard.ts'
import { invite, makeLink, readAddresses } from './invitations.ts'
import { makeSociety, requireSociety, type Society } from './societies.ts'

/*
 * What the operator of the server does for societies at the command line: make one, and invite a member to one that
 * has no owner any more. Its members do everything else.
 */

/** How an invitation gets to its person: by the queue, or without one as a link to hand on. */
interface Delivery {
  mail: boolean
  secretKey: Buffer
  /** without a slash at its end */
  publicUrl: string
}

/** @returns `link`: null where a mail is sent. Errors: 400 bad_addresses. */
async function inviteTo(
  organiser: Organiser,
  societyId: string,
  { email, role }: { email: string; role: Role },
  { mail, ...how }: Delivery,
): Promise<{ email: string; link: string | null }> {
  const expiresInDays = INVITATION_DAYS.usual
  const asked = { emails: [email], roles: [role], assessment: null, expiresInDays }
  const [invited] = await invite({ ...organiser, societyId }, asked, { mail })
  if (!invited) throw new Error('Nobody was invited.')
  const link = mail ? null : await makeLink(organiser.db.$client, how, invited.id)
  return { email: invited.email, link }
}

/** Makes a society and invites its first owner. Errors: 400 bad_addresses, 409 society_exists. */
export async function makeSocietyWithOwner(
  organiser: Organiser,
  name: string,
  email: string,
  how: Delivery,
): Promise<{ email: string; link: string | null }> {
  // Before anything is made.
  readAddresses([email])
  const societyId = await inTransaction(organiser.db, async (client) => {
    const id = await makeSociety(client, name, 'command', organiser.now)
    const detail = { name: name.trim() }
    await note(client, organiser, { action: 'make-society', societyId: id, code: null, detail })
    return id
  })
  return inviteTo(organiser, societyId, { email, role: 'owner' }, how)
}

/** Invites a person to a society by its name. Errors: 400 bad_addresses; those of requireSociety. */
export async function inviteAtKeyboard(
  organiser: Organiser,
  name: string,
  who: { email: string; role: Role },
  how: Delivery,
): Promise<{ email: string; link: string | null }> {
  const society = await read(organiser, (client) => requireSociety(client, name))
  return inviteTo(organiser, society.id, who, how)
}

/** All societies, by name, with their present members. */
export function listSocieties(organiser: Organiser): Promise<
  (Society & {
    assessments: number
    /** their addresses */
    owners: string[]
    /** owners too */
    members: number
  })[]
> {
  return read(organiser, async (client) => {
    const members = sql`from memberships m join users u on u.id = m.user_id
      where m.society_id = s.id and ${inForce(organiser.now)} and not u.is_anonymous`
    const { rows } = await client.query(
      sql`select s.id, s.name, s.via,
          (select count(*)::int from assessments a where a.society_id = s.id and a.trial is null) as assessments,
          array(select u.email ${members} and m.role = 'owner' order by u.email) as owners,
          (select count(distinct m.user_id)::int ${members}) as members
        from societies s order by s.name`,
    )
    return rows
  })
}
