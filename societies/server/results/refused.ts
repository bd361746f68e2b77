import { ApiError } from '../../../platform/server/api.ts'
import type { Obstacles } from '../../contract/results.ts'
import { countOf } from '../../number-words.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../refusal.ts'

type ResultRefusal =
  | 'stale_line'
  | 'line_fixed'
  | 'no_line'
  | 'line_not_fixed'
  | 'names_covered'
  | 'without_names_only'
  | 'results_not_ready'
  | 'release_hindered'
  | 'already_released'
  | 'not_released'
  | 'writing_busy'

const NOT_READY = {
  nobody: 'Nobody has sat this test.',
  can_start: 'Candidates can still start. Results are there when nobody can any more.',
  inside: 'Somebody is still inside. Results are there when the last one is out.',
  over: 'The results are there.',
}

/** What is refused of results. */
const RESULT_SENTENCES: {
  [Code in ResultRefusal]: (facts: RefusalFacts[Code]) => string
} = {
  stale_line: ({ line }) =>
    line
      ? `${line.changedBy} has set the line to ${line.points} since you opened this.`
      : 'There is no line any more.',
  line_fixed: () => 'The line is fixed. To move it, please say why: the reason stands in the log.',
  no_line: () => 'There is no line yet.',
  line_not_fixed: () => 'Please fix the line first.',
  names_covered: () => 'The names are covered until an owner shows them.',
  without_names_only: () => 'You can take only the file without names.',
  results_not_ready: ({ state }) => NOT_READY[state],
  release_hindered: ({ obstacles }) =>
    `${describeObstacles(obstacles)} Settle it first, or say why the results go out all the same.`,
  already_released: () => 'The results are released already.',
  not_released: () => 'The results are not released.',
  writing_busy: () =>
    'Many files are being written just now. Please try again in a minute; nothing is lost.',
}

/** 'Question 7 probably has a wrong key. 9 incidents are undecided, or wait for a talk.' */
export function describeObstacles({ keys, incidents, lateAnswers }: Obstacles): string {
  const positions = keys.map(({ position }) => position)
  return [
    ...(positions.length === 0
      ? []
      : positions.length === 1
        ? [`Question ${positions[0]} probably has a wrong key.`]
        : [`Questions ${positions.join(', ')} probably have wrong keys.`]),
    ...(incidents === 0
      ? []
      : [
          `${countOf(incidents, 'incident')} ${incidents === 1 ? 'is' : 'are'} undecided, or ${incidents === 1 ? 'waits' : 'wait'} for a talk.`,
        ]),
    ...(lateAnswers === 0
      ? []
      : [`${countOf(lateAnswers, 'late answer')} ${lateAnswers === 1 ? 'is' : 'are'} undecided.`]),
  ].join(' ')
}

const STATUS: Partial<Record<RefusalCode, 400 | 403 | 404 | 409 | 503>> = {
  stale_line: 409,
  line_fixed: 409,
  no_line: 409,
  line_not_fixed: 409,
  names_covered: 409,
  without_names_only: 403,
  results_not_ready: 409,
  release_hindered: 409,
  already_released: 409,
  not_released: 409,
  writing_busy: 503,
  no_such_candidate: 404,
  no_such_assessment: 404,
  assessment_deleted: 404,
  reason_missing: 400,
}

/** What an act returns, or its refusal as the API says it. Errors: ApiError. */
export async function answered<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (error) {
    if (!(error instanceof OrganiserRefusal)) throw error
    const status = STATUS[error.code as RefusalCode]
    if (status === undefined) throw error
    throw new ApiError(status, ...worded(error))
  }
}

function worded({
  code,
  facts,
}: OrganiserRefusal): [code: string, sentence: string, more?: { more: Record<string, unknown> }] {
  switch (code) {
    case 'no_such_assessment':
    case 'assessment_deleted':
      return ['not_found', 'There is no such assessment any more.']
    case 'no_such_candidate':
      return ['not_found', 'There is no result of this candidate.']
    case 'reason_missing':
      return [code, 'Please give a reason in words: it is kept for an appeal.']
    case 'stale_line': {
      const { line } = facts as RefusalFacts['stale_line']
      return ['stale', RESULT_SENTENCES.stale_line({ line }), { more: { line } }]
    }
    case 'release_hindered': {
      const { obstacles } = facts as RefusalFacts['release_hindered']
      return [code, RESULT_SENTENCES.release_hindered({ obstacles }), { more: { obstacles } }]
    }
    default:
      return [code, (RESULT_SENTENCES[code as ResultRefusal] as (facts: unknown) => string)(facts)]
  }
}
