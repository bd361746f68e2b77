import { act, type Organiser, read } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { staleError } from '../stale.ts'

export interface LetterText {
  paragraph: string
  /** 0: nobody has written one yet */
  version: number
  contact: string | null
}

/** What organisers have written into the mails of an assessment. Errors: OrganiserRefusal. */
export function readLetterText(
  organiser: Pick<Organiser, 'db'>,
  societyId: string,
  code: string,
): Promise<LetterText> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<LetterText>(
      `select coalesce(x.paragraph, '') as paragraph, coalesce(x.version, 0) as version,
         coalesce(s.contact, a.rules ->> 'contact') as contact
       from assessments a join societies s on s.id = a.society_id
       left join credential_texts x on x.assessment = a.code
       where a.code = $1 and a.society_id = $2`,
      [code, societyId],
    )
    if (!rows[0]) throw new OrganiserRefusal('no_such_assessment', { assessment: code, known: [] })
    return rows[0]
  })
}

/**
 * Writes the paragraph; mails that have not left yet have it too (product 7.10.8).
 * Errors: OrganiserRefusal; ApiError 409 stale when somebody has written another since `version` was read.
 */
export function changeLetterText(
  organiser: Organiser,
  code: string,
  { paragraph, version }: { paragraph: string; version: number },
): Promise<number> {
  return act(organiser, 'change-letter', code, async (client) => {
    await requireAssessment(client, code, 'change')
    const text = paragraph.normalize('NFC').trim()
    const { rows } = await client.query<{ version: number; by: string; at: Date }>(
      `select version, changed_by as by, changed_at as at from credential_texts
       where assessment = $1`,
      [code],
    )
    const [last] = rows
    if ((last?.version ?? 0) !== version) {
      throw staleError(last ?? { by: null, at: null }, organiser.now)
    }
    await client.query(
      `insert into credential_texts (assessment, paragraph, version, changed_by, changed_at)
       values ($1, $2, 1, $3, $4)
       on conflict (assessment) do update set paragraph = $2, changed_by = $3, changed_at = $4,
         version = credential_texts.version + 1`,
      [code, text, organiser.actor, organiser.now],
    )
    return { result: version + 1, detail: { paragraph: text } }
  })
}
