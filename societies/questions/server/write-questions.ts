import { randomUUID } from 'node:crypto'
import { getPictureOf } from '../../../assessments/server/picture-store.ts'
import { Answer, type Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { AssessmentRow } from '../../access/server/assessments.ts'
import { serveMembers } from '../../access/server/serve-members.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import * as contract from '../contract.ts'
import { changedFields, contentOf, type QuestionContent } from '../question-content.ts'
import { isFlawed } from '../question-marks.ts'
import { normaliseStem } from '../written-question.ts'
import { insertItems, readSampleStems } from './authoring/load-assessment.ts'
import { takeCorrectionsOver } from './corrections.ts'
import { readBank } from './read-questions.ts'
import {
  changeQuestions,
  keepVersion,
  listVersionOf,
  listVersions,
  noSuchQuestion,
  putInOrder,
  readStored,
  requireRoom,
  requireVersion,
  type StoredQuestion,
} from './stored.ts'

/**
 * Serves the editor (product 7.9); each call has the errors of changeQuestions. A changed question replaces the old
 * row with a new one. A start that has read the old row fails and reads again (require_paper), so it never uses an
 * outdated question.
 */
export function serveWriting(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.addQuestion, async ({ organizer, body: { content, after } }) => {
    const added = await changeQuestions(organizer, 'add-question', async (client, test) => {
      await requireFit(client, test, content)
      const stored = await readStored(client, test.code)
      const found = stored.findIndex(({ questionId }) => questionId === after)
      const position = found < 0 ? stored.length + 1 : found + 2
      const written = { questionId: randomUUID(), version: 1 }
      await insertAt(client, test, { ...written, ...content, form: null, position }, stored)
      await keepVersion(client, test.code, written, content, organizer)
      return { result: written, detail: { ...written, position } }
    })
    return new Answer(201, added)
  })

  serve(contract.saveQuestion, ({ organizer, params, body: { version, content } }) =>
    changeQuestions(organizer, 'save-question', async (client, test) => {
      const { code } = test
      const read = { questionId: params.question, version }
      const before = await requireVersion(client, organizer, read)
      await requireFit(client, test, content)
      const fields = changedFields(before, content)
      if (fields.length === 0) return { result: read, detail: null }
      // The number is higher than any stored version, since a question may have been removed and then added again
      // from another test.
      const [kept] = await listVersions(client, organizer, read.questionId)
      const next = { ...read, version: Math.max(version, kept?.version ?? 0) + 1 }
      await keepVersion(client, code, read, contentOf(before), null)
      await removeRow(client, code, read.questionId)
      await insertItems(client, code, [{ ...before, ...content, ...next }], test.isSample)
      await keepVersion(client, code, next, content, organizer)
      return { result: next, detail: { ...next, fields } }
    }),
  )

  serve(contract.removeQuestion, ({ organizer, params, body: { version } }) =>
    changeQuestions(organizer, 'remove-question', async (client, { code }) => {
      const read = { questionId: params.question, version }
      const found = await requireVersion(client, organizer, read)
      await keepVersion(client, code, read, contentOf(found), null)
      await removeRow(client, code, read.questionId)
      const listVersion = await putInOrder(client, code, await readStored(client, code))
      return { result: { listVersion }, detail: read }
    }),
  )

  serve(contract.restoreQuestion, ({ organizer, params, body }) =>
    changeQuestions(organizer, 'restore-question', async (client, test) => {
      const questionId = params.question
      const stored = await readStored(client, test.code)
      if (stored.some((one) => one.questionId === questionId)) {
        throw refuse(409, 'question_is_there', 'This question is already in the test.')
      }
      const [last] = await listVersions(client, organizer, questionId)
      if (!last) throw noSuchQuestion()
      const { version, content } = last
      const position = Math.min(body.position, stored.length + 1)
      const question = { questionId, version, ...content, form: body.form ?? null, position }
      const listVersion = await insertAt(client, test, question, stored)
      return { result: { listVersion }, detail: { questionId, version } }
    }),
  )

  serve(contract.orderQuestions, ({ organizer, body: { order, listVersion } }) =>
    changeQuestions(organizer, 'order-questions', async (client, { code }) => {
      const stored = await readStored(client, code)
      if (listVersionOf(stored) !== listVersion) {
        const sentence =
          'Someone else changed the list. It shows the current order. Move the question again.'
        throw refuse(409, 'stale', sentence)
      }
      const ordered = inOrderOf(order, stored)
      if (ordered.length !== stored.length || order.length !== stored.length) {
        throw refuse(400, 'other_questions', 'The order must list each question exactly once.')
      }
      const moved = order.filter((id, index) => stored[index]?.questionId !== id).length
      const result = { listVersion: await putInOrder(client, code, ordered) }
      return { result, detail: moved === 0 ? null : { moved } }
    }),
  )

  // Forms belong to the test, like the order, so key checks stay valid (product 7.19.1).
  serve(contract.assignForm, ({ organizer, body: { questions, form } }) =>
    changeQuestions(organizer, 'assign-form', async (client, { code }) => {
      const stored = await readStored(client, code)
      const forms = new Map(stored.map((one) => [one.questionId, one.form]))
      for (const { questionId, was } of questions) {
        if (!forms.has(questionId)) throw noSuchQuestion()
        if (forms.get(questionId) === was) continue
        const sentence =
          'Someone has moved this question to another form. The list shows it as it is now.'
        throw refuse(409, 'stale', sentence)
      }
      const ids = questions.map(({ questionId }) => questionId)
      const isSame = questions.every(({ was }) => was === form)
      await client.query(
        'update assessment_items set form = $3 where assessment = $1 and question_id = any ($2::uuid[])',
        [code, ids, form],
      )
      const listVersion = listVersionOf(await readStored(client, code))
      return { result: { listVersion }, detail: isSame ? null : { questions: ids.length, form } }
    }),
  )

  // A copy is the same question. It keeps its version and shares its statistics (product 7.9.14).
  serve(contract.takeFromBank, ({ organizer, body: { questions } }) =>
    changeQuestions(organizer, 'take-questions', async (client, { code, isSample }) => {
      const taken = inOrderOf(questions, await readBank(client, organizer, questions))
      const { length } = await readStored(client, code)
      await requireRoom(client, code, length + taken.length)
      // Copies leave out the other test's form.
      const items = taken.map((one, at) => ({ ...one, position: length + at + 1, form: null }))
      await insertItems(client, code, items, isSample)
      const corrected = await takeCorrectionsOver(client, code, questions)
      const from = [...new Set(taken.map((one) => one.code))]
      const detail = { added: taken.length, from, ...(corrected > 0 && { corrected }) }
      return { result: { added: taken.length }, detail: taken.length === 0 ? null : detail }
    }),
  )
}

