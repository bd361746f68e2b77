import { ApiError } from '../../../platform/server/api.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../refusal.ts'

type CandidateRefusal =
  | 'lines_wrong'
  | 'names_taken'
  | 'still_draft'
  | 'is_over'
  | 'bad_address'
  | 'address_taken'
  | 'no_such_candidate'
  | 'has_started'
  | 'one_at_a_time'

/** What is refused of the list of candidates. */
const CANDIDATE_SENTENCES: {
  [Code in CandidateRefusal]: (facts: RefusalFacts[Code]) => string
} = {
  lines_wrong: ({ lines }) =>
    `${lines.length === 1 ? 'One line has' : `${lines.length} lines have`} a problem, and nobody was added. Line ${lines[0]?.line}: ${lines[0]?.text}`,
  names_taken: () =>
    'Somebody has changed the list meanwhile, and a username of yours is taken now. Nobody was added; please look at the lines again.',
  still_draft: () =>
    'The assessment is a draft, so no password leaves yet: publish it first, under Overview.',
  is_over: () => 'Nobody can start any more, so no password leaves. Set a later window first.',
  bad_address: ({ address }) => `${address} is no e-mail address.`,
  address_taken: ({ username }) => `${username} has this address already.`,
  no_such_candidate: () => 'This candidate is not on the list any more.',
  has_started: ({ username }) =>
    `${username} has started, so the planned time is fixed. Time on the day is given under Live.`,
  one_at_a_time: () => 'You may give one candidate at a time a new password.',
}

const STATUS: Partial<Record<RefusalCode, 400 | 403 | 404 | 409>> = {
  lines_wrong: 409,
  names_taken: 409,
  still_draft: 409,
  is_over: 409,
  bad_address: 400,
  address_taken: 409,
  no_such_candidate: 404,
  has_started: 409,
  one_at_a_time: 403,
  no_such_assessment: 404,
  nothing_to_exempt: 400,
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof OrganiserRefusal)) throw error
    const status = STATUS[error.code as RefusalCode]
    if (status === undefined) throw error
    const { code, sentence } = worded(error)
    throw new ApiError(status, code, sentence)
  }
}

function worded({ code, facts }: OrganiserRefusal): { code: string; sentence: string } {
  switch (code) {
    case 'no_such_assessment':
      return { code: 'not_found', sentence: 'There is no such assessment any more.' }
    case 'nothing_to_exempt':
      return { code, sentence: 'There is no such kind of event.' }
    default:
      return {
        code,
        sentence: (CANDIDATE_SENTENCES[code as CandidateRefusal] as (facts: unknown) => string)(
          facts,
        ),
      }
  }
}
