import { AdminError, FileProblems } from '../../../platform/server/admin-error.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { describePublicationError } from '../../publication.ts'
import { OrganiserRefusal, type RefusalFacts } from '../refusal.ts'

type LifecycleRefusal =
  | 'no_such_assessment'
  | 'assessment_deleted'
  | 'has_attempts'
  | 'settled_by_starts'
  | 'stale'
  | 'code_taken'
  | 'not_publishable'
  | 'already_published'
  | 'already_draft'
  | 'zone_unknown'
  | 'closes_before_opens'
  | 'still_inside'
  | 'kept_too_short'
  | 'nobody_sat'

const started = (attempts: number) =>
  `${attempts} ${attempts === 1 ? 'candidate has' : 'candidates have'} started`

/** What is refused of an assessment's life, in words for whoever is in the browser, and the call's status. */
const REFUSALS: {
  [Code in LifecycleRefusal]: [400 | 404 | 409, (facts: RefusalFacts[Code]) => string]
} = {
  no_such_assessment: [404, () => 'There is no such assessment any more.'],
  assessment_deleted: [409, () => 'This assessment was deleted; nothing of it can be changed.'],
  has_attempts: [
    409,
    ({ attempts }) => `${started(attempts)}, so this cannot be changed any more.`,
  ],
  settled_by_starts: [
    409,
    ({ attempts }) =>
      `${started(attempts)}. Name, session, duration, order and rules are the same for everybody who sits it, so they stay.`,
  ],
  stale: [
    409,
    ({ by }) => `${by ?? 'Somebody'} has changed this assessment since you opened the page.`,
  ],
  code_taken: [
    409,
    ({ assessment }) =>
      `Your society has a test with the code ${assessment}, or had one that was deleted. Choose another code.`,
  ],
  not_publishable: [
    409,
    ({ reasons }) => `Not yet. ${reasons.map(describePublicationError).join(' ')}`,
  ],
  already_published: [409, () => 'It is published already.'],
  already_draft: [409, () => 'It is a draft already.'],
  zone_unknown: [400, ({ timeZone }) => `${timeZone} is no named time zone such as Europe/Lisbon.`],
  closes_before_opens: [400, () => 'The last moment to start has to come after the opening.'],
  still_inside: [
    409,
    () => 'A candidate is taking the test. Delete it when everyone has finished.',
  ],
  kept_too_short: [
    400,
    ({ days }) =>
      `Please choose a day at least ${days} days from now: all owners are told first, so that one of them can object.`,
  ],
  nobody_sat: [409, () => "It holds nobody's answers, so there is nothing to delete by a date."],
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    throw explained(error)
  }
}

function explained(error: unknown): unknown {
  if (error instanceof FileProblems) {
    return new ApiError(400, 'file_problems', 'This file has mistakes; nothing was made of it.', {
      more: { problems: error.problems },
    })
  }
  if (error instanceof AdminError) return new ApiError(400, 'bad_time', error.message)
  if (!(error instanceof OrganiserRefusal) || !(error.code in REFUSALS)) return error
  const code = error.code as LifecycleRefusal
  const [status, sentence] = REFUSALS[code] as [400 | 404 | 409, (facts: unknown) => string]
  const facts = error.facts as Record<string, unknown>
  const more = code === 'stale' ? { by: facts.by, at: facts.at } : {}
  return new ApiError(status, code, sentence(facts), { more })
}
