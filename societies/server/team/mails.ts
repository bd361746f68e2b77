import type { Database } from '../../../platform/database/database.ts'
import { writeLetter } from '../../../platform/server/letter.ts'
import type { MailKind } from '../../../platform/server/mail-queue.ts'
import { nameForInvited, sentencesOf } from '../../role-words.ts'
import type { Role } from '../../roles.ts'
import { INVITATION_MAIL, INVITED_TO_NAMED, makeLink } from './invitations.ts'
import { FACTOR_RESET_MAIL } from './member-sessions.ts'

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
}): Record<typeof INVITATION_MAIL | typeof FACTOR_RESET_MAIL, MailKind> {
  return {
    [FACTOR_RESET_MAIL]: {
      async write({ about, createdAt }) {
        const { rows } = await db.$client.query<{ name: string }>(
          'select name from societies where id = $1',
          [about],
        )
        const link = `${publicUrl}/auth`
        return writeLetter('Your second factor was reset', link, [
          'Hello,',
          `the authenticator app of your Superday account was taken off it on ${dateOf(createdAt)}, for ${rows[0]?.name ?? 'your society'}, because it was said that you have lost it. Every device was signed out.`,
          'Sign in with your password and set up the app anew in your Personal Hub.',
          "If you did not ask for this, set a new password now: choose 'Forgot password?' on this page. Then ask the owners of your society.",
          { button: 'Go to sign-in', link },
        ])
      },
    },
    [INVITATION_MAIL]: {
      async write({ about }) {
        const { rows } = await db.$client.query<{
          society: string
          invitedBy: string
          roles: Role[]
          assessments: Parameters<typeof nameForInvited>[0][] | null
          until: Date | null
          room: string | null
          expiresAt: Date
        }>(
          `select s.name as society, i.invited_by_name as "invitedBy", i.roles, i.until, i.room,
             i.expires_at as "expiresAt", ${INVITED_TO_NAMED} as assessments
           from society_invitations i join societies s on s.id = i.society_id where i.id = $1`,
          [about],
        )
        const invitation = rows[0]
        // Made only now, and anew for each try, so that the table never holds what lets somebody in.
        const link =
          about && invitation && (await makeLink(db.$client, { secretKey, publicUrl }, about))
        if (!link) return null
        const { society, invitedBy, until, expiresAt, assessments, ...offer } = invitation
        return writeLetter(`${invitedBy} invites you to help run ${society}`, link, [
          'Hello,',
          `${invitedBy} invites you to ${society} on Superday, where societies run their recruitment tests.`,
          ...sentencesOf({
            ...offer,
            assessments: assessments?.map(nameForInvited) ?? null,
            until: until && dateOf(until),
          }),
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
