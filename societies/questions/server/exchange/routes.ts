import sql from 'sql-template-tag'
import type { BodyOf } from '../../../../platform/endpoint.ts'
import { type Api, ApiError } from '../../../../platform/server/api.ts'
import { readFile } from '../../../../platform/server/body/read-body.ts'
import type { AppDependencies } from '../../../../platform/server/dependencies.ts'
import { type MemberInTest, serveMembers } from '../../../access/server/serve-members.ts'
import { type Client, read } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import * as contract from '../../contract-exchange.ts'
import {
  type AskedTable,
  COLUMN_ROLES,
  type ColumnRole,
  LEFT_OUT,
  type LeftOutReason,
  QUESTION_FILE_BYTES,
} from '../../question-files.ts'
import {
  flawOfTexts,
  hasHidden,
  identityOf,
  normaliseStem,
  titleAndRest,
} from '../../written-question.ts'
import { insertItems, readSampleStems } from '../authoring/load-assessment.ts'
import {
  changeQuestions,
  fingerprintOf,
  putInOrder,
  readStored,
  requireRoom,
  requireUnstarted,
} from '../stored.ts'
import { exportQuestions } from './export-questions.ts'
import { createFileTurns, readApart, refuseFile } from './read-apart.ts'

/**
 * An import can be undone for this many milliseconds. The page offers it for ten seconds, but a slow network needs
 * more.
 */
const UNDO_MS = 60_000

/** Imports and exports files of questions (product 7.9.30 to 7.9.38). */
export function serveExchange(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)
  const inTurn = createFileTurns(dependencies)

  serve(contract.reviewQuestionFile, ({ organizer, context, query: { columns, keys } }) => {
    const roles = columns?.split('.').map((role) => (isRole(role) ? role : 'none'))
    return inTurn(organizer.userId, () =>
      reviewFile(organizer, context.req.raw, { columns: roles, keys }),
    )
  })
  serve(contract.importReviewed, ({ organizer, body }) => importReviewed(organizer, body))
  serve(contract.undoImport, ({ organizer, body }) => undoImport(organizer, body.id))
  serve(contract.exportAssessment, async ({ organizer, query: { format = 'csv' } }) => {
    const { content, count } = await exportQuestions(organizer, format)
    const ending = format === 'csv' ? 'csv' : 'gift.txt'
    return { fileName: `${organizer.code.toLowerCase()}-questions.${ending}`, content, count }
  })
}

const isRole = (text: string): text is ColumnRole => Object.hasOwn(COLUMN_ROLES, text)

/** Lists the content of a file (product 7.9.31). Errors: those of readApart, requireUnstarted and refuseSample. */
async function reviewFile(organizer: MemberInTest, request: Request, table: AskedTable) {
  const bytes = await readFile(request, QUESTION_FILE_BYTES).catch((error: unknown) => {
    const isTooLarge = error instanceof ApiError && error.code === 'body_too_large'
    throw isTooLarge ? refuseFile('too_large') : error
  })
  const { asked, standing } = await read(organizer, async (client) => {
    refuseSample(await requireUnstarted(client, organizer))
    return readStanding(client, organizer.code)
  })
  const { questions, ...found } = await readApart(bytes, {
    ...{ society: organizer.societyId, signal: request.signal, asked: table },
  })
  const samples = await readSampleStems()
  const reasonOf = (question: string, options: readonly string[]): LeftOutReason | null => {
    if (samples.has(normaliseStem(question))) return 'sample'
    return asked.has(identityOf(question, options)) ? 'asked_already' : null
  }
  return {
    ...found,
    questions: questions.map((one) => {
      const options = one.options.map(({ text }) => text)
      return { ...one, reason: one.reason ?? reasonOf(one.question, options) }
    }),
    standing,
  }
}

/**
 * Stores reviewed questions after checking each again (product 7.9.33). A repeated id adds nothing and returns the
 * first response. Errors: 422 question_flawed; 409 stale_questions; those of changeQuestions, requireRoom and
 * refuseSample.
 */
