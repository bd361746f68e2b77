import { ApiError } from '../../../platform/server/api.ts'
import { countForms, describeUneven, type Form, isUneven } from '../../questions/two-forms.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
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

/**
 * A published test, which somebody may start in the next moment, has equally many questions in both forms.
 * Errors: 409 uneven_forms.
 */
export async function requireEven(client: Client, place: Place, isDraft: boolean): Promise<void> {
  if (isDraft) return
  const counts = countForms(await readStored(client, place))
  if (!isUneven(counts)) return
  throw new ApiError(
    409,
    'uneven_forms',
    `This test can be opened already. ${describeUneven(counts)} Take it back to a draft first, or change both forms at once.`,
  )
}

/** The same for questions that come from a file. Errors: OrganiserRefusal uneven_forms. */
export async function requireEvenImport(client: Client, code: string): Promise<void> {
  const { rows } = await client.query<{ form: Form | null; isDraft: boolean }>(
    `select i.form, a.is_draft as "isDraft" from assessments a join assessment_items i on i.assessment = a.code
     where a.code = $1`,
    [code],
  )
  const counts = countForms(rows)
  if (rows[0]?.isDraft || !isUneven(counts)) return
  throw new OrganiserRefusal('uneven_forms', { assessment: code, A: counts.A, B: counts.B })
}
