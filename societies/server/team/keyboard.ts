import { inTransaction } from '../../../platform/database/transaction.ts'
import { INVITATION_DAYS } from '../../contract.ts'
import type { Role } from '../../roles.ts'
import { note, type Organiser, read } from '../action.ts'
import { IN_FORCE } from './guard.ts'
import { invite, makeLink, readAddresses } from './invitations.ts'
import { makeSociety, requireSociety, type Society } from './societies.ts'

/*
 * What whoever runs the server does for societies: make one, and invite somebody to one that has no owner any
 * more. Everything else is its members'.
 */

/** How an invitation gets to its person: by the queue, or without one as a link to hand on. */
interface Delivery {
  mail: boolean
  secretKey: Buffer
  /** without a slash at its end */
  publicUrl: string
}

/** @returns `link`: null where a mail is sent. Errors: OrganiserRefusal. */
async function inviteTo(
  organiser: Organiser,
  societyId: string,
  { email, role }: { email: string; role: Role },
  { mail, ...how }: Delivery,
): Promise<{ email: string; link: string | null }> {
  const asked = { emails: [email], roles: [role], assessment: null }
  const [invited] = await invite(
    organiser,
    societyId,
    { ...asked, expiresInDays: INVITATION_DAYS.usual },
    { mail },
  )
  if (!invited) throw new Error('Nobody was invited.')
  const link = mail ? null : await makeLink(organiser.db.$client, how, invited.id)
  return { email: invited.email, link }
}

/**
 * Makes a society and invites its first owner. Errors: OrganiserRefusal when the name is taken, and for what
 * is no address.
 */
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
    await note(client, organiser, {
      action: 'make-society',
      societyId: id,
      code: null,
      detail: { name: name.trim() },
    })
    return id
  })
  return inviteTo(organiser, societyId, { email, role: 'owner' }, how)
}

/** Invites somebody to a society by its name. Errors: OrganiserRefusal. */
export async function inviteAtKeyboard(
  organiser: Organiser,
  name: string,
  who: { email: string; role: Role },
  how: Delivery,
): Promise<{ email: string; link: string | null }> {
  const society = await read(organiser, (client) => requireSociety(client, name))
  return inviteTo(organiser, society.id, who, how)
}

export interface ListedSociety extends Society {
  assessments: number
  /** their addresses */
  owners: string[]
  /** owners too */
  members: number
}

/** All societies, by name, with who is in them now. */
export function listSocieties(organiser: Organiser): Promise<ListedSociety[]> {
  return read(organiser, async (client) => {
    const members = `from memberships m join users u on u.id = m.user_id
      where m.society_id = s.id and ${IN_FORCE(1)} and not u.is_anonymous`
    const { rows } = await client.query<ListedSociety>(
      `select s.id, s.name, s.via,
         (select count(*)::int from assessments a where a.society_id = s.id and a.trial is null) as assessments,
         array(select u.email ${members} and m.role = 'owner' order by u.email) as owners,
         (select count(distinct m.user_id)::int ${members}) as members
       from societies s order by s.name`,
      [organiser.now],
    )
    return rows
  })
}
