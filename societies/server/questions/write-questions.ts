import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '../../../platform/server/api.ts'
import { changedFields, type QuestionContent } from '../../questions/question-content.ts'
import { isFlawed } from '../../questions/question-marks.ts'
import type { Form } from '../../questions/two-forms.ts'
import { normaliseStem } from '../../questions/written-question.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { MAX_ITEMS } from '../authoring/assessment-file.ts'
import { readSampleStems } from '../authoring/load-assessment.ts'
import { staleError } from '../stale.ts'
import { requireEven } from './even-forms.ts'
import { requireOwnPicture } from './pictures.ts'
import { contentOf, lockForWriting, type Place, readStored, type StoredQuestion } from './stored.ts'
import { keepVersion, listVersions } from './versions.ts'

// What the editor does (product 7.9). Each act holds the assessment, so that two organisers come one after the
// other and nobody starts between; each is noted. A changed question is a new row in the place of the old one: a
// start that has read the old one fails and reads again (require_paper), instead of asking what stands no more.

/** What changes with the order, with what is in it, and with which form asks what. */
export function listVersionOf(
  questions: readonly { questionId: string; form: Form | null }[],
): string {
  const lines = questions.map(({ questionId, form }) => `${questionId} ${form ?? ''}`)
  return createHash('sha256').update(lines.join('\n')).digest('base64url').slice(0, 16)
}

export interface Written {
  questionId: string
  version: number
}

/**
 * Adds a question behind another one, or at the end (product 7.9.7).
 * Errors: ApiError of lockForWriting and requireFit; 409 too_many_questions.
 */
export async function addQuestion(
  organiser: Organiser,
  place: Place,
  { content, after }: { content: QuestionContent; after: string | null },
): Promise<Written> {
  const samples = await knownSamples()
  return act(organiser, 'add-question', place.code, async (client) => {
    const assessment = await lockForWriting(client, place)
    await requireFit(client, place, content, { ...assessment, samples })
    const stored = await readStored(client, place)
    requireRoom(stored.length + 1)
    const found = stored.findIndex(({ questionId }) => questionId === after)
    const position = found < 0 ? stored.length + 1 : found + 2
    const written = { questionId: randomUUID(), version: 1, form: null }
    await makeRoom(client, place.code, position)
    const { isSample } = assessment
    await insert(client, place.code, { ...written, content, position, isSample })
    await keepVersion(client, place.code, { ...written, content }, organiser)
    const { questionId, version } = written
    return { result: { questionId, version }, detail: { questionId, version, position } }
  })
}

/**
 * Saves a question as its next version.
 * Errors: ApiError of requireVersion, those of addQuestion.
 */
export async function saveQuestion(
  organiser: Organiser,
  place: Place,
  { questionId, version, content }: Written & { content: QuestionContent },
): Promise<Written> {
  const samples = await knownSamples()
  return act(organiser, 'save-question', place.code, async (client) => {
    const assessment = await lockForWriting(client, place)
    const before = await requireVersion(client, place, { questionId, version }, organiser)
    await requireFit(client, place, content, { ...assessment, samples })
    // Above whatever was kept: a question may have been taken out, and taken in again as another test has it.
    const [kept] = await listVersions(client, place, questionId)
    const next = { questionId, version: Math.max(version, kept?.version ?? 0) + 1, content }
    await keepVersion(client, place.code, { questionId, version, content: contentOf(before) }, null)
    const { position, form } = before
    await removeRow(client, place.code, questionId)
    const { isSample } = assessment
    await insert(client, place.code, { ...next, position, form, isSample })
    await keepVersion(client, place.code, next, organiser)
    const fields = changedFields(contentOf(before), content)
    return {
      result: { questionId, version: next.version },
      detail: { questionId, version: next.version, fields },
    }
  })
}

/**
 * Takes a question out; its versions stay, so that it can be put back. @returns the list's version
 * Errors: as saveQuestion.
 */
export function removeQuestion(
  organiser: Organiser,
  place: Place,
  asked: Written,
): Promise<string> {
  return act(organiser, 'remove-question', place.code, async (client) => {
    const { isDraft } = await lockForWriting(client, place)
    const found = await requireVersion(client, place, asked, organiser)
    await keepVersion(client, place.code, { ...asked, content: contentOf(found) }, null)
    await removeRow(client, place.code, asked.questionId)
    await client.query(
      `update assessment_items set position = position - 1 + ${APART}
       where assessment = $1 and position > $2`,
      [place.code, found.position],
    )
    await moveTogether(client, place.code)
    await requireEven(client, place, isDraft)
    return { result: await readListVersion(client, place), detail: { ...asked } }
  })
}

/**
 * Puts a removed question back as it was when it went. @returns the list's version
 * Errors: ApiError: 404 no_such_question for one that was never there, 409 question_is_there, those of addQuestion.
 */
export function restoreQuestion(
  organiser: Organiser,
  place: Place,
  { questionId, position, form }: { questionId: string; position: number; form: Form | null },
): Promise<string> {
  return act(organiser, 'restore-question', place.code, async (client) => {
    const { isSample, isDraft } = await lockForWriting(client, place)
    const stored = await readStored(client, place)
    if (stored.some((one) => one.questionId === questionId)) {
      throw new ApiError(409, 'question_is_there', 'This question is there already.')
    }
    const [last] = await listVersions(client, place, questionId)
    if (!last) throw noSuchQuestion()
    requireRoom(stored.length + 1)
    const at = Math.min(position, stored.length + 1)
    await makeRoom(client, place.code, at)
    const { version, content } = last
    await insert(client, place.code, { questionId, version, content, position: at, form, isSample })
    await requireEven(client, place, isDraft)
    return { result: await readListVersion(client, place), detail: { questionId, version } }
  })
}

