import sql from 'sql-template-tag'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { writeLetter } from '../../../platform/server/letter.ts'
import { enqueueManyMails, type MailKind } from '../../../platform/server/mail-queue.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import {
  holdAddresses,
  MAILS_TO_ADDRESS,
  type MailLimits,
  placeOfMail,
  RESULT_MAIL,
  takeMails,
} from '../../candidates/server/credentials.ts'
import type { Client } from '../../kit/server/action.ts'
import type { Results } from '../contract.ts'

/** Milliseconds between two emails of a release, the same as for passwords. */
const PACE_MS = 100

/**
 * Selects candidates c with a result, with or without an account. Revoked candidates can't sign in with their
 * password.
 */
const WITH_RESULT = (code: string) => sql`
  from candidates c join attempts a on a.candidate_id = c.id left join users u on u.id = a.user_id
  where c.assessment = ${code} and not a.is_demo and a.submitted_at is not null`

/** Counts who can read a released result, and how (product 7.17.12). */
export async function readReaders(client: Client, code: string): Promise<Results['readers']> {
  const { rows } = await client.query<Results['readers']>(sql`
    select count(*) filter (where u.is_anonymous is not false and c.revoked_at is null)::int as guests,
      count(*) filter (where u.is_anonymous is false)::int as accounts,
      count(*) filter (where u.is_anonymous is not false and c.revoked_at is not null)::int as none,
      count(*) filter (where c.email is not null and c.revoked_at is null)::int as "withEmail"
    ${WITH_RESULT(code)}`)
  return rows[0] as Results['readers']
}

/**
 * Queues an email to each candidate with a result and an address. Errors: 429 of the quotas.
 * @returns the number of emails
 */
export async function queueResultMails(
  client: Client,
  organizer: MemberInTest,
  limits: MailLimits,
): Promise<number> {
  const { code, now } = organizer
  await holdAddresses(client, code)
  const { rows } = await client.query<{ about: string; recipient: string }>(
    sql`select about, recipient from (
      select c.id as about, lower(c.email) as recipient, ${placeOfMail(now)} as nth ${WITH_RESULT(code)}
      and c.email is not null and c.revoked_at is null
    ) one where nth <= ${MAILS_TO_ADDRESS} order by about`,
  )
  if (rows.length === 0) return 0
  await takeMails(client, organizer, rows.length, limits)
  await enqueueManyMails(client, { kind: RESULT_MAIL, now, first: now, paceMs: PACE_MS }, rows)
  return rows.length
}

interface Sending {
  society: string
  session: string | null
  username: string
  name: string | null
  contact: string | null
}

/** Makes the email about a released result. It has no score, and a withdrawn release sends none. */
export function createResultMail({
  db,
  publicUrl,
}: Pick<AppDependencies, 'db' | 'publicUrl'>): Record<typeof RESULT_MAIL, MailKind> {
  return {
    [RESULT_MAIL]: {
      async write({ about, recipient }) {
        const { rows } = await db.$client.query<Sending>(
          sql`select t.society, t.session, c.username, c.name,
              coalesce(s.contact, t.rules ->> 'contact') as contact
            from candidates c join assessments t on t.code = c.assessment and t.deleted_at is null
            join societies s on s.id = t.society_id
            join result_releases r on r.assessment = t.code and r.withdrawn_at is null
            where c.id = ${about} and lower(c.email) = ${recipient} and c.revoked_at is null`,
        )
        const [mail] = rows
        if (!mail) return null
        const what = mail.session ? `${mail.society}, ${mail.session}` : mail.society
        const link = `${publicUrl}/recruitment`
        return writeLetter(`Your ${what} test result`.replace(/\s+/g, ' '), link, [
          mail.name ? `Hello ${mail.name},` : 'Hello,',
          `${mail.society} has released the results of its test. You can see yours in any browser.`,
          'Open this page, continue as a guest or sign in, choose the society, and enter your username and test password. Your username:',
          { code: mail.username },
          { button: 'See your result', link },
          mail.contact
            ? `Questions: ${mail.contact}`
            : 'Questions: ask the society that invited you.',
        ])
      },
    },
  }
}
