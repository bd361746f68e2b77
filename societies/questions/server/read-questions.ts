import sql, { raw } from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { mayIn } from '../../access/server/guard.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import type { Client } from '../../kit/server/action.ts'
import type { listBank } from '../contract.ts'
import { COLUMNS, type StoredQuestion } from './stored.ts'

type Asker = Pick<MemberInTest, 'societyId' | 'code' | 'userId' | 'now' | 'sits'>

/** A question's statistics in another test of the society (product 7.9.3). */
type LastTime = NonNullable<ResponseOf<typeof listBank>[number]['lastTime']>

/**
 * Checks whether a member can see all questions of an assessment a: a role covers it, and the member isn't a
 * candidate of it (product 7.7.6).
 */
const isReadable = (asker: Asker) => mayIn(asker, 'write_questions')

/** SQL for the name of a test a. */
const NAME = sql`coalesce(nullif(concat_ws(', ', a.season, a.session), ''), a.society)`

type Questions = readonly { questionId: string }[]
const idsOf = (questions: Questions) => questions.map(({ questionId }) => questionId)

/** Finds, for each question, the newest finished other test with it that the member can see. */
export async function readLastTimes(client: Client, asker: Asker, questions: Questions) {
  const { societyId, code } = asker
  // Rulings count, and voided questions are left out.
  const { rows } = await client.query<LastTime & { questionId: string }>(
    sql`with asked as (
       select i.id, i.question_id, k.keys, a.code, ${NAME} as name
       from assessment_items i join assessments a on a.code = i.assessment
       join item_keys k on k.item_id = i.id
       where a.society_id = ${societyId} and a.code <> ${code}
         and i.question_id = any (${idsOf(questions)}::uuid[]) and ${isReadable(asker)} and not k.is_void
     ), closed as (
       select t.id, t.assessment, t.started_at, t.paper from attempts t
       where t.assessment in (select code from asked) and not t.is_demo and t.submitted_at is not null
     ), taken as (
       -- Of two forms, each asks its own.
       select asked.id, count(*)::int as of, max(closed.started_at) as at
       from asked join closed on closed.assessment = asked.code and asked.id = any (closed.paper)
       group by asked.id
     ), answered as (
       select asked.id, count(*)::int as count from closed
       join attempt_answers x on x.attempt_id = closed.id join asked on asked.id = x.item_id
       where x.choice = any (asked.keys)
       group by asked.id
     )
     select distinct on (asked.question_id) asked.question_id as "questionId", asked.code, asked.name,
       coalesce(answered.count, 0) as right, taken.of
     from asked join taken on taken.id = asked.id left join answered on answered.id = asked.id
     order by asked.question_id, taken.at desc, asked.code`,
  )
  return new Map<string, LastTime>(rows.map(({ questionId, ...last }) => [questionId, last]))
}

/** Finds, for each question, the names of other tests with it that the member can see. */
export async function readSharedWith(client: Client, asker: Asker, questions: Questions) {
  const { societyId, code } = asker
  const { rows } = await client.query<{ questionId: string; names: string[] }>(
    sql`select i.question_id as "questionId", array_agg(${NAME} order by a.created_at desc, a.code) as names
     from assessment_items i join assessments a on a.code = i.assessment
     where a.society_id = ${societyId} and a.code <> ${code}
       and i.question_id = any (${idsOf(questions)}::uuid[]) and ${isReadable(asker)}
     group by i.question_id`,
  )
  return new Map(rows.map(({ questionId, names }) => [questionId, names]))
}

/** The bank lists this many of the newest questions. */
const BANK_LISTED = 2_000

/**
 * Reads the questions that the society's other tests have and this one doesn't, each in its latest version (product
 * 7.9.14). Samples have public keys, so only samples get them.
 * @returns each with its source test
 */
export async function readBank(
  client: Client,
  asker: Asker,
  only: readonly string[] | null = null,
) {
  const { societyId, code } = asker
  const { rows } = await client.query<StoredQuestion & { code: string; name: string }>(
    sql`select * from (
       select distinct on (i.question_id) ${raw(COLUMNS)}, a.code, ${NAME} as name, a.created_at as at
       from assessment_items i join assessments a on a.code = i.assessment
       join assessments mine on mine.code = ${code} and mine.society_id = ${societyId}
       where a.society_id = ${societyId} and a.code <> ${code} and ${isReadable(asker)}
         and (mine.is_sample or not i.is_sample)
         and (${only}::uuid[] is null or i.question_id = any (${only}::uuid[]))
         and not exists (select from assessment_items own
           where own.assessment = ${code} and own.question_id = i.question_id)
       order by i.question_id, i.version desc, a.created_at desc, a.code
     ) latest order by at desc, code, position limit ${BANK_LISTED}`,
  )
  return rows
}
