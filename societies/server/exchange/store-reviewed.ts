import type { BodyOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import type { importReviewed } from '../../contract/exchange.ts'
import type { LeftOutReason } from '../../questions/question-files.ts'
import { flawOfTexts, hasHidden, normaliseStem } from '../../questions/written-question.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { MAX_ITEMS } from '../authoring/assessment-file.ts'
import { insertItems, readSampleStems, removeDemoAttempts } from '../authoring/load-assessment.ts'
import { requireEvenImport } from '../questions/even-forms.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type OfSociety, requireChangeable } from './changeable.ts'
import { readStems } from './import-questions.ts'
import { readStanding } from './review-for-page.ts'

type Asked = BodyOf<typeof importReviewed>
type Written = Asked['questions'][number]

/** How long an import can be taken back, milliseconds: the page offers it for ten seconds, a slow line needs more. */
const UNDO_MS = 60_000

export interface Stored {
  added: number
  askedAlready: number
  itemCount: number
}

/**
 * Stores questions that somebody has looked through, each checked anew (product 7.9.33). The same id again
 * adds nothing and answers what it did.
 * Errors: OrganiserRefusal: question_flawed, no_such_assessment, is_sample, has_attempts, stale_questions,
 * too_many_items.
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
        throw new OrganiserRefusal('stale_questions', { count: standing.count })
      }
      await client.query('delete from assessment_items where assessment = $1', [of.code])
    }
    const { stems, last } = await readStems(client, of.code)
    const fresh = tidied.filter(({ question }) => !stems.has(normaliseStem(question)))
    const count = stems.size + fresh.length
    if (count > MAX_ITEMS) {
      throw new OrganiserRefusal('too_many_items', {
        ...{ assessment: of.code, count, most: MAX_ITEMS },
      })
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

/** Errors: OrganiserRefusal('question_flawed') with the first that is, counted from 1. */
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
    if (reason) throw new OrganiserRefusal('question_flawed', { number: index + 1, reason })
    stems.add(stem)
  }
}

/**
 * Takes exactly the questions of one's own import of a moment ago out again; the others keep their order
 * (product 7.9.35).
 * Errors: OrganiserRefusal: no_such_assessment, is_sample, has_attempts, undo_too_late.
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
    if (!found) throw new OrganiserRefusal('undo_too_late', {})
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
