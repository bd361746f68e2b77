import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { OrganiserInTest } from '../../access/server/serve-members.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import { type OpenOf, openCounts, readOpen } from '../../incidents/server/undecided.ts'
import { type Client, read } from '../../kit/server/action.ts'
import type { FormResults, getResults, ScoredCandidate } from '../contract.ts'
import { readLine, readNames } from './line.ts'
import { readRelease } from './release.ts'
import { type FormScores, formScores, readObstacles, stateOf } from './scores.ts'

/**
 * All scores under blind numbers (product 7.17.1 to 7.17.4), read at one moment; none before the last candidate has
 * finished. Leaves no line in the log.
 */
export function readResults(
  organiser: OrganiserInTest,
): Promise<Sendable<ResponseOf<typeof getResults>>> {
  const { code, now } = organiser
  return read(organiser, async (client) => {
    const assessment = await requireAssessment(client, organiser)
    const table = await readAnswerTable(client, code)
    const state = stateOf(assessment, table, now)
    const forms = state === 'over' ? formScores(table) : []
    const line = await readLine(client, code)
    const open = await readOpen(client, code)
    const undecided = openCounts(open)
    return {
      state,
      insideCount: table.openCount,
      forms: await describeForms(client, assessment, forms, open, undecided),
      line,
      names: await readNames(client, code),
      obstacles: await readObstacles(client, code, { table, forms, line, undecided }),
      release: await readRelease(client, code),
    }
  })
}

async function describeForms(
  client: Client,
  { code, durationSeconds }: AssessmentRow,
  forms: readonly FormScores[],
  open: ReadonlyMap<string, OpenOf>,
  undecided: ReadonlyMap<string, number>,
): Promise<FormResults[]> {
  if (forms.length === 0) return []
  const { rows } = await client.query<
    Pick<ScoredCandidate, 'id' | 'seconds' | 'allowedSeconds' | 'isEndedByStrikes'>
  >(
    `select c.id,
       floor(extract(epoch from a.submitted_at - a.started_at) - a.paused_ms / 1000.0)::int as seconds,
       $2::int + c.extra_seconds as "allowedSeconds",
       a.submit_reason = 'violations' as "isEndedByStrikes"
     from attempts a join candidates c on c.id = a.candidate_id
     where a.assessment = $1 and not a.is_demo and a.submitted_at is not null`,
    [code, durationSeconds],
  )
  const timings = new Map(rows.map((row) => [row.id, row]))
  return forms.map(({ form, rows: sat, scores, reliability, error, groups, errors }) => {
    const candidates: (ScoredCandidate | null)[] = sat.map(({ candidateId, number }, index) => {
      const timing = timings.get(candidateId)
      // A reviewer who decides on an incident under a number must not read the score of that number (product 7.16.13).
      if (undecided.has(candidateId) || !timing) return null
      const { isUnwatched = false, strikes = 0, upheld = 0 } = open.get(candidateId) ?? {}
      const right = scores.totals[index] as number
      return { ...timing, number, right, isUnwatched, strikes, upheld }
    })
    return {
      ...{ form, items: scores.items.length, reliability, error, errors },
      groups:
        groups?.map(({ high, low, candidates: members }) => ({
          ...{ high, low, count: members.filter((at) => candidates[at]).length },
        })) ?? null,
      candidates: candidates.filter((one) => one !== null),
      underReview: sat.flatMap(({ candidateId: id, number }) => {
        const count = undecided.get(id)
        return count === undefined ? [] : [{ id, number, undecided: count }]
      }),
    }
  })
}
