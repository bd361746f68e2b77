import type { Obstacles } from '../../contract/results.ts'
import type { Client } from '../action.ts'
import { findSuspiciousKeys } from '../analysis/suspicious-keys.ts'
import type { AssessmentRow } from '../assessments.ts'
import { countAcceptableLate, countLateCandidates } from '../incidents/late-answers.ts'
import type { AnswerTable } from './answer-table.ts'
import { crossingBy, type FormScores } from './form-scores.ts'

/** Only once it is over anybody's score is shown. */
export type ResultState = 'nobody' | 'can_start' | 'inside' | 'over'

/** Whether everybody is out, and nobody can come in any more. */
export function stateOf(
  { closesAt }: Pick<AssessmentRow, 'closesAt'>,
  { rows, openCount }: Pick<AnswerTable, 'rows' | 'openCount'>,
  now: Date,
): ResultState {
  if (openCount > 0) return 'inside'
  if (closesAt && closesAt > now) return 'can_start'
  return rows.length === 0 ? 'nobody' : 'over'
}

/** What should be settled before anybody reads a result (product 7.17.12). */
export async function readObstacles(
  client: Client,
  code: string,
  known: {
    table: AnswerTable
    forms: readonly FormScores[]
    /** points */
    line: number | null
    undecided: ReadonlyMap<string, number>
  },
): Promise<Obstacles> {
  const { table, forms, line, undecided } = known
  const keys = await findSuspiciousKeys(client, code, table)
  return {
    keys: keys.map((position) => ({
      position,
      crossing: line === null ? null : crossingBy(forms, position, line),
    })),
    incidents: [...undecided.values()].reduce((sum, count) => sum + count, 0),
    lateAnswers: await countAcceptableLate(client, code),
    lateCandidates: await countLateCandidates(client, code),
  }
}
