import { randomUUID } from 'node:crypto'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { changedFields, type QuestionContent } from '../question-content.ts'
import { isFlawed } from '../question-marks.ts'
import type { Form } from '../two-forms.ts'
import { normaliseStem } from '../written-question.ts'
import { MAX_ITEMS } from './authoring/assessment-file.ts'
import { insertItems, readSampleStems } from './authoring/load-assessment.ts'
import { requireEven } from './forms.ts'
import { requireOwnPicture } from './pictures.ts'
import { readBank } from './read-questions.ts'
import {
  contentOf,
  keepVersion,
  listVersionOf,
  listVersions,
  lockForWriting,
  noSuchQuestion,
  putInOrder,
  readStored,
  requireVersion,
  type StoredQuestion,
} from './stored.ts'

// What the editor does (product 7.9). Each act holds the assessment, so that two organisers come one after the
// other and nobody starts between; each is noted. A changed question is a new row in the place of the old one: a
// start that has read the old one fails and reads again (require_paper), instead of asking what stands no more.

export interface Written {
  questionId: string
  version: number
}

/**
 * Adds a question behind another one, or at the end (product 7.9.7).
 * Errors: those of lockForWriting and requireFit; 409 too_many_questions.
 */
export function addQuestion(
  organiser: MemberInTest,
  { content, after }: { content: QuestionContent; after: string | null },
): Promise<Written> {
  return act(organiser, 'add-question', organiser.code, async (client) => {
    const assessment = await lockForWriting(client, organiser)
    await requireFit(client, organiser, content, assessment)
    const stored = await readStored(client, organiser.code)
    const found = stored.findIndex(({ questionId }) => questionId === after)
    const position = found < 0 ? stored.length + 1 : found + 2
    const written = { questionId: randomUUID(), version: 1 }
    const question = { ...written, ...content, form: null }
    await insertAt(client, organiser.code, question, { stored, position, ...assessment })
    await keepVersion(client, organiser.code, { ...written, content }, organiser)
    return { result: written, detail: { ...written, position } }
  })
}

/**
 * Saves a question as its next version.
 * Errors: those of requireVersion, lockForWriting and requireFit.
 */
export function saveQuestion(
  organiser: MemberInTest,
  { questionId, version, content }: Written & { content: QuestionContent },
): Promise<Written> {
  const { code } = organiser
  return act(organiser, 'save-question', code, async (client) => {
    const assessment = await lockForWriting(client, organiser)
    const before = await requireVersion(client, organiser, { questionId, version })
    await requireFit(client, organiser, content, assessment)
    // Above whatever was kept: a question may have been taken out, and taken in again as another test has it.
    const [kept] = await listVersions(client, organiser, questionId)
    const next = Math.max(version, kept?.version ?? 0) + 1
    await keepVersion(client, code, { questionId, version, content: contentOf(before) }, null)
    await removeRow(client, code, questionId)
    await insertItems(client, code, [{ ...before, ...content, version: next }], assessment.isSample)
    const written = { questionId, version: next }
    await keepVersion(client, code, { ...written, content }, organiser)
    return { result: written, detail: { ...written, fields: changedFields(before, content) } }
  })
}

/**
 * Takes a question out; its versions stay, so that it can be put back. @returns the list's version
 * Errors: those of requireVersion and lockForWriting; 409 uneven_forms.
 */
export function removeQuestion(organiser: MemberInTest, asked: Written): Promise<string> {
  const { code } = organiser
  return act(organiser, 'remove-question', code, async (client) => {
    const { isDraft } = await lockForWriting(client, organiser)
    const found = await requireVersion(client, organiser, asked)
    await keepVersion(client, code, { ...asked, content: contentOf(found) }, null)
    await removeRow(client, code, asked.questionId)
    const listVersion = await putInOrder(client, code, await readStored(client, code))
    await requireEven(client, organiser, isDraft)
    return { result: listVersion, detail: { ...asked } }
  })
}

/**
 * Puts a removed question back as it was when it went. @returns the list's version
 * Errors: 404 no_such_question for one that was never there, 409 question_is_there, too_many_questions and
 * uneven_forms; those of lockForWriting.
 */
export function restoreQuestion(
  organiser: MemberInTest,
  { questionId, position, form }: { questionId: string; position: number; form: Form | null },
): Promise<string> {
  return act(organiser, 'restore-question', organiser.code, async (client) => {
    const assessment = await lockForWriting(client, organiser)
    const stored = await readStored(client, organiser.code)
    if (stored.some((one) => one.questionId === questionId)) {
      throw refuse(409, 'question_is_there', 'This question is already in the test.')
    }
    const [last] = await listVersions(client, organiser, questionId)
    if (!last) throw noSuchQuestion()
    const { version, content } = last
    const listVersion = await insertAt(
      client,
      organiser.code,
      { questionId, version, ...content, form },
      { stored, position: Math.min(position, stored.length + 1), ...assessment },
    )
    await requireEven(client, organiser, assessment.isDraft)
    return { result: listVersion, detail: { questionId, version } }
  })
}

