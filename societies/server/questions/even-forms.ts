import { ApiError } from '../../../platform/server/api.ts'
import { countForms, describeUneven, type Form, isUneven } from '../../questions/two-forms.ts'
import type { Client } from '../action.ts'
import { type Place, readStored } from './stored.ts'

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

/** The same for questions that come from a file. Errors: 409 uneven_forms. */
export async function requireEvenImport(client: Client, code: string): Promise<void> {
  const { rows } = await client.query<{ form: Form | null; isDraft: boolean }>(
    `select i.form, a.is_draft as "isDraft" from assessments a join assessment_items i on i.assessment = a.code
     where a.code = $1`,
    [code],
  )
  const counts = countForms(rows)
  if (rows[0]?.isDraft || !isUneven(counts)) return
  throw new ApiError(
    409,
    'uneven_forms',
    `This test can be opened already. ${describeUneven(counts)} Nothing was imported. Take the test back to a draft first.`,
  )
}
