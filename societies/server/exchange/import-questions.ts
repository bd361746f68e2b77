import { normaliseStem } from '../../questions/written-question.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { countAttempts, requireAssessment } from '../assessments.ts'
import { MAX_ITEMS } from '../authoring/assessment-file.ts'
import { insertItems, readSampleStems, removeDemoAttempts } from '../authoring/load-assessment.ts'
import { requireEvenImport } from '../questions/even-forms.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { wholeExplanation } from './question.ts'
import { readApart } from './read-apart.ts'
import type { Told } from './read-questions.ts'
import { type Review, withoutKnown } from './review.ts'

/**
 * What a file of questions holds, and what of it could be imported (product 7.2.7). Nothing is stored.
 * Errors: OrganiserRefusal('question_file').
 */
export async function reviewFile(bytes: Uint8Array, told: Told = {}): Promise<Review> {
  return withoutKnown(await readApart(bytes, told), {
    inAssessment: new Set(),
    samples: await readSampleStems(),
  })
}

export interface Imported {
  /** of the file, held against the assessment; what was importable is in it now */
  review: Review
  /** how many questions it has now */
  itemCount: number
  demoAttemptsRemoved: number
}

/**
 * Adds what can be imported of a file to an assessment that nobody has sat, behind its questions, which stay
 * as they are (product 7.2.10). What was loaded from a file counts as changed, so that loading it again
 * replaces everything.
 * Errors: OrganiserRefusal: question_file, no_such_assessment, has_attempts, is_sample, too_many_items.
 */
export async function importQuestions(
  organiser: Organiser,
  code: string,
  bytes: Uint8Array,
  told: Told = {},
): Promise<Imported> {
  // Outside of the transaction: nobody waits for a lock while a file is read.
  const read = await reviewFile(bytes, told)
  return act(organiser, 'import', code, async (client) => {
    const { isSample } = await requireAssessment(client, code, 'replace')
    if (isSample) throw new OrganiserRefusal('is_sample', { assessment: code })
    const attempts = await countAttempts(client, code)
    if (attempts > 0) throw new OrganiserRefusal('has_attempts', { assessment: code, attempts })
    const { stems, last } = await readStems(client, code)
    const review = withoutKnown(read, { inAssessment: stems, samples: new Set() })
    const added = review.importable.length
    const itemCount = last + added
    if (itemCount > MAX_ITEMS) {
      throw new OrganiserRefusal('too_many_items', {
        assessment: code,
        count: itemCount,
        most: MAX_ITEMS,
      })
    }
    const items = review.importable.map((one, index) => ({
      ...one,
      explanation: wholeExplanation(one),
      position: last + index + 1,
    }))
    let demoAttemptsRemoved = 0
    if (added > 0) {
      demoAttemptsRemoved = await removeDemoAttempts(client, code)
      await insertItems(client, code, items, false)
      await requireEvenImport(client, code)
      await client.query('update assessments set content_hash = null where code = $1', [code])
    }
    return {
      result: { review, itemCount, demoAttemptsRemoved },
      detail: { format: review.format, added, leftOut: review.leftOut.length, demoAttemptsRemoved },
    }
  })
}

/** What an assessment asks already, and the position of its last question. */
export async function readStems(client: Client, code: string) {
  const { rows } = await client.query<{ position: number; question: string }>(
    'select position, question from assessment_items where assessment = $1 order by position',
    [code],
  )
  return {
    stems: new Set(rows.map(({ question }) => normaliseStem(question))),
    last: rows.at(-1)?.position ?? 0,
  }
}
