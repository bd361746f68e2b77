import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { AdminError } from '../../../platform/server/admin-error.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { describeDuration } from '../../minutes.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../refusal.ts'

/** Refusals that only acts of the day have. */
const ACTS_SENTENCES = {
  nothing_to_add: () => 'Please give the minutes to add.',
  nothing_from_now: () => 'Please give the minutes from now on.',
  time_undo_too_late: () =>
    'This can not be taken back any more: it is too long ago, or somebody’s time was changed since.',
  most_given: ({ name, given, left }: RefusalFacts['most_given']) =>
    `${name} has been given ${describeDuration(given)} already. You may give ${left === 0 ? 'nothing more' : `${describeDuration(left)} more`}, 15 min in all; an owner may give more.`,
  not_your_room: ({ room }: RefusalFacts['not_your_room']) =>
    `Your role is for room ${room}; this is for somebody elsewhere. Please ask who is there, or an owner.`,
  end_is_past: () => 'That moment has passed. To end the test at once, use End now.',
  end_is_far: () => 'That is more than a day from now.',
  strikes_would_end: ({ username }: RefusalFacts['strikes_would_end']) =>
    `${username} is writing, and with these strikes there would be ${MAX_VIOLATIONS}, which end the test. Nothing was changed.`,
}

/** Refusals that others have too, as they are said in the browser. */
const SHARED: { [Code in RefusalCode]?: (facts: RefusalFacts[Code]) => string } = {
  no_such_assessment: () => 'There is no such assessment any more.',
  assessment_deleted: () => 'This assessment was deleted; nothing of it can be changed.',
  reason_missing: () => 'Please give a reason in words: it is kept for an appeal.',
  no_such_candidate: () => 'This candidate is not on the list any more.',
  no_such_event: () => 'There is no such event here any more.',
  nothing_to_exempt: () => 'There is no such kind of event.',
}

const STATUS: Partial<Record<RefusalCode, 400 | 403 | 404>> = {
  most_given: 403,
  not_your_room: 403,
  no_such_assessment: 404,
  no_such_candidate: 404,
  no_such_event: 404,
  reason_missing: 400,
  nothing_to_add: 400,
  nothing_from_now: 400,
  end_is_past: 400,
  end_is_far: 400,
  nothing_to_exempt: 400,
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
  if (error instanceof AdminError) return new ApiError(400, 'bad_time', error.message)
  if (!(error instanceof OrganiserRefusal)) return error
  const code = error.code as RefusalCode
  const sentences: Partial<Record<RefusalCode, (facts: never) => string>> = {
    ...SHARED,
    ...ACTS_SENTENCES,
  }
  const sentence = sentences[code]
  if (!sentence) return error
  const name = code === 'time_undo_too_late' ? 'undo_too_late' : code
  return new ApiError(STATUS[code] ?? 409, name, sentence(error.facts as never))
}
