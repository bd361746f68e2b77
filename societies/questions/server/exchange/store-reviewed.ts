import type { BodyOf, ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { ApiError } from '../../../../platform/server/api.ts'
import type { MemberInTest } from '../../../access/server/serve-members.ts'
import { act, type Client, read } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import type { importReviewed, reviewQuestionFile } from '../../contract-exchange.ts'
import { LEFT_OUT, type LeftOutReason } from '../../question-files.ts'
import { flawOfTexts, hasHidden, normaliseStem } from '../../written-question.ts'
import { MAX_ITEMS } from '../authoring/assessment-file.ts'
import { insertItems, readSampleStems } from '../authoring/load-assessment.ts'
import { requireEven } from '../forms.ts'
import {
  fingerprintOf,
  lockForWriting,
  putInOrder,
  readStored,
  requireUnstarted,
} from '../stored.ts'
import { readApart } from './read-apart.ts'

type Asked = BodyOf<typeof importReviewed>

/** How long an import can be taken back, milliseconds: the page offers it for ten seconds, a slow line needs more. */
const UNDO_MS = 60_000

/**
 * What a file holds for somebody who looks through it before anything is stored (product 7.9.31).
 * Errors: those of readApart, requireUnstarted and refuseSample.
 */
export async function reviewFile(
  organiser: MemberInTest,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ResponseOf<typeof reviewQuestionFile>> {
  const { stems, standing } = await read(organiser, async (client) => {
    refuseSample(await requireUnstarted(client, organiser))
    return readStanding(client, organiser.code)
  })
  const { questions, ...found } = await readApart(bytes, { signal })
  const samples = await readSampleStems()
  const reasonOf = (question: string): LeftOutReason | null => {
    const stem = normaliseStem(question)
    return samples.has(stem) ? 'sample' : stems.has(stem) ? 'asked_already' : null
  }
  return {
    ...found,
    questions: questions.map((one) => ({ ...one, reason: one.reason ?? reasonOf(one.question) })),
    standing,
  }
}

/**
 * Stores questions that somebody has looked through, each checked anew (product 7.9.33). The same id again
 * adds nothing and answers what it did.
 * Errors: 422 question_flawed; 409 stale_questions, too_many_items, uneven_forms; those of lockForWriting and
 * refuseSample.
 */
export async function storeReviewed(
  organiser: MemberInTest,
  { id, mode, fingerprint, questions }: Asked,
): Promise<ResponseOf<typeof importReviewed>> {
  await requireSound(questions)
  const { code, userId, now } = organiser
  return act({ ...organiser, requestId: id }, 'import', code, async (client) => {
    const { isDraft, demoAttemptsRemoved, ...assessment } = await lockForWriting(client, organiser)
    refuseSample(assessment)
    const { stems, last, standing } = await readStanding(client, code)
    if (mode === 'replace') {
      if (standing.fingerprint !== fingerprint) {
        throw refuse(
          409,
          'stale_questions',
          `Someone has changed the questions since you read the file: there ${standing.count === 1 ? 'is one' : `are ${standing.count}`} now. Nothing was replaced. Look at them, then read the file again.`,
        )
      }
      await client.query('delete from assessment_items where assessment = $1', [code])
    }
    const kept = mode === 'replace' ? 0 : standing.count
    const fresh = questions.filter(
      ({ question }) => kept === 0 || !stems.has(normaliseStem(question)),
    )
    const itemCount = kept + fresh.length
    if (itemCount > MAX_ITEMS) {
      throw refuse(
        409,
        'too_many_items',
        `The test would have ${itemCount} questions, and ${MAX_ITEMS} are the most. Nothing was imported. Clear some check marks.`,
      )
    }
    const { rows } = await insertItems(
      client,
      code,
      fresh.map((one, index) => ({ ...one, position: (kept && last) + index + 1 })),
      false,
    )
    await requireEven(client, organiser, isDraft)
    await client.query(
      `insert into question_imports (id, assessment, user_id, created_at, item_ids)
       values ($1, $2, $3, $4, $5)`,
      [id, code, userId, now, rows.map((row) => row.id)],
    )
    const replaced = standing.count - kept
    return {
      result: { added: fresh.length, askedAlready: questions.length - fresh.length, itemCount },
      detail: { added: fresh.length, replaced, demoAttemptsRemoved },
    }
  })
}

/** Errors: 409 is_sample. */
function refuseSample({ isSample }: { isSample: boolean }): void {
  if (!isSample) return
  throw refuse(
    409,
    'is_sample',
    'This is one of Superday’s samples, whose keys everyone can read. Import into a test of your own.',
  )
}

/** Errors: 422 question_flawed with the first that is, counted from 1. */
async function requireSound(questions: Asked['questions']): Promise<void> {
  const samples = await readSampleStems()
  const stems = new Set<string>()
  for (const [index, { question, options, explanation, topic }] of questions.entries()) {
    const stem = normaliseStem(question)
    const texts = OPTION_LETTERS.map((letter) => options[letter])
    const reason: LeftOutReason | null =
      flawOfTexts(question, texts) ??
      (hasHidden(explanation) || hasHidden(topic) ? 'hidden_characters' : null) ??
      (samples.has(stem) ? 'sample' : stems.has(stem) ? 'same_question' : null)
    if (reason) {
      throw new ApiError(
        422,
        'question_flawed',
        `Question ${index + 1} of these can’t be imported (${LEFT_OUT[reason].title.toLowerCase()}), so nothing was.`,
      )
    }
    stems.add(stem)
  }
}

/**
 * Takes exactly the questions of one's own import of a moment ago out again; the others keep their order
 * (product 7.9.35).
 * Errors: 409 undo_too_late; those of lockForWriting.
 */
export function undoImport(
  organiser: MemberInTest,
  id: string,
): Promise<{ removed: number; itemCount: number }> {
  const { code, userId, now } = organiser
  return act(organiser, 'undo-import', code, async (client) => {
    await lockForWriting(client, organiser)
    const { rows } = await client.query<{ itemIds: number[] }>(
      `update question_imports q set item_ids = '{}' from question_imports before
       where q.id = $1 and before.id = q.id and q.assessment = $2 and q.user_id = $3
         and q.created_at > $4
         -- Whoever has changed one since wants to keep it.
         and not exists (select from assessment_items i where i.id = any (q.item_ids) and i.version > 1)
       returning before.item_ids as "itemIds"`,
      [id, code, userId, new Date(now.getTime() - UNDO_MS)],
    )
    if (!rows[0]) {
      throw refuse(
        409,
        'undo_too_late',
        'This import can’t be undone any more: it is too long ago, or someone has changed one of its questions. Delete them under Questions.',
      )
    }
    const { rowCount } = await client.query(
      'delete from assessment_items where assessment = $1 and id = any ($2::int[])',
      [code, rows[0].itemIds],
    )
    const left = await readStored(client, code)
    await putInOrder(client, code, left)
    const removed = rowCount ?? 0
    return { result: { removed, itemCount: left.length }, detail: { removed } }
  })
}

/** What a test asks already, and what tells whether that is still the same. */
async function readStanding(client: Client, code: string) {
  const { rows } = await client.query<{ position: number; question: string; mark: string }>(
    `select position, question, id || ':' || version as mark
     from assessment_items where assessment = $1 order by position`,
    [code],
  )
  return {
    stems: new Set(rows.map(({ question }) => normaliseStem(question))),
    last: rows.at(-1)?.position ?? 0,
    standing: { count: rows.length, fingerprint: fingerprintOf(rows.map(({ mark }) => mark)) },
  }
}
