import sql, { raw } from 'sql-template-tag'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { writeLetter } from '../../../platform/server/letter.ts'
import type { MailKind } from '../../../platform/server/mail-queue.ts'
import { societyUrl } from '../../../platform/urls.ts'
import { hasLink } from '../../kit/candidate-limits.ts'
import { nameForInvited, sentencesOf } from '../../kit/role-words.ts'
import type { Role } from '../../kit/roles.ts'
import { KEPT_UNTIL, RETENTION_MAIL, WARNED_AT, WARNING_DAYS } from './assessments.ts'
import { INVITATION_MAIL, INVITED_TO, makeLink } from './invitations.ts'
import { FACTOR_RESET_MAIL } from './members.ts'

export function createSocietyMails(
  dependencies: Pick<AppDependencies, 'db' | 'now' | 'publicUrl' | 'secretKey'>,
): Record<typeof INVITATION_MAIL | typeof FACTOR_RESET_MAIL | typeof RETENTION_MAIL, MailKind> {
  const { db, now, publicUrl, secretKey } = dependencies
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
          `The authenticator app was removed from your Superday account on ${dateOf(createdAt)}, for ${rows[0]?.name ?? 'your society'}, because an owner or the server's operator was told that you lost it. On every device, the console asks for your password again.`,
          'Sign in with your password and set up the app again in your Personal Hub.',
          "If you did not ask for this, set a new password now: choose 'Forgot password?' on this page. Then ask the owners of your society.",
          { button: 'Go to sign-in', link },
        ])
      },
    },
    [RETENTION_MAIL]: {
      async write({ about }) {
        const { rows } = await db.$client.query<{ society: string; name: string; until: Date }>(
          `select s.name as society, concat_ws(', ', a.season, a.session, a.code) as name,
             greatest(${KEPT_UNTIL}, ${WARNED_AT} + interval '${WARNING_DAYS} days') as until
           from assessments a join societies s on s.id = a.society_id
           where s.id = $1 and a.deleted_at is null and ${WARNED_AT} is not null
           order by until, a.code`,
          [about],
        )
        const [first] = rows
        // All of these tests have been given a later date.
        if (!first) return null
        const link = `${publicUrl}${societyUrl(about ?? '')}`
        return writeLetter(`${first.society} answers will be deleted`, link, [
          'Hello,',
          `You are an owner of ${first.society} on Superday. Its time limit for keeping data is near, so candidates' names and answers will be deleted:`,
          ...rows.map(({ name, until }) => `${name}: on ${dayOf(until)}.`),
          'Question statistics are kept without names, and so is the log. If an appeal is open, export the files or choose a later day.',
          { button: 'See the tests', link },
          'If you do nothing, they are deleted on that day.',
        ])
      },
    },
    [INVITATION_MAIL]: {
      async write({ about }) {
        const { rows } = await db.$client.query<{
          society: string
          invitedBy: string
          roles: Role[]
          assessment: Parameters<typeof nameForInvited>[0] | null
          room: string | null
          expiresAt: Date
        }>(
          sql`select s.name as society, i.invited_by_name as "invitedBy", i.roles, i.room,
             i.expires_at as "expiresAt", ${raw(INVITED_TO)} as assessment
           from society_invitations i join societies s on s.id = i.society_id where i.id = ${about}`,
        )
        const invitation = rows[0]
        // The link is created for each send attempt, so that the table never contains a working link.
        const link =
          about && invitation && (await makeLink(db.$client, { secretKey, publicUrl }, about))
        if (!link) return null
        const { society, invitedBy, expiresAt, assessment, ...offer } = invitation
        // Societies name rooms freely ('Ed.VII'). Strangers read this mail, so rooms that look like links are left out.
        const room = offer.room && hasLink(offer.room) ? 'a room' : offer.room
        return writeLetter(`${invitedBy} invites you to help run ${society}`, link, [
          'Hello,',
          `${invitedBy} invites you to ${society} on Superday, where societies run their recruitment tests.`,
          ...sentencesOf({ ...offer, room, test: assessment && nameForInvited(assessment) }),
          { button: 'See the invitation', link },
          `Opening the page accepts nothing. The link works once, for this address, until ${dateOf(expiresAt)}.`,
          "If you don't know what this is about, ignore it. Nothing will happen.",
        ])
      },
      async sent({ about }) {
        await db.$client.query(
          sql`update society_invitations set sent_count = sent_count + 1, last_sent_at = ${now()} where id = ${about}`,
        )
      },
    },
  }
}

const dayOf = (at: Date) => at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const dateOf = (at: Date) =>
  `${at.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
