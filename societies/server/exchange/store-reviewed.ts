import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { importReviewed, reviewQuestionFile } from '../../contract/exchange.ts'
import { LEFT_OUT, type LeftOutReason } from '../../questions/question-files.ts'
import { flawOfTexts, hasHidden, normaliseStem } from '../../questions/written-question.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { MAX_ITEMS } from '../authoring/assessment-file.ts'
import { insertItems, readSampleStems, removeDemoAttempts } from '../authoring/load-assessment.ts'
import { requireEvenImport } from '../questions/even-forms.ts'
import { type OfSociety, requireChangeable } from './changeable.ts'
import { readApart } from './read-apart.ts'

type Asked = BodyOf<typeof importReviewed>
type Written = Asked['questions'][number]

/** How long an import can be taken back, milliseconds: the page offers it for ten seconds, a slow line needs more. */
const UNDO_MS = 60_000

type Stored = ResponseOf<typeof importReviewed>

/**
 * What a file holds for somebody who looks through it before anything is stored (product 7.9.31).
 * Errors: those of readApart and requireChangeable.
 */
export async function reviewFile(
  organiser: Pick<Organiser, 'db'>,
  of: OfSociety,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ResponseOf<typeof reviewQuestionFile>> {
  const { stems, standing } = await read(organiser, async (client) => {
    await requireChangeable(client, of)
    const { stems } = await readStems(client, of.code)
    return { stems, standing: await readStanding(client, of.code) }
  })
  const found = await readApart(bytes, { signal })
  const samples = await readSampleStems()
  const reasonOf = (question: string): LeftOutReason | null => {
    const stem = normaliseStem(question)
    return samples.has(stem) ? 'sample' : stems.has(stem) ? 'asked_already' : null
  }
  const questions = found.questions.map((one) => ({
    ...one,
    reason: one.reason ?? reasonOf(one.question),
  }))
  return { ...found, questions, standing }
}

/**
 * Stores questions that somebody has looked through, each checked anew (product 7.9.33). The same id again
 * adds nothing and answers what it did.
 * Errors: 422 question_flawed; 409 stale_questions, too_many_items, uneven_forms; those of requireChangeable.
 */
export async function storeReviewed(
  organiser: Organiser & { userId: string },
  of: OfSociety,
  { id, mode, fingerprint, questions }: Asked,
): Promise<Stored> {
  const tidied = questions.map(tidy)
  await requireSound(tidied)
  const before = await getImport(organiser.db.$client, organiser.userId, of.code, id)
  if (before) return before
  return act(organiser, 'import', of.code, async (client) => {
    await requireChangeable(client, of, 'replace')
    // Under the lock: the same press again may have waited for the first one.
    const earlier = await getImport(client, organiser.userId, of.code, id)
    if (earlier) return { result: earlier, detail: { repeated: true } }
    const standing = await readStanding(client, of.code)
    if (mode === 'replace') {
      if (standing.fingerprint !== fingerprint) {
        throw new ApiError(
          409,
          'stale_questions',
          `Someone has changed the questions since you read the file: there ${standing.count === 1 ? 'is one' : `are ${standing.count}`} now. Nothing was replaced. Look at them, then read the file again.`,
        )
      }
      await client.query('delete from assessment_items where assessment = $1', [of.code])
    }
    const { stems, last } = await readStems(client, of.code)
    const fresh = tidied.filter(({ question }) => !stems.has(normaliseStem(question)))
    const count = stems.size + fresh.length
    if (count > MAX_ITEMS) {
      throw new ApiError(
        409,
        'too_many_items',
        `The test would have ${count} questions, and ${MAX_ITEMS} are the most. Nothing was imported. Untick some.`,
      )
    }
    const demoAttemptsRemoved = await removeDemoAttempts(client, of.code)
    const { rows } = await insertItems(
      client,
      of.code,
      fresh.map((one, index) => ({ ...one, position: last + index + 1 })),
      false,
    )
    await requireEvenImport(client, of.code)
    await client.query('update assessments set content_hash = null where code = $1', [of.code])
    await client.query(
      `insert into question_imports (id, assessment, user_id, created_at, item_ids)
       values ($1, $2, $3, $4, $5)`,
      [id, of.code, organiser.userId, organiser.now, rows.map((row) => row.id)],
    )
    const replaced = mode === 'replace' ? standing.count : 0
    return {
      result: {
        added: fresh.length,
        askedAlready: tidied.length - fresh.length,
        itemCount: mode === 'replace' ? fresh.length : standing.count + fresh.length,
      },
      detail: { added: fresh.length, replaced, demoAttemptsRemoved },
    }
  })
}

/** What an import of this person and id did, as far as it stands; null when there was none. */
async function getImport(
  client: Client,
  userId: string,
  code: string,
  id: string,
): Promise<Stored | null> {
  const { rows } = await client.query<Stored>(
    `select (select count(*)::int from assessment_items i where i.id = any (q.item_ids)) as added,
       0 as "askedAlready",
       (select count(*)::int from assessment_items i where i.assessment = $2) as "itemCount"
     from question_imports q where q.id = $3 and q.assessment = $2 and q.user_id = $1`,
    [userId, code, id],
  )
  return rows[0] ?? null
}

function tidy({ question, options, answer, explanation, topic, form = null }: Written): Written {
  const trimmed = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  return {
    question: trimmed(question),
    options: {
      ...{ A: trimmed(options.A), B: trimmed(options.B) },
      ...{ C: trimmed(options.C), D: trimmed(options.D) },
    },
    answer,
    explanation: trimmed(explanation),
    topic: trimmed(topic),
    form,
  }
}

/** Errors: 422 question_flawed with the first that is, counted from 1. */
async function requireSound(questions: readonly Written[]): Promise<void> {
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
 * Errors: 409 undo_too_late; those of requireChangeable.
 */
export function undoImport(
  organiser: Organiser & { userId: string },
  of: OfSociety,
  id: string,
): Promise<{ removed: number; itemCount: number }> {
  return act(organiser, 'undo-import', of.code, async (client) => {
    await requireChangeable(client, of, 'replace')
    const { rows } = await client.query<{ itemIds: number[] }>(
      `update question_imports q set item_ids = '{}' from question_imports before
       where q.id = $1 and before.id = q.id and q.assessment = $2 and q.user_id = $3
         and q.created_at > $4
         -- Whoever has changed one since wants to keep it.
         and not exists (select from assessment_items i where i.id = any (q.item_ids) and i.version > 1)
       returning before.item_ids as "itemIds"`,
      [id, of.code, organiser.userId, new Date(organiser.now.getTime() - UNDO_MS)],
    )
    const found = rows[0]
    if (!found) {
      throw new ApiError(
        409,
        'undo_too_late',
        'This import can’t be undone any more: it is too long ago, or someone has changed one of its questions. Delete them under Questions.',
      )
    }
    const { rowCount } = await client.query(
      'delete from assessment_items where assessment = $1 and id = any ($2::int[])',
      [of.code, found.itemIds],
    )
    await closeGaps(client, of.code)
    const { count } = await readStanding(client, of.code)
    return {
      result: { removed: rowCount ?? 0, itemCount: count },
      detail: { removed: rowCount ?? 0 },
    }
  })
}

/** Numbers an assessment's questions 1, 2, 3 … in their order. */
async function closeGaps(client: Client, code: string): Promise<void> {
  // By way of negative ones: no two may have the same number, not even in between.
  await client.query(
    `update assessment_items i set position = -n.position
     from (select id, row_number() over (order by position) as position
           from assessment_items where assessment = $1) n
     where i.id = n.id`,
    [code],
  )
  await client.query('update assessment_items set position = -position where assessment = $1', [
    code,
  ])
}

/** What an assessment asks already, and the position of its last question. */
async function readStems(client: Client, code: string) {
  const { rows } = await client.query<{ position: number; question: string }>(
    'select position, question from assessment_items where assessment = $1 order by position',
    [code],
  )
  return {
    stems: new Set(rows.map(({ question }) => normaliseStem(question))),
    last: rows.at(-1)?.position ?? 0,
  }
}

/** The questions that an assessment has, as a number and as what tells whether they are still the same. */
async function readStanding(client: Client, code: string) {
  const { rows } = await client.query<{ count: number; fingerprint: string }>(
    `select count(*)::int as count,
       md5(coalesce(string_agg(id || ':' || version, ',' order by position), '')) as fingerprint
     from assessment_items where assessment = $1`,
    [code],
  )
  return rows[0] ?? { count: 0, fingerprint: '' }
}
