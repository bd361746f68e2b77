import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, read, staleError } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'

/** What the organisers of a test have written into its mails. */
export function readLetter(
  organiser: MemberInTest,
): Promise<Omit<ResponseOf<typeof contract.getLetter>, 'publicUrl'>> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<ResponseOf<typeof contract.getLetter>>(
      `select coalesce(x.paragraph, '') as paragraph, coalesce(x.version, 0) as version,
         coalesce(s.contact, a.rules ->> 'contact') as contact
       from assessments a join societies s on s.id = a.society_id
       left join credential_texts x on x.assessment = a.code
       where a.code = $1 and a.society_id = $2`,
      [organiser.code, organiser.societyId],
    )
    if (!rows[0]) throw refuse(404, 'not_found', 'This assessment no longer exists.')
    return rows[0]
  })
}

/**
 * Writes the paragraph; mails that have not left yet have it too (product 7.10.8).
 * Errors: 409 stale when another organiser has written since `version` was read.
 */
export function changeLetter(
  organiser: MemberInTest,
  { paragraph, version }: BodyOf<typeof contract.changeLetter>,
): Promise<ResponseOf<typeof contract.changeLetter>> {
  const { code, actor, now } = organiser
  return act(organiser, 'change-letter', code, async (client) => {
    await requireAssessment(client, organiser, 'change')
    const text = paragraph.normalize('NFC').trim()
    const { rows } = await client.query<{ version: number; by: string; at: Date }>(
      `select version, changed_by as by, changed_at as at from credential_texts
       where assessment = $1`,
      [code],
    )
    const last = rows[0] ?? { version: 0, by: null, at: null }
    if (last.version !== version) throw staleError(last, now)
    await client.query(
      `insert into credential_texts (assessment, paragraph, version, changed_by, changed_at)
       values ($1, $2, 1, $3, $4)
       on conflict (assessment) do update set paragraph = $2, changed_by = $3, changed_at = $4,
         version = credential_texts.version + 1`,
      [code, text, actor, now],
    )
    return { result: { version: version + 1 }, detail: { paragraph: text } }
  })
}
