import { createHash } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import {
  type AssessmentRow,
  type Place,
  requireAssessment,
} from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { MOST_ANSWERS } from '../../kit/candidate-limits.ts'
import { act, type Client, type Done, type Organizer, staleError } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { contentOf, type QuestionContent } from '../question-content.ts'
import { countForms, describeUneven, type Form, isUneven } from '../two-forms.ts'
import { MAX_ITEMS } from './authoring/assessment-file.ts'
import { removeDemoAttempts, requireNoAttempts } from './authoring/load-assessment.ts'

export interface StoredQuestion extends QuestionContent {
  questionId: string
  version: number
  position: number
  /** null: both forms have it */
  form: Form | null
}

/** For a row i of assessment_items. */
export const COLUMNS = `i.question_id as "questionId", i.version, i.position, i.form, i.question,
  json_build_object('A', i.answer_a, 'B', i.answer_b, 'C', i.answer_c, 'D', i.answer_d) as options,
  i.correct_option as answer, i.explanation, i.topic, i.compute, i.exhibit`

export async function readStored(client: Client, code: string): Promise<StoredQuestion[]> {
  const { rows } = await client.query<StoredQuestion>(
    sql`select ${raw(COLUMNS)} from assessment_items i where i.assessment = ${code} order by i.position`,
  )
  return rows
}

export const fingerprintOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 16)

/** Changes with the order, the content and the assignment to forms. */
export const listVersionOf = (
  questions: readonly { questionId: string; form: Form | null }[],
): string => fingerprintOf(questions.map(({ questionId, form }) => `${questionId} ${form ?? ''}`))

/** Requires an assessment that no candidate has started. Errors: those of requireAssessment; 409 has_attempts. */
export async function requireUnstarted(
  client: Client,
  place: Place,
  lock: 'none' | 'replace' = 'none',
): Promise<AssessmentRow> {
  const assessment = await requireAssessment(client, place, lock)
  await requireNoAttempts(client, place.code)
  return assessment
}

/**
 * Changes the questions of a test that no candidate has started. It locks the test, so members' changes run one after
 * the other and starting candidates wait. It deletes demo attempts, like loading does (product 7.9.1). A candidate
 * may start a published test right afterward, so its forms keep equal numbers of questions. Errors: those of
 * requireUnstarted and of the work; 409 uneven_forms.
 */
export function changeQuestions<T>(
  organizer: MemberInTest,
  action: string,
  work: (client: Client, test: AssessmentRow & { demoAttemptsRemoved: number }) => Promise<Done<T>>,
): Promise<T> {
  const { code } = organizer
  return act(organizer, action, code, async (client) => {
    const test = await requireUnstarted(client, organizer, 'replace')
    const demoAttemptsRemoved = await removeDemoAttempts(client, code)
    // A loaded test no longer matches its file.
    await client.query('update assessments set content_hash = null where code = $1', [code])
    const done = await work(client, { ...test, demoAttemptsRemoved })
    const counts = test.isDraft ? null : countForms(await readStored(client, code))
    if (!isUneven(counts)) return done
    throw refuse(
      409,
      'uneven_forms',
      `This test is published. ${describeUneven(counts)} Nothing was changed. Return the test to draft first, or change both forms in one step.`,
    )
  })
}

/** Checks the new number of questions against the limits. Errors: 409 too_many_questions, or another code. */
export async function requireRoom(
  client: Client,
  assessment: string,
  count: number,
  { code = 'too_many_questions', more = '' } = {},
): Promise<void> {
  const { rows } = await client.query<{ people: number }>(
    'select count(*)::int as people from candidates where assessment = $1 and not is_demo',
    [assessment],
  )
  const people = rows[0]?.people ?? 0
  const most = Math.min(MAX_ITEMS, Math.floor(MOST_ANSWERS / Math.max(1, people)))
  if (count <= most) return
  const limit = most < MAX_ITEMS ? `With ${people} candidates it` : 'It'
  const sentence = `The test would have ${count} questions. ${limit} can have at most ${most}.`
  throw refuse(409, code, `${sentence} ${more}`.trim())
}

/**
 * Numbers all questions of an assessment from 1 in this order.
 * @returns the list's version
 */
export async function putInOrder(
  client: Client,
  code: string,
  questions: readonly Pick<StoredQuestion, 'questionId' | 'form'>[],
): Promise<string> {
  // Positions must be unique even within a statement, so they are negative first.
  await client.query(
    sql`update assessment_items i set position = -place.position
     from unnest(${questions.map(({ questionId }) => questionId)}::uuid[]) with ordinality as place (question_id, position)
     where i.assessment = ${code} and i.question_id = place.question_id`,
  )
  await client.query('update assessment_items set position = -position where assessment = $1', [
    code,
  ])
  return listVersionOf(questions)
}

/**
 * Stores a question's current version in the transaction that changes it. Loaded, imported or copied questions get
 * their first stored version on their first change.
 * @param by null if no member wrote it here
 */
export const keepVersion = (
  client: Client,
  code: string,
  { questionId, version }: { questionId: string; version: number },
  content: QuestionContent,
  by: Omit<Organizer, 'db'> | null,
) =>
  client.query(
    sql`insert into item_versions (assessment, question_id, version, content, changed_by_name,
       changed_by, changed_at)
     values (${code}, ${questionId}, ${version}, ${JSON.stringify(content)}, ${by?.actor}, ${by?.userId},
     ${by?.now}) on conflict do nothing`,
  )

interface QuestionVersion {
  version: number
  content: QuestionContent
  /** null if it was loaded, imported or copied */
  changedByName: string | null
  /** by the calling member */
  changedByYou: boolean
  changedAt: Date | null
}

/** Lists all stored versions of a question, newest first; the current one if none is stored. */
export async function listVersions(
  client: Client,
  { code, userId }: Pick<MemberInTest, 'code' | 'userId'>,
  questionId: string,
): Promise<QuestionVersion[]> {
  const { rows } = await client.query<QuestionVersion>(
    sql`select version, content, changed_by_name as "changedByName",
       changed_by is not distinct from ${userId} as "changedByYou", changed_at as "changedAt"
     from item_versions where assessment = ${code} and question_id = ${questionId}
     order by version desc limit 500`,
  )
  if (rows.length > 0) return rows
  const nobody = { changedByName: null, changedByYou: false, changedAt: null }
  return (await readStored(client, code))
    .filter((one) => one.questionId === questionId)
    .map((one) => ({ version: one.version, content: contentOf(one), ...nobody }))
}

/** Requires that a question still has this version. Errors: ApiError 404 no_such_question, 409 stale. */
export async function requireVersion(
  client: Client,
  organizer: Pick<MemberInTest, 'code' | 'userId' | 'now'>,
  { questionId, version }: { questionId: string; version: number },
): Promise<StoredQuestion> {
  const stored = await readStored(client, organizer.code)
  const found = stored.find((one) => one.questionId === questionId)
  if (!found) throw noSuchQuestion()
  if (found.version === version) return found
  const [last] = await listVersions(client, organizer, questionId)
  throw staleError(
    { by: last?.changedByName ?? null, at: last?.changedAt ?? null, isYou: last?.changedByYou },
    organizer.now,
  )
}

export const noSuchQuestion = () =>
  refuse(404, 'no_such_question', 'This question was removed. Reload to see the current list.')