/**
 * Puts all questions into another order. @returns the list's version
 * Errors: ApiError: 409 stale where the list is not the one that was read, 400 other_questions where the order
 * names others than those; those of lockForWriting.
 */
export function orderQuestions(
  organiser: Organiser,
  place: Place,
  { order, listVersion }: { order: readonly string[]; listVersion: string },
): Promise<string> {
  return act(organiser, 'order-questions', place.code, async (client) => {
    await lockForWriting(client, place)
    const stored = await readStored(client, place)
    if (listVersionOf(stored) !== listVersion) {
      throw new ApiError(
        409,
        'stale',
        'Somebody has changed the list meanwhile. Here it is as it stands; please move the question again.',
      )
    }
    const known = new Set(stored.map(({ questionId }) => questionId))
    if (
      order.length !== known.size ||
      new Set(order).size !== known.size ||
      order.some((id) => !known.has(id))
    ) {
      throw new ApiError(400, 'other_questions', 'The order has to name each question once.')
    }
    await client.query(
      `update assessment_items i set position = place.position + ${APART}
       from unnest($2::uuid[]) with ordinality as place (question_id, position)
       where i.assessment = $1 and i.question_id = place.question_id`,
      [place.code, order],
    )
    await moveTogether(client, place.code)
    const moved = order.filter((id, index) => stored[index]?.questionId !== id).length
    return { result: await readListVersion(client, place), detail: { moved } }
  })
}

/** Errors: 409 too_many_questions. */
export function requireRoom(count: number): void {
  if (count <= MAX_ITEMS) return
  throw new ApiError(
    409,
    'too_many_questions',
    `There would be ${count} questions, and ${MAX_ITEMS} are the most there can be.`,
  )
}

/** Writes a question into its place, which has to be free. */
export async function insert(
  client: Client,
  code: string,
  one: Written & {
    content: QuestionContent
    position: number
    form: Form | null
    isSample: boolean
  },
): Promise<void> {
  const { question, options, answer, topic, explanation, compute, exhibit } = one.content
  await client.query(
    `insert into assessment_items (assessment, question_id, version, position, question, answer_a,
       answer_b, answer_c, answer_d, correct_option, topic, explanation, compute, exhibit, is_sample,
       form)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[code, one.questionId, one.version, one.position, question],
      ...[options.A, options.B, options.C, options.D, answer, topic || null, explanation || null],
      ...[compute || null, exhibit && JSON.stringify(exhibit), one.isSample, one.form],
    ],
  )
}

// Positions are unique at every moment of a statement: they move apart first.
const APART = 1_000_000

async function makeRoom(client: Client, code: string, position: number): Promise<void> {
  await client.query(
    `update assessment_items set position = position + 1 + ${APART}
     where assessment = $1 and position >= $2`,
    [code, position],
  )
  await moveTogether(client, code)
}

async function moveTogether(client: Client, code: string): Promise<void> {
  await client.query(
    `update assessment_items set position = position - ${APART}
     where assessment = $1 and position > ${APART}`,
    [code],
  )
}

async function removeRow(client: Client, code: string, questionId: string): Promise<void> {
  await client.query('delete from assessment_items where assessment = $1 and question_id = $2', [
    code,
    questionId,
  ])
}

async function readListVersion(client: Client, place: Place): Promise<string> {
  return listVersionOf(await readStored(client, place))
}

/** The question in the version that was read. Errors: ApiError 404 no_such_question, 409 stale. */
export async function requireVersion(
  client: Client,
  place: Place,
  { questionId, version }: Written,
  { userId, now }: Pick<Organiser, 'userId' | 'now'>,
): Promise<StoredQuestion> {
  const found = (await readStored(client, place)).find((one) => one.questionId === questionId)
  if (!found) throw noSuchQuestion()
  if (found.version === version) return found
  const [last] = await listVersions(client, place, questionId)
  const isYou = last?.changedBy != null && last.changedBy === userId
  throw staleError({ by: last?.changedByName ?? null, at: last?.changedAt ?? null, isYou }, now)
}

const noSuchQuestion = () =>
  new ApiError(404, 'no_such_question', 'There is no such question any more.')

/**
 * Errors: 409 has_errors for a test that is published already, 409 is_sample_question (product 7.2.5), 400
 * no_such_picture.
 */
async function requireFit(
  client: Client,
  { societyId }: Place,
  content: QuestionContent,
  { isDraft, isSample, samples }: { isDraft: boolean; isSample: boolean; samples: Set<string> },
): Promise<void> {
  if (!isDraft && isFlawed(content)) {
    throw new ApiError(
      409,
      'has_errors',
      'This test can be opened already, so each of its questions needs a text and four different options.',
    )
  }
  if (!isSample && samples.has(normaliseStem(content.question))) {
    throw new ApiError(
      409,
      'is_sample_question',
      'This is one of Superday’s samples, whose key everybody can read. Please ask something else.',
    )
  }
  if (content.exhibit?.kind === 'picture') {
    await requireOwnPicture(client, societyId, content.exhibit.picture)
  }
}

let sampleStems: Promise<Set<string>> | null = null

/** The samples' stems; they come with the server and are read once. */
function knownSamples(): Promise<Set<string>> {
  sampleStems ??= readSampleStems().catch((error: unknown) => {
    sampleStems = null
    throw error
  })
  return sampleStems
}
