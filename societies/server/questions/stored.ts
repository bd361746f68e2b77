import type { Exhibit } from '../../../platform/exhibit.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { QuestionContent } from '../../questions/question-content.ts'
import type { Form } from '../../questions/two-forms.ts'
import type { Client } from '../action.ts'
import { countAttempts } from '../assessments.ts'
import { removeDemoAttempts } from '../authoring/load-assessment.ts'

/** The assessment that a member writes in, with the society that the guard has found the member in. */
export interface Place {
  societyId: string
  code: string
}

/** A question as it is stored; the columns that COLUMNS names. */
export interface StoredQuestion {
  questionId: string
  version: number
  position: number
  question: string
  options: [string, string, string, string]
  answer: OptionLetter
  topic: string | null
  explanation: string | null
  compute: string | null
  exhibit: Exhibit | null
  /** null: both forms ask it */
  form: Form | null
}

/** Of a row i of assessment_items. */
export const COLUMNS = `i.question_id as "questionId", i.version, i.position, i.question,
  array[i.answer_a, i.answer_b, i.answer_c, i.answer_d] as options, i.correct_option as answer,
  i.topic, i.explanation, i.compute, i.exhibit, i.form`

export function contentOf(row: StoredQuestion): QuestionContent {
  const [A, B, C, D] = row.options
  const { question, answer, explanation, topic, compute, exhibit } = row
  return { question, options: { A, B, C, D }, answer, explanation, topic, compute, exhibit }
}

/** The questions of an assessment, in their order. */
export async function readStored(
  client: Client,
  { societyId, code }: Place,
): Promise<StoredQuestion[]> {
  const { rows } = await client.query<StoredQuestion>(
    `select ${COLUMNS} from assessment_items i join assessments a on a.code = i.assessment
     where a.code = $1 and a.society_id = $2 order by i.position`,
    [code, societyId],
  )
  return rows
}

/**
 * Holds an assessment whose questions may still be changed, until the transaction ends, and takes demo attempts
 * out of the way, as a load does (product 7.9.1). Who starts meanwhile waits.
 * Errors: 404 not_found; 409 has_attempts.
 */
export async function lockForWriting(client: Client, { societyId, code }: Place) {
  const { rows } = await client.query<{ isSample: boolean; isDraft: boolean }>(
    `select is_sample as "isSample", is_draft as "isDraft"
     from assessments where code = $1 and society_id = $2 and deleted_at is null for update`,
    [code, societyId],
  )
  const [assessment] = rows
  if (!assessment) throw new ApiError(404, 'not_found', 'There is no such assessment any more.')
  if ((await countAttempts(client, code)) > 0) {
    throw new ApiError(
      409,
      'has_attempts',
      'A candidate has started, so the questions stay as they are. A wrong key is ruled on under Analysis.',
    )
  }
  await removeDemoAttempts(client, code)
  // What was loaded from a file is not what the file says any more.
  await client.query('update assessments set content_hash = null where code = $1', [code])
  return assessment
}
