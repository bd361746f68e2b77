import sql from 'sql-template-tag'
import type { OptionLetter } from '../../../platform/options.ts'
import type { Client } from '../../kit/server/action.ts'

/** A key replaced by a ruling, as seen from a test with the same question (product 7.9.49). */
interface Correction {
  code: string
  questionId: string
  position: number
  from: OptionLetter
  to: OptionLetter
  at: Date
  /** made in another test, and this test still has the old key */
  isOpen: boolean
}

/** SQL for the text of an option in a row of assessment_items. */
const optionOf = (item: string, letter: string) =>
  `to_jsonb(${item}) ->> ('answer_' || lower(${letter}))`

/**
 * Reads replaced keys of the questions in some tests. A ruling applies to its question in all tests of the society
 * that have it with the same options. Tests with their own ruling or a confirmed key have no open one.
 */
export async function readCorrections(
  client: Client,
  codes: readonly string[],
): Promise<Correction[]> {
  const { rows } = await client.query<Correction>(
    `select distinct on (own.id) own.assessment as code, own.question_id as "questionId", own.position,
       ruled.correct_option as from, r.accepted_option as to, r.created_at as at,
       r.accepted_option <> all (k.keys) as "isOpen"
     from assessment_items own join item_keys k on k.item_id = own.id
     join assessments mine on mine.code = own.assessment
     join assessment_items ruled on ruled.question_id = own.question_id
     join assessments theirs on theirs.code = ruled.assessment and theirs.society_id = mine.society_id
       and theirs.deleted_at is null
     join standing_rulings r on r.item_id = ruled.id and r.kind = 'replace'
     where own.assessment = any ($1::text[])
       -- A changed question, such as its opposite, is another one.
       and own.question = ruled.question
       and ${optionOf('own', 'r.accepted_option')} = ${optionOf('ruled', 'r.accepted_option')}
       and ${optionOf('own', 'ruled.correct_option')} = ${optionOf('ruled', 'ruled.correct_option')}
       and (r.accepted_option = any (k.keys) or own.correct_option = ruled.correct_option
         and not exists (select from standing_rulings o where o.item_id = own.id)
         and not exists (select from key_confirmations c
           where c.item_id = own.id and c.withdrawn_at is null))
     order by own.id, r.created_at desc`,
    [codes],
  )
  return rows
}

/**
 * Applies rulings from other tests to a test's copied questions, each as a new version.
 * @param only ids of new copies; all by default
 * @returns the number of changed questions
 */
export async function takeCorrectionsOver(
  client: Client,
  code: string,
  only?: readonly string[],
): Promise<number> {
  const open = (await readCorrections(client, [code])).filter(
    ({ isOpen, questionId }) => isOpen && (only?.includes(questionId) ?? true),
  )
  if (open.length === 0) return 0
  await client.query(
    sql`update assessment_items i set correct_option = new.key, version = version + 1
     from unnest(${open.map(({ questionId }) => questionId)}::uuid[],
     ${open.map(({ to }) => to)}::text[]) as new (question_id, key)
     where i.assessment = ${code} and i.question_id = new.question_id`,
  )
  return open.length
}
