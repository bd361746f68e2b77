import { ApiError } from '../../../platform/server/api.ts'
import { OrganiserRefusal, type RefusalFacts } from '../refusal.ts'

type RulingRefusal =
  | 'stale'
  | 'no_such_item'
  | 'no_such_ruling'
  | 'already_void'
  | 'already_full_marks'
  | 'already_right'
  | 'already_replaced'
  | 'already_kept'
  | 'reason_missing'
  | 'no_such_assessment'
  | 'assessment_deleted'

const ANSWERS: {
  [Code in RulingRefusal]: [
    status: 400 | 404 | 409,
    sentence: (facts: RefusalFacts[Code]) => string,
  ]
} = {
  stale: [
    409,
    ({ by }) =>
      `${by ?? 'Somebody'} has ruled on a question since this was computed. Please look at the new figures.`,
  ],
  no_such_item: [404, () => 'There is no such question.'],
  no_such_ruling: [409, () => 'It was taken back, adopted or declined meanwhile.'],
  already_void: [409, ({ item }) => `Question ${item} is left out already; take that back first.`],
  already_full_marks: [
    409,
    ({ item }) => `Everybody has question ${item} right already; take that back first.`,
  ],
  already_right: [409, ({ item, option }) => `${option} is right in question ${item} already.`],
  already_replaced: [
    409,
    ({ item }) => `The key of question ${item} was replaced already; take that back first.`,
  ],
  already_kept: [409, ({ item }) => `The key of question ${item} was found right already.`],
  reason_missing: [400, () => 'Please give a reason: everybody reads it.'],
  no_such_assessment: [404, () => 'There is no such assessment any more.'],
  assessment_deleted: [409, () => 'This assessment was deleted.'],
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof OrganiserRefusal) || !(error.code in ANSWERS)) throw error
    const [status, sentence] = ANSWERS[error.code as RulingRefusal] as [
      400 | 404 | 409,
      (facts: unknown) => string,
    ]
    const code = error.code.startsWith('no_such_') && status === 404 ? 'not_found' : error.code
    const more =
      error.code === 'stale'
        ? { by: (error.facts as RefusalFacts['stale']).by ?? '', version: error.facts }
        : undefined
    throw new ApiError(status, code, sentence(error.facts), more ? { more: { by: more.by } } : {})
  }
}
