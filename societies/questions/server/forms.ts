import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { countForms, describeUneven, type Form, isUneven } from '../two-forms.ts'
import { listVersionOf, lockForWriting, noSuchQuestion, readStored } from './stored.ts'

/**
 * A published test, which somebody may start in the next moment, has equally many questions in both forms.
 * Errors: 409 uneven_forms.
 */
export async function requireEven(
  client: Client,
  { code }: { code: string },
  isDraft: boolean,
): Promise<void> {
  if (isDraft) return
  const counts = countForms(await readStored(client, code))
  if (!isUneven(counts)) return
  throw refuse(
    409,
    'uneven_forms',
    `This test is published. ${describeUneven(counts)} Nothing was changed. Make the test a draft first, or change both forms at once.`,
  )
}

/**
 * Says which form asks some questions; null: both (product 7.19.1). It is a matter of the test, as the order is,
 * and makes no version of a question: what was checked of it stays checked. @returns the list's version
 * Errors: those of lockForWriting; 404 no_such_question, 409 stale where a question's form is not what was read,
 * 409 uneven_forms in a published test.
 */
export function assignForm(
  organiser: MemberInTest,
  asked: { questions: readonly { questionId: string; was: Form | null }[]; form: Form | null },
): Promise<string> {
  const { code } = organiser
  return act(organiser, 'assign-form', code, async (client) => {
    const { isDraft } = await lockForWriting(client, organiser)
    const stored = await readStored(client, code)
    const standing = new Map(stored.map(({ questionId, form }) => [questionId, form]))
    for (const { questionId, was } of asked.questions) {
      const now = standing.get(questionId)
      if (now === undefined) throw noSuchQuestion()
      if (now !== was) {
        throw refuse(
          409,
          'stale',
          'Someone has moved this question to another form. The list shows it as it is now.',
        )
      }
    }
    const ids = asked.questions.map(({ questionId }) => questionId)
    await client.query(
      'update assessment_items set form = $3 where assessment = $1 and question_id = any ($2::uuid[])',
      [code, ids, asked.form],
    )
    await requireEven(client, organiser, isDraft)
    const listVersion = listVersionOf(await readStored(client, code))
    return { result: listVersion, detail: { questions: ids.length, form: asked.form } }
  })
}
