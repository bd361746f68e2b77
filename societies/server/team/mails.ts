import type { Database } from '../../../platform/database/database.ts'
import { writeLetter } from '../../../platform/server/letter.ts'
import type { MailKind } from '../../../platform/server/mail-queue.ts'
import { sentencesOf } from '../../role-words.ts'
import type { Role } from '../../roles.ts'
import { INVITATION_MAIL, INVITED_TO, makeLink } from './invitations.ts'

/** The mails that this room puts in the queue. */
export function createSocietyMails({
  db,
  now,
  publicUrl,
  secretKey,
}: {
  db: Database
  now: () => Date
  /** without a slash at its end */
  publicUrl: string
  secretKey: Buffer
}): Record<typeof INVITATION_MAIL, MailKind> {
  return {
    [INVITATION_MAIL]: {
      async write({ about }) {
        const { rows } = await db.$client.query<{
          society: string
          invitedBy: string
          roles: Role[]
          assessments: string[] | null
          until: Date | null
          room: string | null
          expiresAt: Date
        }>(
          `select s.name as society, i.invited_by_name as "invitedBy", i.roles, i.until, i.room,
             i.expires_at as "expiresAt", ${INVITED_TO} as assessments
           from society_invitations i join societies s on s.id = i.society_id where i.id = $1`,
          [about],
        )
        const invitation = rows[0]
        // Made only now, and anew for each try, so that the table never holds what lets somebody in.
        const link =
          about && invitation && (await makeLink(db.$client, { secretKey, publicUrl }, about))
        if (!link) return null
        const { society, invitedBy, until, expiresAt, ...offer } = invitation
        return writeLetter(`${invitedBy} invites you to help run ${society}`, link, [
          'Hello,',
          `${invitedBy} invites you to ${society} on Superday, where societies run their recruitment tests.`,
          ...sentencesOf({ ...offer, until: until && dateOf(until) }),
          { button: 'See the invitation', link },
          `Opening the page accepts nothing. The link works once, for this address, until ${dateOf(expiresAt)}.`,
          'If you do not know what this is about, ignore it: nothing happens.',
        ])
      },
      async sent({ about }) {
        await db.$client.query(
          `update society_invitations set sent_count = sent_count + 1, last_sent_at = $2 where id = $1`,
          [about, now()],
        )
      },
    },
  }
}

const date = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

const dateOf = (at: Date) => `${date.format(at)} UTC`