function inOrderOf<Q extends { questionId: string }>(ids: readonly string[], questions: Q[]): Q[] {
  const byId = new Map(questions.map((one) => [one.questionId, one]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/**
 * Inserts a question at a position, from 1.
 * @returns the list's version. Errors: those of requireRoom.
 */
async function insertAt(
  client: Client,
  { code, isSample }: AssessmentRow,
  question: StoredQuestion,
  stored: readonly StoredQuestion[],
): Promise<string> {
  await requireRoom(client, code, stored.length + 1)
  await insertItems(client, code, [{ ...question, position: 0 }], isSample)
  return putInOrder(client, code, stored.toSpliced(question.position - 1, 0, question))
}

const removeRow = (client: Client, code: string, questionId: string) =>
  client.query('delete from assessment_items where assessment = $1 and question_id = $2', [
    code,
    questionId,
  ])

/** Throws 409 has_errors if the test is published, 409 is_sample_question (product 7.2.5), 400 no_such_picture. */
async function requireFit(
  client: Client,
  { isDraft, isSample, societyId }: AssessmentRow,
  content: QuestionContent,
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
      'This is one of Superday’s samples, whose keys are public. Write your own question.',
    )
  }
  const { exhibit } = content
  if (exhibit?.kind !== 'picture') return
  if (await getPictureOf(client, societyId, exhibit.picture)) return
  throw refuse(400, 'no_such_picture', 'The image is gone. Choose it again.')
}
