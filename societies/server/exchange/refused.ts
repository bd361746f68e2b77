import { ApiError } from '../../../platform/server/api.ts'
import { FILE_PROBLEMS, LEFT_OUT } from '../../questions/question-files.ts'
import { describeUneven } from '../../questions/two-forms.ts'
import { OrganiserRefusal, type RefusalFacts } from '../refusal.ts'

type ExchangeRefusal =
  | 'no_such_assessment'
  | 'question_file'
  | 'has_attempts'
  | 'is_sample'
  | 'too_many_items'
  | 'uneven_forms'
  | 'nothing_to_export'
  | 'question_flawed'
  | 'stale_questions'
  | 'undo_too_late'

/** What is refused of files of questions. */
const EXCHANGE_SENTENCES: {
  [Code in ExchangeRefusal]: (facts: RefusalFacts[Code]) => string
} = {
  no_such_assessment: () => 'There is no such assessment any more.',
  question_file: ({ problem }) => FILE_PROBLEMS[problem],
  has_attempts: ({ attempts }) =>
    `${attempts === 1 ? 'One candidate has' : `${attempts} candidates have`} started already, so the questions stay as they are. A wrong key is ruled on under Analysis.`,
  is_sample: () =>
    'This is one of Superday’s samples, whose keys everybody can read; its questions stay as they are. Import into an assessment of your own.',
  too_many_items: ({ count, most }) =>
    `The assessment would have ${count} questions, and ${most} are the most there can be. Nothing was imported; untick some.`,
  uneven_forms: (facts) =>
    `This test can be opened already. ${describeUneven(facts)} Nothing was imported; take the test back to a draft first.`,
  nothing_to_export: () => 'There is no question to export yet.',
  question_flawed: ({ number, reason }) =>
    `The ${ordinal(number)} of these questions ${LEFT_OUT[reason].what}. Nothing was imported.`,
  stale_questions: ({ count }) =>
    `Somebody has changed the questions since you read the file: there ${count === 1 ? 'is one' : `are ${count}`} now. Nothing was replaced; look at them, then read the file again.`,
  undo_too_late: () =>
    'This import can not be taken back any more: it is too long ago, or somebody has changed one of its questions. They can be deleted under Questions.',
}

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13
      ? 'th'
      : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

const STATUS: { [Code in ExchangeRefusal]: 400 | 404 | 409 | 422 | 429 } = {
  no_such_assessment: 404,
  question_file: 422,
  has_attempts: 409,
  is_sample: 409,
  too_many_items: 409,
  uneven_forms: 409,
  nothing_to_export: 409,
  question_flawed: 422,
  stale_questions: 409,
  undo_too_late: 409,
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof OrganiserRefusal) || !(error.code in STATUS)) throw error
    const code = error.code as ExchangeRefusal
    const sentence = (EXCHANGE_SENTENCES[code] as (facts: unknown) => string)(error.facts)
    if (code !== 'question_file') throw new ApiError(STATUS[code], code, sentence)
    const { problem } = (error as OrganiserRefusal<'question_file'>).facts
    const isBusy = problem === 'busy'
    throw new ApiError(isBusy ? 429 : STATUS[code], isBusy ? 'reading_busy' : code, sentence, {
      more: { problem },
      ...(isBusy ? { retryAfterSeconds: 30 } : {}),
    })
  }
}
