import sql, { raw } from 'sql-template-tag'
import { incidentWords } from '../../../assessments/incident-words.ts'
import { referenceOf } from '../../../assessments/reference.ts'
import { WAS_ENDED } from '../../../assessments/server/time-store.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import type { AssessmentRow } from '../../access/server/assessments.ts'
import type { AnswerTable, TableRow } from '../../incidents/server/answer-table.ts'
import { type IncidentCandidate, readIncidents } from '../../incidents/server/read-incidents.ts'
import { openCounts, openOf } from '../../incidents/server/undecided.ts'
import type { Client } from '../../kit/server/action.ts'
import type { ScoreGroup } from '../../kit/statistics/reliability.ts'
import { formScores } from './scores.ts'

interface DecidedIncident {
  /** when it happened; null if it no longer is an incident */
  at: Date | null
  /** a sentence without answer letters and names */
  what: string
  verdict: 'cleared' | 'upheld' | 'needs_talk'
  reason: string
  decidedBy: string
  decidedAt: Date
}

interface StoredResult {
  candidateId: string
  username: string
  name: string | null
  email: string | null
  room: string | null
  correct: number
  incorrect: number
  /** mm:ss */
  time: string
  allowedSeconds: number
  cheated: boolean
  /** an organizer ended the attempt before its time was up */
  endedBySociety: boolean
  /** seconds added on the day; negative if the end was moved forward */
  givenSeconds: number
  corrections: Correction[]
}

interface Correction {
  question: number
  kind: 'accept' | 'replace' | 'void' | 'full_marks'
  option: string | null
  /** points that the candidate gained or lost; null if unknown */
  change: number | null
}

export interface ResultFacts extends StoredResult, TableRow {
  reference: string
  /** questions that count */
  items: number
  /** the margin of error in whole points; null if the scores support no order */
  error: number | null
  /** group number from 1 and number of groups, with the group's size and score range; null as above */
  group: { number: number; of: number; count: number; high: number; low: number } | null
  incidents: DecidedIncident[]
  undecided: number
}

/** Reads all results of a test with their details, by blind number. */
export async function readResultFacts(
  client: Client,
  { code, durationSeconds }: AssessmentRow,
  table: AnswerTable,
): Promise<ResultFacts[]> {
  const { rows } = await client.query<StoredResult>(
    sql`select c.id as "candidateId", c.username, c.name, c.email, c.room, r.correct, r.incorrect, r.time, r.cheated,
       ${durationSeconds}::int + c.extra_seconds as "allowedSeconds", t.incident_seconds as "givenSeconds",
       t.submit_reason = 'deadline' and ${raw(WAS_ENDED)} as "endedBySociety",
       (select coalesce(jsonb_agg(jsonb_build_object('question', i.position, 'kind', s.kind,
            'option', s.accepted_option, 'change', x.correct_after - x.correct_before)
            order by i.position, s.id), '[]')
          from standing_rulings s join assessment_items i on i.id = s.item_id and i.id = any (t.paper)
          left join ruling_results x on x.ruling_id = s.id and x.attempt_id = t.id) as corrections
     from assessment_results r join attempts t on t.id = r.attempt_id
     join candidates c on c.id = t.candidate_id
     where r.assessment = ${code} and not r.is_demo`,
  )
  const stored = new Map(rows.map((row) => [row.candidateId, row]))
  const candidates = await readIncidents(client, code)
  const undecided = openCounts(openOf(candidates))
  const decided = await readDecided(client, code, candidates)
  const found: ResultFacts[] = []
  for (const { rows: sat, groups, scores, margin } of await formScores(table)) {
    const groupOf = groupsOf(sat, groups ?? [])
    await mapInSlices(sat.entries(), ([index, row]) => {
      const result = stored.get(row.candidateId)
      if (!result) return
      found.push({
        ...row,
        ...result,
        reference: referenceOf({ id: row.attemptId }),
        items: scores.items.length,
        error: margin,
        group: groupOf.get(index) ?? null,
        incidents: decided.get(row.candidateId) ?? [],
        undecided: undecided.get(row.candidateId) ?? 0,
      })
    })
  }
  return found.sort((a, b) => a.number - b.number)
}

export type Absentee = Pick<StoredResult, 'username' | 'name' | 'email' | 'room'>

/** Reads the listed candidates who never started, by name. */
export async function readAbsentees(client: Client, code: string): Promise<Absentee[]> {
  const { rows } = await client.query<Absentee>(
    sql`select c.username, c.name, c.email, c.room from candidates c
     where c.assessment = ${code} and not c.is_demo and c.revoked_at is null
       and not exists (select from attempts t where t.candidate_id = c.id)
     order by coalesce(c.name, c.username), c.id`,
  )
  return rows
}

/** Finds each candidate's group once, since a test can have 5,000 candidates in one group. */
function groupsOf(sat: readonly TableRow[], groups: readonly ScoreGroup[]) {
  const found = new Map<number, ResultFacts['group']>()
  for (const [at, { high, low, candidates }] of groups.entries()) {
    const count = candidates.filter((one) => !sat[one]?.isExcluded).length
    for (const one of candidates)
      found.set(one, { number: at + 1, of: groups.length, count, high, low })
  }
  return found
}

/** Reads decisions in effect, by candidate, with their subject. */
async function readDecided(
  client: Client,
  code: string,
  candidates: readonly IncidentCandidate[],
): Promise<Map<string, DecidedIncident[]>> {
  const { rows } = await client.query<
    Omit<DecidedIncident, 'at' | 'what'> & { candidateId: string; incident: string }
  >(
    sql`select v.candidate_id as "candidateId", v.incident, v.verdict, v.reason,
       v.decided_by as "decidedBy", v.decided_at as "decidedAt"
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = ${code} and v.withdrawn_at is null order by v.decided_at, v.id`,
  )
  const incidentsOf = new Map(candidates.map((one) => [one.candidateId, one.incidents]))
  const decided = new Map<string, DecidedIncident[]>()
  for (const { candidateId, incident, ...verdict } of rows) {
    const about = incidentsOf.get(candidateId)?.find(({ name }) => name === incident)
    const what = !about
      ? 'Not there anymore.'
      : about.report
        ? 'Reported by a helper.'
        : incidentWords(about, () => '').lead
    const earlier = decided.get(candidateId) ?? []
    decided.set(candidateId, [...earlier, { ...verdict, what, at: about?.at ?? null }])
  }
  return decided
}