async function importReviewed(
  organizer: MemberInTest,
  { id, mode, fingerprint, questions }: BodyOf<typeof contract.importReviewed>,
) {
  await requireSound(questions)
  const { code, userId, now } = organizer
  return changeQuestions({ ...organizer, requestId: id }, 'import', async (client, test) => {
    refuseSample(test)
    const { asked, last, standing } = await readStanding(client, code)
    if (mode === 'replace') {
      if (standing.fingerprint !== fingerprint) {
        throw refuse(
          409,
          'stale_questions',
          `Someone has changed the questions since you read the file: there ${standing.count === 1 ? 'is one' : `are ${standing.count}`} now. Nothing was replaced. Check the questions, then read the file again.`,
        )
      }
      await client.query('delete from assessment_items where assessment = $1', [code])
    }
    const kept = mode === 'replace' ? 0 : standing.count
    const fresh = questions.filter(
      (one) => kept === 0 || !asked.has(identityOf(one.question, Object.values(one.options))),
    )
    const itemCount = kept + fresh.length
    const more = 'Nothing was imported. Select fewer questions.'
    await requireRoom(client, code, itemCount, { code: 'too_many_items', more })
    const items = fresh.map((one, index) => ({ ...one, position: (kept && last) + index + 1 }))
    const { rows } = await insertItems(client, code, items, false)
    await client.query(
      sql`insert into question_imports (id, assessment, user_id, created_at, item_ids)
       values (${id}, ${code}, ${userId}, ${now}, ${rows.map((row) => row.id)})`,
    )
    const { demoAttemptsRemoved } = test
    const replaced = standing.count - kept
    const isChanged = fresh.length + replaced > 0
    return {
      result: { added: fresh.length, askedAlready: questions.length - fresh.length, itemCount },
      detail: isChanged ? { added: fresh.length, replaced, demoAttemptsRemoved } : null,
    }
  })
}

/** Throws 409 is_sample. */
function refuseSample({ isSample }: { isSample: boolean }): void {
  if (!isSample) return
  const sentence =
    'This is one of Superday’s samples, whose keys are public. Import into your own test.'
  throw refuse(409, 'is_sample', sentence)
}

/** Throws 422 question_flawed with the number of the first invalid question, from 1. */
async function requireSound(
  questions: BodyOf<typeof contract.importReviewed>['questions'],
): Promise<void> {
  const samples = await readSampleStems()
  const asking = new Set<string>()
  for (const [index, { question, options, explanation, topic }] of questions.entries()) {
    const asked = identityOf(question, Object.values(options))
    const reason: LeftOutReason | null =
      flawOfTexts(question, Object.values(options)) ??
      (hasHidden(explanation) || hasHidden(topic) ? 'hidden_characters' : null) ??
      (samples.has(normaliseStem(question)) ? 'sample' : null) ??
      (asking.has(asked) ? 'same_question' : null)
    if (reason) {
      const [title] = titleAndRest(LEFT_OUT[reason].toLowerCase())
      const sentence = `Question ${index + 1} of these can’t be imported (${title}), so none was imported.`
      throw new ApiError(422, 'question_flawed', sentence)
    }
    asking.add(asked)
  }
}

/**
 * Undoes the member's own recent import by removing exactly its questions. The others keep their order (product
 * 7.9.35). Errors: 409 undo_too_late; those of changeQuestions.
 */
const undoImport = (organizer: MemberInTest, id: string) =>
  changeQuestions(organizer, 'undo-import', async (client) => {
    const { code, userId, now } = organizer
    const { rows } = await client.query<{ itemIds: number[] }>(
      sql`update question_imports q set item_ids = '{}' from question_imports before
       where q.id = ${id} and before.id = q.id and q.assessment = ${code} and q.user_id = ${userId}
         and q.created_at > ${new Date(now.getTime() - UNDO_MS)}
         -- If a member has changed a question since then, the import is kept.
         and not exists (select from assessment_items i where i.id = any (q.item_ids) and i.version > 1)
       returning before.item_ids as "itemIds"`,
    )
    if (!rows[0]) {
      throw refuse(
        409,
        'undo_too_late',
        'This import can no longer be undone. It was too long ago, or someone has changed one of its questions. Delete the questions on the Questions page.',
      )
    }
    const { rowCount } = await client.query(
      'delete from assessment_items where assessment = $1 and id = any ($2::int[])',
      [code, rows[0].itemIds],
    )
    const left = await readStored(client, code)
    await putInOrder(client, code, left)
    const removed = rowCount ?? 0
    return {
      result: { removed, itemCount: left.length },
      detail: removed === 0 ? null : { removed },
    }
  })

/** Reads a test's current questions and a fingerprint to detect changes. */
async function readStanding(client: Client, code: string) {
  const stored = await readStored(client, code)
  const fingerprint = fingerprintOf(stored.map((one) => `${one.questionId} ${one.version}`))
  return {
    asked: new Set(stored.map((one) => identityOf(one.question, Object.values(one.options)))),
    last: stored.at(-1)?.position ?? 0,
    standing: { count: stored.length, fingerprint },
  }
}
