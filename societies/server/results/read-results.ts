import type {
  FormResults,
  Obstacles,
  Release,
  ResultLine,
  SideBySide,
} from '../../contract/results.ts'
import { type Client, type Organiser, read } from '../action.ts'
import { type AssessmentRow, requireAssessment } from '../assessments.ts'
import { type OpenOf, openCounts, readOpen } from '../incidents/undecided.ts'
import { readAnswerTable, type TableRow } from './answer-table.ts'
import { type FormScores, formScores } from './form-scores.ts'
import { readLine } from './line.ts'
import { readLooks } from './names.ts'
import { type ResultState, readObstacles, stateOf } from './obstacles.ts'
import { readRelease } from './release.ts'
import { readSideBySide } from './side-by-side.ts'

export interface Results {
  state: ResultState
  insideCount: number
  forms: FormResults[]
  sideBySide: SideBySide[]
  line: ResultLine | null
  names: {
    shownAt: string | null
    shownBy: string | null
    looks: { by: string; count: number }[]
  }
  obstacles: Obstacles
  release: Release | null
}

/**
 * Everybody's score under a blind number (product 7.17.1 to 7.17.4), all of it at one moment. Nobody's score is
 * in it before the last one is out. Leaves no note.
 * Errors: OrganiserRefusal.
 */
export function readResults(organiser: Organiser, code: string): Promise<Results> {
  return read(organiser, async (client) => {
    const assessment = await requireAssessment(client, code)
    const table = await readAnswerTable(client, code)
    const state = stateOf(assessment, table, organiser.now)
    const forms = state === 'over' ? formScores(table) : []
    const line = await readLine(client, code)
    const open = await readOpen(client, code)
    const undecided = openCounts(open)
    return {
      state,
      insideCount: table.openCount,
      forms: await describeForms(client, assessment, forms, open),
      sideBySide: state === 'over' ? await readSideBySide(client, organiser, code) : [],
      line: line?.shown ?? null,
      names: {
        shownAt: line?.namesShownAt?.toISOString() ?? null,
        shownBy: line?.namesShownBy ?? null,
        looks: await readLooks(client, code),
      },
      obstacles: await readObstacles(client, code, {
        ...{ table, forms, undecided, line: line?.points ?? null },
      }),
      release: await readRelease(client, code),
    }
  })
}

/** How long each one took and had, by attempt. */
interface Timing {
  attemptId: string
  seconds: number
  allowedSeconds: number
  isEndedByStrikes: boolean
}

async function describeForms(
  client: Client,
  { code, durationSeconds }: AssessmentRow,
  forms: readonly FormScores[],
  open: ReadonlyMap<string, OpenOf>,
): Promise<FormResults[]> {
  if (forms.length === 0) return []
  const undecided = openCounts(open)
  const { rows } = await client.query<Timing>(
    `select a.id as "attemptId",
       floor(extract(epoch from a.submitted_at - a.started_at) - a.paused_ms / 1000.0)::int as seconds,
       $2::int + c.extra_seconds as "allowedSeconds",
       a.submit_reason = 'violations' as "isEndedByStrikes"
     from attempts a join candidates c on c.id = a.candidate_id
     where a.assessment = $1 and not a.is_demo and a.submitted_at is not null`,
    [code, durationSeconds],
  )
  const timings = new Map(rows.map((row) => [row.attemptId, row]))
  // Who decides on an incident under a number is not to read the score of the same number here (product 7.16.13).
  const isUnderReview = ({ candidateId }: { candidateId: string }) => undecided.has(candidateId)
  return forms.map(({ form, rows: sat, scores, reliability, error, groups, errors, middle }) => ({
    form,
    items: scores.items.length,
    reliability,
    error,
    groups:
      groups?.map(({ high, low, candidates }) => ({
        ...{ high, low },
        count: candidates.filter((at) => !isUnderReview(sat[at] as TableRow)).length,
      })) ?? null,
    errors,
    middle,
    underReview: sat.filter(isUnderReview).map(({ candidateId, number }) => ({
      ...{ id: candidateId, number },
      undecided: undecided.get(candidateId) ?? 0,
    })),
    candidates: sat.flatMap((one, index) => {
      if (isUnderReview(one)) return []
      const { candidateId, attemptId, number } = one
      return [
        {
          id: candidateId,
          number,
          right: scores.totals[index] as number,
          seconds: timings.get(attemptId)?.seconds ?? 0,
          allowedSeconds: timings.get(attemptId)?.allowedSeconds ?? durationSeconds,
          isUnwatched: open.get(candidateId)?.isUnwatched ?? false,
          strikes: open.get(candidateId)?.strikes ?? 0,
          isEndedByStrikes: timings.get(attemptId)?.isEndedByStrikes ?? false,
          upheld: open.get(candidateId)?.upheld ?? 0,
        },
      ]
    }),
  }))
}
