import sql, { raw } from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import { mayIn } from '../../access/server/guard.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import {
  type AnswerTable,
  isFinished,
  readAnswerTable,
  type TableRow,
} from '../../incidents/server/answer-table.ts'
import { type OpenOf, openCounts, readOpen } from '../../incidents/server/undecided.ts'
import { type Client, read } from '../../kit/server/action.ts'
import { SHARES_FROM } from '../../kit/statistics/responses.ts'
import type { FormResults, getResults, Results, ScoredCandidate } from '../contract.ts'
import { readLooks, readShown } from './line.ts'
import { readRelease } from './release.ts'
import { readReaders } from './result-mail.ts'
import { type FormScores, formScores, readHidden, readObstacles, readState } from './scores.ts'

type SideBySide = Results['sideBySide']

/**
 * Reads all scores by blind number (product 7.17.1 to 7.17.4). There are none until the last candidate has finished.
 */
export function readResults(
  organizer: MemberInTest,
): Promise<Sendable<ResponseOf<typeof getResults>>> {
  const { code, now } = organizer
  return read(organizer, async (client) => {
    const assessment = await requireAssessment(client, organizer)
    const table = await readAnswerTable(client, code)
    const state = await readState(client, code, table, now)
    const { line, ...shown } = await readShown(client, code)
    const open = await readOpen(client, code)
    const undecided = openCounts(open)
    // After the lock, an open incident only shows next to the row (product 7.17.6).
    const hidden: ReadonlyMap<string, number> = line?.fixedAt ? new Map() : undecided
    const forms = state === 'over' ? await formScores(table, hidden) : []
    const told = { assessment, table, forms, open, undecided, hidden }
    return {
      state,
      insideCount: table.openCount,
      forms: await describeForms(client, organizer, told),
      sideBySide: state === 'over' ? await readSideBySide(client, organizer, hidden) : [],
      line,
      names: { ...shown, looks: await readLooks(client, code) },
      obstacles: await readObstacles(client, code, { table, forms, line, undecided }),
      release: await readRelease(client, code),
      readers: await readReaders(client, code),
    }
  })
}

async function describeForms(
  client: Client,
  { code, cover }: MemberInTest,
  of: {
    assessment: AssessmentRow
    table: AnswerTable
    forms: readonly FormScores[]
    open: ReadonlyMap<string, OpenOf>
    undecided: ReadonlyMap<string, number>
    /** candidates whose score is hidden */
    hidden: ReadonlyMap<string, number>
  },
): Promise<FormResults[]> {
  const { table, forms, open, undecided, hidden } = of
  if (forms.length === 0) return []
  const { rows } = await client.query<
    Pick<ScoredCandidate, 'id' | 'seconds' | 'allowedSeconds' | 'isEndedByStrikes' | 'excluded'>
  >(
    sql`select c.id,
       60 * floor((extract(epoch from a.submitted_at - a.started_at) - a.paused_ms / 1000.0) / 60)::int as seconds,
       ${of.assessment.durationSeconds}::int + c.extra_seconds as "allowedSeconds",
       a.submit_reason = 'violations' as "isEndedByStrikes",
       case when x.candidate_id is not null
         then jsonb_build_object('reason', x.reason, 'by', x.excluded_by) end as excluded
     from attempts a join candidates c on c.id = a.candidate_id
     left join ranking_exclusions x on x.candidate_id = c.id
     where a.assessment = ${code} and not a.is_demo and a.submitted_at is not null`,
  )
  const timings = new Map(rows.map((row) => [row.id, row]))
  const described: FormResults[] = []
  for (const { form, rows: sat, scores, reliability, error, groups, margin } of forms) {
    const describeOne = ([index, { candidateId, number }]: [number, TableRow]): ScoredCandidate => {
      const timing = timings.get(candidateId)
      // Both come from the same transaction.
      if (!timing) throw new Error('a closed attempt has no times')
      const {
        isUnwatched = false,
        isFast = false,
        strikes = 0,
        upheld = 0,
      } = open.get(candidateId) ?? {}
      const right = scores.totals[index] as number
      const seen = { isUnwatched, isFast, strikes, upheld, open: undecided.get(candidateId) ?? 0 }
      return { ...timing, id: cover(candidateId), number, right, ...seen }
    }
    const candidates = await mapInSlices(sat.entries(), describeOne)
    described.push({
      ...{ form, items: scores.items.length, reliability, error, margin },
      groups:
        groups?.map(({ high, low, candidates: members }) => ({
          ...{ high, low, count: members.filter((at) => candidates[at]?.excluded === null).length },
        })) ?? null,
      candidates,
      // A reviewer of an incident must not see that candidate's score under the same number (product 7.16.13).
      underReview: table.rows.flatMap(({ candidateId: id, number, form: own }) => {
        const count = hidden.get(id)
        return count === undefined || own !== form
          ? []
          : [{ id: cover(id), number, undecided: count }]
      }),
    })
  }
  return described
}

/**
 * Reads scores by form and session for members with access to scores (product 7.17.14). A single group gives an empty
 * list.
 * @param undecided candidates in this test to leave out; those of other tests are read here
 */
async function readSideBySide(
  client: Client,
  organizer: MemberInTest,
  undecided: ReadonlyMap<string, number>,
): Promise<SideBySide> {
  const { now, code } = organizer
  const { rows: sessions } = await client.query<{ code: string }>(
    sql`select a.code from (select ${now}::timestamptz as now) clock cross join assessments this
     join assessments a on a.code = this.code
       or a.society_id = this.society_id and a.season = this.season and a.deleted_at is null
         and not a.is_draft and ${raw(isFinished('a', 'clock.now'))} and ${mayIn(organizer, 'see_scores')}
     where this.code = ${code}`,
  )
  const hidden: string[] = []
  for (const { code: one } of sessions) {
    hidden.push(...(one === code ? undecided : await readHidden(client, one)).keys())
  }
  const { rows } = await client.query<
    Omit<SideBySide[number], 'middle'> & {
      mean: number
      quartiles: [number, number, number]
    }
  >(
    sql`select a.code, coalesce(a.session, a.code) as name, t.form, count(*)::int as people,
       max(g.correct + g.incorrect)::int as questions, avg(g.correct)::float8 as mean,
       percentile_cont(array[0.25, 0.5, 0.75]) within group (order by g.correct) as quartiles
     from assessments a
     join attempts t on t.assessment = a.code and not t.is_demo and t.submitted_at is not null
     join assessment_results g on g.attempt_id = t.id
     where a.code = any (${sessions.map((one) => one.code)}) and t.candidate_id <> all (${hidden}::uuid[])
     group by a.code, a.session, t.form order by min(t.started_at), a.code, t.form`,
  )
  if (rows.length < 2) return []
  return rows.map(({ mean, quartiles: [low, median, high], ...group }) => ({
    ...group,
    middle: group.people < SHARES_FROM ? null : { mean, median, low, high },
  }))
}