/**
 * Puts all questions into another order. @returns the list's version
 * Errors: ApiError: 409 stale where the list is not the one that was read, 400 other_questions where the order
 * names others than those; those of lockForWriting.
 */
export function orderQuestions(
  organiser: MemberInTest,
  { order, listVersion }: { order: readonly string[]; listVersion: string },
): Promise<string> {
  return act(organiser, 'order-questions', organiser.code, async (client) => {
    await lockForWriting(client, organiser)
    const stored = await readStored(client, organiser.code)
    if (listVersionOf(stored) !== listVersion) {
      throw refuse(
        409,
        'stale',
        'Someone else changed the list. It shows the current order. Move the question again.',
      )
    }
    const byId = new Map(stored.map((one) => [one.questionId, one]))
    const ordered = [...new Set(order)].flatMap((id) => byId.get(id) ?? [])
    if (ordered.length !== stored.length || order.length !== stored.length) {
      throw refuse(400, 'other_questions', 'The order has to name each question once.')
    }
    const moved = order.filter((id, index) => stored[index]?.questionId !== id).length
    return { result: await putInOrder(client, organiser.code, ordered), detail: { moved } }
  })
}

/**
 * Adds copies of the society's questions behind those that are there, in the order in which they are named
 * (product 7.9.14). A copy is the same question: it keeps its version, and how it does is found under both.
 * @returns how many were added; what is there already, or not the member's to see, is left out
 * Errors: those of lockForWriting; 409 too_many_questions.
 */
export function takeFromBank(
  organiser: MemberInTest,
  questionIds: readonly string[],
): Promise<number> {
  const { code } = organiser
  return act(organiser, 'take-questions', code, async (client) => {
    const { isSample } = await lockForWriting(client, organiser)
    const found = await readBank(client, organiser, questionIds)
    const byId = new Map(found.map((one) => [one.questionId, one]))
    const taken = [...new Set(questionIds)].flatMap((id) => byId.get(id) ?? [])
    const { length } = await readStored(client, code)
    requireRoom(length + taken.length)
    const items = taken.map((one, index) => ({
      ...one,
      position: length + index + 1,
      // Which form asks it is a matter of the other test.
      form: null,
    }))
    await insertItems(client, code, items, isSample)
    const from = [...new Set(taken.map((one) => one.code))]
    return { result: taken.length, detail: { added: taken.length, from } }
  })
}

/** Puts a question into its place, from 1. @returns the list's version. Errors: 409 too_many_questions. */
async function insertAt(
  client: Client,
  code: string,
  question: Omit<StoredQuestion, 'position'>,
  into: { stored: readonly StoredQuestion[]; position: number; isSample: boolean },
): Promise<string> {
  requireRoom(into.stored.length + 1)
  await insertItems(client, code, [{ ...question, position: 0 }], into.isSample)
  return putInOrder(
    client,
    code,
    into.stored.toSpliced(into.position - 1, 0, { ...question, position: 0 }),
  )
}

/** Errors: 409 too_many_questions. */
function requireRoom(count: number): void {
  if (count <= MAX_ITEMS) return
  throw refuse(
    409,
    'too_many_questions',
    `The test would have ${count} questions. It can have at most ${MAX_ITEMS}.`,
  )
}

async function removeRow(client: Client, code: string, questionId: string): Promise<void> {
  await client.query('delete from assessment_items where assessment = $1 and question_id = $2', [
    code,
    questionId,
  ])
}

/**
 * Errors: 409 has_errors for a test that is published already, 409 is_sample_question (product 7.2.5), 400
 * no_such_picture.
 */
async function requireFit(
  client: Client,
  { societyId }: MemberInTest,
  content: QuestionContent,
  { isDraft, isSample }: { isDraft: boolean; isSample: boolean },
): Promise<void> {
  if (!isDraft && isFlawed(content)) {
    throw refuse(
      409,
      'has_errors',
      'This test is published, so each question needs a text and four different options.',
    )
  }
  if (!isSample && (await readSampleStems()).has(normaliseStem(content.question))) {
    throw refuse(
      409,
      'is_sample_question',
      'This is one of Superday’s samples, whose keys everyone can read. Write a question of your own.',
    )
  }
  if (content.exhibit?.kind === 'picture') {
    await requireOwnPicture(client, societyId, content.exhibit.picture)
  }
}
