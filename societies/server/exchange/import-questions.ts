import { normaliseStem } from '../../questions/written-question.ts'
import type { Client } from '../action.ts'

/** What an assessment asks already, and the position of its last question. */
export async function readStems(client: Client, code: string) {
  const { rows } = await client.query<{ position: number; question: string }>(
    'select position, question from assessment_items where assessment = $1 order by position',
    [code],
  )
  return {
    stems: new Set(rows.map(({ question }) => normaliseStem(question))),
    last: rows.at(-1)?.position ?? 0,
  }
}
