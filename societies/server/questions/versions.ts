import type { QuestionContent } from '../../questions/question-content.ts'
import type { Client, Organiser } from '../action.ts'
import { COLUMNS, contentOf, type Place, type StoredQuestion } from './stored.ts'

export interface QuestionVersion {
  version: number
  content: QuestionContent
  /** null for what was loaded, imported or copied */
  changedByName: string | null
  /** their account, as long as there is one */
  changedBy: string | null
  changedAt: Date | null
}

/**
 * Keeps a question as it stands, in the transaction that changes it. What was loaded, imported or copied has no
 * version yet, and gets it when it is changed for the first time.
 * @param by null for what nobody wrote here
 */
export async function keepVersion(
  client: Client,
  code: string,
  {
    questionId,
    version,
    content,
  }: { questionId: string; version: number; content: QuestionContent },
  by: Omit<Organiser, 'db'> | null,
): Promise<void> {
  await client.query(
    `insert into item_versions (assessment, question_id, version, content, changed_by_name,
       changed_by, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [
      code,
      questionId,
      version,
      JSON.stringify(content),
      by?.actor ?? null,
      by?.userId ?? null,
      by?.now ?? null,
    ],
  )
}

/** All versions of a question that are kept, the newest first; the one that stands, where none was kept. */
export async function listVersions(
  client: Client,
  { societyId, code }: Place,
  questionId: string,
): Promise<QuestionVersion[]> {
  const { rows } = await client.query<QuestionVersion>(
    `select v.version, v.content, v.changed_by_name as "changedByName",
       v.changed_by as "changedBy", v.changed_at as "changedAt"
     from item_versions v join assessments a on a.code = v.assessment
     where v.assessment = $1 and a.society_id = $2 and v.question_id = $3
     order by v.version desc limit 500`,
    [code, societyId, questionId],
  )
  if (rows.length > 0) return rows
  const standing = await client.query<StoredQuestion>(
    `select ${COLUMNS} from assessment_items i join assessments a on a.code = i.assessment
     where a.code = $1 and a.society_id = $2 and i.question_id = $3`,
    [code, societyId, questionId],
  )
  return standing.rows.map((row) => ({
    ...{ version: row.version, content: contentOf(row) },
    ...{ changedByName: null, changedBy: null, changedAt: null },
  }))
}
