import sql from 'sql-template-tag'
import { replacePasswords } from '../../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import { rehearsalLink } from '../../../assessments/server/rehearsal-store.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { showControls } from '../../../platform/server/control-characters.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { writeLetter } from '../../../platform/server/letter.ts'
import type { MailKind } from '../../../platform/server/mail-queue.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client, read, staleError } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import {
  credentialLetter,
  type LetterFacts,
  type LetterReader,
  toldOf,
} from '../credential-letter.ts'
import { CREDENTIALS_MAIL, type StopReason } from './credentials.ts'

type Sending = Omit<LetterFacts, 'publicUrl'> &
  Omit<LetterReader, 'rehearsalLink'> & {
    state: string
    candidateId: string
    isRevoked: boolean
    isSendable: boolean
    isUnderWay: boolean
  }

/**
 * The mail with a candidate's credentials. Its password becomes valid when the mail server accepts the mail:
 *   write: store the hash with the mail → hand over → sent: move the hash to the candidate, voiding the old one
 *                                                   → failed: drop the hash, then retry or give up
 * A mail found with a hash was in progress when its node died. It isn't resent automatically. Its password is valid,
 * and organizers see the state 'unsure'.
 */
export function createCredentialMail({
  db,
  now,
  publicUrl,
  secretKey,
}: Pick<AppDependencies, 'db' | 'now' | 'publicUrl' | 'secretKey'>): Record<
  typeof CREDENTIALS_MAIL,
  MailKind
> {
  const settle = (client: Client, id: string, state: string, error: string | null) =>
    client.query(
      `update credential_mails set state = $2, error = $3, changed_at = $4, password_hash = null,
         sent_at = case when $2 in ('sent', 'unsure') then $4 else sent_at end
       where id = $1`,
      [id, state, error, now()],
    )

  /** Makes the hash stored with the mail the candidate's current one. */
  const adopt = (id: string, state: 'sent' | 'unsure') =>
    inTransaction(db, async (client) => {
      // The lock order is always the candidate before the mail.
      await client.query(
        sql`select from candidates c where c.id = (select m.candidate_id from credential_mails m where m.id = ${id})
         for no key update`,
      )
      const { rows } = await client.query<{ candidateId: string; hash: Buffer }>(
        sql`select candidate_id as "candidateId", password_hash as hash from credential_mails
         where id = ${id} and password_hash is not null for update`,
      )
      if (rows.length > 0) await replacePasswords(client, rows, now(), { readmit: false })
      await settle(client, id, state, null)
    })

  return {
    [CREDENTIALS_MAIL]: {
      async write({ about }) {
        const { rows } = await db.$client.query<Sending>(SENDING, [about, now()])
        const mail = rows[0]
        if (!about || mail?.state !== 'queued') return null
        if (mail.isUnderWay) {
          await adopt(about, 'unsure')
          return null
        }
        if (mail.isRevoked || !mail.isSendable) {
          const reason: StopReason = mail.isRevoked ? 'shut_out' : 'not_open'
          await settle(db.$client, about, 'stopped', reason)
          return null
        }
        const password = makePassword()
        const { rowCount } = await db.$client.query(
          sql`update credential_mails set password_hash = ${hashCandidatePassword(secretKey, password)},
            told = ${toldOf(mail)}
           where id = ${about} and state = 'queued' and password_hash is null`,
        )
        // The mail was stopped a moment ago.
        if (rowCount === 0) return null
        const { subject, link, parts } = credentialLetter(
          { ...mail, publicUrl },
          { ...mail, rehearsalLink: rehearsalLink({ secretKey, publicUrl }, mail.candidateId) },
          password,
        )
        const letter = writeLetter(subject, link, parts)
        const isAddress = mail.contact !== null && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(mail.contact)
        return isAddress && mail.contact ? { ...letter, replyTo: mail.contact } : letter
      },
      async sent({ about }) {
        if (about) await adopt(about, 'sent')
      },
      async failed({ about }, { reason, isFinal }) {
        if (!about) return
        await settle(db.$client, about, isFinal ? 'failed' : 'queued', showControls(reason))
      },
    },
  }
}

const SENDING = `
  select m.state, m.candidate_id as "candidateId", m.password_hash is not null as "isUnderWay",
    c.username, c.name, c.room, c.extra_seconds as "extraSeconds", c.revoked_at is not null as "isRevoked",
    a.society, a.session, coalesce(c.starts_from, a.opens_at) as "opensAt",
    coalesce(c.starts_until, a.closes_at) as "closesAt", c.starts_from is not null as "hasOwnStart",
    a.time_zone as "timeZone", a.duration_seconds as "durationSeconds",
    coalesce(s.contact, a.rules ->> 'contact') as contact, coalesce(x.paragraph, '') as paragraph,
    not a.is_draft and a.deleted_at is null and coalesce(coalesce(c.starts_until, a.closes_at) > $2, true)
      as "isSendable"
  from credential_mails m join candidates c on c.id = m.candidate_id
  join assessments a on a.code = c.assessment join societies s on s.id = a.society_id
  left join credential_texts x on x.assessment = a.code
  where m.id = $1`

type Letter = Omit<ResponseOf<typeof contract.getLetter>, 'publicUrl'>

export function readLetter(organizer: MemberInTest): Promise<Letter> {
  return read(organizer, async (client) => {
    const { rows } = await client.query<Letter>(
      sql`select coalesce(x.paragraph, '') as paragraph, coalesce(x.version, 0) as version,
         coalesce(s.contact, a.rules ->> 'contact') as contact
       from assessments a join societies s on s.id = a.society_id
       left join credential_texts x on x.assessment = a.code
       where a.code = ${organizer.code} and a.society_id = ${organizer.societyId}`,
    )
    if (!rows[0]) throw refuse(404, 'not_found', 'This assessment no longer exists.')
    return rows[0]
  })
}

/** Saves the mails' paragraph (product 7.10.8). Errors: 409 stale if it was saved since `version`. */
export function changeLetter(
  organizer: MemberInTest,
  { paragraph, version }: BodyOf<typeof contract.changeLetter>,
): Promise<ResponseOf<typeof contract.changeLetter>> {
  const { code, actor, now } = organizer
  return act(organizer, 'change-letter', code, async (client) => {
    await requireAssessment(client, organizer, 'change')
    const text = paragraph.normalize('NFC').trim()
    const { rows } = await client.query<{
      version: number
      by: string
      at: Date
      paragraph: string
    }>(
      sql`select version, paragraph, changed_by as by, changed_at as at from credential_texts
       where assessment = ${code}`,
    )
    const last = rows[0] ?? { version: 0, by: null, at: null, paragraph: '' }
    if (last.version !== version) throw staleError(last, now)
    if (last.paragraph === text) return { result: { version }, detail: null }
    await client.query(
      sql`insert into credential_texts (assessment, paragraph, version, changed_by, changed_at)
       values (${code}, ${text}, 1, ${actor}, ${now})
       on conflict (assessment) do update set paragraph = ${text}, changed_by = ${actor}, changed_at = ${now},
         version = credential_texts.version + 1`,
    )
    return { result: { version: version + 1 }, detail: { paragraph: text } }
  })
}
