import { ApiError } from '../../../platform/server/api.ts'
import type { Form } from '../../questions/two-forms.ts'
import { act, type Organiser } from '../action.ts'
import { requireEven } from './even-forms.ts'
import { lockForWriting, type Place, readStored } from './stored.ts'
import { listVersionOf } from './write-questions.ts'

/**
 * Says which form asks some questions; null: both (product 7.19.1). It is a matter of the test, as the order is,
 * and makes no version of a question: what was checked of it stays checked. @returns the list's version
 * Errors: ApiError of lockForWriting; 404 no_such_question, 409 stale where a question's form is not what was
 * read, 409 uneven_forms in a published test.
 */
export function assignForm(
  organiser: Organiser,
  place: Place,
  asked: { questions: readonly { questionId: string; was: Form | null }[]; form: Form | null },
): Promise<string> {
  return act(organiser, 'assign-form', place.code, async (client) => {
    const { isDraft } = await lockForWriting(client, place)
    const standing = new Map(
      (await readStored(client, place)).map(({ questionId, form }) => [questionId, form]),
    )
    for (const { questionId, was } of asked.questions) {
      const now = standing.get(questionId)
      if (now === undefined) {
        throw new ApiError(404, 'no_such_question', 'There is no such question any more.')
      }
      if (now !== was) {
        throw new ApiError(
          409,
          'stale',
          'Somebody has given this question to another form meanwhile. Here it is as it stands.',
        )
      }
    }
    const ids = asked.questions.map(({ questionId }) => questionId)
    await client.query(
      `update assessment_items set form = $3 where assessment = $1 and question_id = any ($2::uuid[])`,
      [place.code, ids, asked.form],
    )
    await requireEven(client, place, isDraft)
    const stored = await readStored(client, place)
    return { result: listVersionOf(stored), detail: { questions: ids.length, form: asked.form } }
  })
}
