import { incidentWords } from '../../../../assessments/incident-words.ts'
import { referenceOf } from '../../../../assessments/reference.ts'
import type { Client } from '../../action.ts'
import type { AssessmentRow } from '../../assessments.ts'
import { type IncidentCandidate, readIncidents } from '../../incidents/read-incidents.ts'
import { openCounts, openOf } from '../../incidents/undecided.ts'
import type { AnswerTable } from '../answer-table.ts'
import { formScores } from '../form-scores.ts'

/** A decision on one of a candidate's incidents. */
export interface DecidedIncident {
  /** when it happened; null where it is no incident any more */
  at: Date | null
  /** in a sentence, without letters of answers and names */
  what: string
  verdict: 'cleared' | 'upheld' | 'needs_talk'
  reason: string
  decidedBy: string
  decidedAt: Date
}

/** What files tell about one candidate's result. */
export interface ResultFacts {
  candidateId: string
  number: number
  username: string
  name: string | null
  room: string | null
  reference: string
  form: 'A' | 'B' | null
  correct: number
  incorrect: number
  /** questions that count */
  items: number
  /** one standard error at this score, whole points; null where no order is supported */
  error: number | null
  /** from 1, of so many, with its highest and lowest score; null as above */
  group: { number: number; of: number; count: number; high: number; low: number } | null
  /** mm:ss */
  time: string
  allowedSeconds: number
  cheated: boolean
  startedAt: Date
  submittedAt: Date
  submitReason: string
  answered: number
  incidents: DecidedIncident[]
  undecided: number
}

type StoredDecision = Omit<DecidedIncident, 'at' | 'what'> & {
  candidateId: string
  incident: string
}

type Stored = Pick<
  ResultFacts,
  'candidateId' | 'username' | 'name' | 'room' | 'correct' | 'incorrect' | 'time' | 'cheated'
> & { extraSeconds: number }

/** Everybody's result with what belongs to it, by blind number. */
export async function readResultFacts(
  client: Client,
  { code, durationSeconds }: Pick<AssessmentRow, 'code' | 'durationSeconds'>,
  table: AnswerTable,
): Promise<ResultFacts[]> {
  const { rows } = await client.query<Stored>(
    `select c.id as "candidateId", c.username, c.name, c.room, r.correct, r.incorrect, r.time, r.cheated,
       c.extra_seconds as "extraSeconds"
     from assessment_results r join attempts a on a.id = r.attempt_id
     join candidates c on c.id = a.candidate_id
     where r.assessment = $1 and not r.is_demo`,
    [code],
  )
  const stored = new Map(rows.map((row) => [row.candidateId, row]))
  const { rows: decided } = await client.query<StoredDecision>(
    `select v.candidate_id as "candidateId", v.incident, v.verdict, v.reason,
       v.decided_by as "decidedBy", v.decided_at as "decidedAt"
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = $1 and v.withdrawn_at is null order by v.decided_at, v.id`,
    [code],
  )
  const candidates = await readIncidents(client, code)
  const undecided = openCounts(openOf(candidates))
  const incidents = decidedOf(decided, candidates)
  return formScores(table)
    .flatMap(({ rows: sat, scores, groups, errors, form }) =>
      sat.flatMap((row, index): ResultFacts[] => {
        const known = stored.get(row.candidateId)
        if (!known) return []
        const { extraSeconds, ...result } = known
        const total = scores.totals[index] as number
        const place = groups?.findIndex(({ candidates }) => candidates.includes(index)) ?? -1
        const group = groups?.[place]
        return [
          {
            ...{ ...result, form, number: row.number, items: scores.items.length },
            reference: referenceOf({ id: row.attemptId }),
            error: errors?.[total] ?? null,
            group:
              groups && group
                ? {
                    ...{ number: place + 1, of: groups.length, count: group.candidates.length },
                    ...{ high: group.high, low: group.low },
                  }
                : null,
            allowedSeconds: durationSeconds + extraSeconds,
            startedAt: row.startedAt,
            submittedAt: row.submittedAt,
            submitReason: row.submitReason,
            answered: row.choices.filter((choice) => choice).length,
            incidents: incidents.get(row.candidateId) ?? [],
            undecided: undecided.get(row.candidateId) ?? 0,
          },
        ]
      }),
    )
    .sort((a, b) => a.number - b.number)
}

/** What was decided about each candidate, with what it is about. */
function decidedOf(
  decided: readonly StoredDecision[],
  candidates: readonly IncidentCandidate[],
): Map<string, DecidedIncident[]> {
  const happened = new Map(
    candidates.flatMap(({ candidateId, incidents }) =>
      incidents.map((one) => [`${candidateId} ${one.name}`, one] as const),
    ),
  )
  const found = new Map<string, DecidedIncident[]>()
  for (const { candidateId, incident, ...verdict } of decided) {
    const about = happened.get(`${candidateId} ${incident}`)
    const what = about
      ? about.report
        ? 'Reported by a helper.'
        : incidentWords(about, () => '').lead
      : 'Not there any more.'
    const own = found.get(candidateId) ?? []
    found.set(candidateId, [...own, { ...verdict, what, at: about?.at ?? null }])
  }
  return found
}
