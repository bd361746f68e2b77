import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'

/** A candidate's result (product 6.11.1). */
export interface CandidateResult {
  username: string
  correct: number
  incorrect: number
  /** mm:ss */
  time: string
  cheated: boolean
}

/** The results of everybody who is done, by username, demo attempts apart. Errors: OrganiserRefusal. */
export function exportResults(organiser: Organiser, code: string): Promise<CandidateResult[]> {
  return act(organiser, 'results', code, async (client) => {
    await requireAssessment(client, code)
    const { rows: results } = await client.query<CandidateResult>(
      `select "user" as username, correct, incorrect, time, cheated from assessment_results
       where assessment = $1 and not is_demo order by lower("user")`,
      [code],
    )
    return { result: results, detail: { count: results.length } }
  })
}
