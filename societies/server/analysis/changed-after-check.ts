import {
  changedFields,
  type QuestionContent,
  type QuestionField,
} from '../../questions/question-content.ts'
import type { Client } from '../action.ts'

/** That a question was another one when its key was checked blind. */
export interface ChangedAfterCheck {
  fields: QuestionField[]
  /** when it was changed last, and by whom; null where that is not known */
  at: Date | null
  by: string | null
  /** how many had confirmed the key of the version before */
  checkedBy: number
}

/**
 * By item: what was changed after the newest finished blind check of it, which its key has not been checked
 * against since (product 7.18.6). What was never checked is left out.
 */
export async function readChangedAfterCheck(
  client: Client,
  code: string,
): Promise<Map<number, ChangedAfterCheck>> {
  const { rows } = await client.query<{
    itemId: number
    before: QuestionContent
    after: QuestionContent
    at: Date | null
    by: string | null
    checkedBy: number
  }>(
    `select i.id as "itemId", was.content as before, now.content as after, now.changed_at as at,
       now.changed_by_name as by, checked.people as "checkedBy"
     from assessment_items i
     cross join lateral (
       select a.item_version as version, count(*)::int as people
       from key_check_answers a join key_check_sittings s on s.id = a.sitting_id
       where a.item_id = i.id and s.finished_at is not null and a.choice is not null
       group by a.item_version order by a.item_version desc limit 1
     ) checked
     join item_versions was on was.assessment = i.assessment and was.question_id = i.question_id
       and was.version = checked.version
     join item_versions now on now.assessment = i.assessment and now.question_id = i.question_id
       and now.version = i.version
     where i.assessment = $1 and checked.version < i.version`,
    [code],
  )
  return new Map(
    rows.flatMap(({ itemId, before, after, ...rest }) => {
      const fields = changedFields(before, after)
      return fields.length === 0 ? [] : [[itemId, { fields, ...rest }]]
    }),
  )
}
