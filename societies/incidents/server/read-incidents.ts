import sql, { type Sql } from 'sql-template-tag'
import {
  groupBy,
  type Incident,
  isIncident,
  plainFinding,
} from '../../../assessments/attempt-log.ts'
import { type History, readHistories } from '../../../assessments/server/history-store.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import type { Client } from '../../kit/server/action.ts'
import type { ShownIncident, VerdictWord } from '../contract.ts'

interface StoredVerdict {
  /** The candidate's id and the incident's name. */
  about: string
  id: string
  verdict: VerdictWord
  reason: string
  by: string
  /** Null if the account was deleted. */
  userId: string | null
  at: Date
  withdrawnAt: Date | null
  withdrawnBy: string | null
}

interface StoredReport {
  id: string
  candidateId: string | null
  room: string | null
  of: 'candidate' | 'room' | 'all'
  at: Date
  note: string
  by: string
  userId: string | null
}

export interface JudgedIncident extends Incident {
  at: Date
  /** Whether a member has to decide the incident. */
  asks: boolean
  report: StoredReport | null
  /** Includes withdrawn verdicts, oldest first. */
  verdicts: StoredVerdict[]
  /** The pending decision; 'none' means no decision is needed. */
  state: ShownIncident['state']
}

export interface IncidentCandidate {
  candidateId: string
  /** Replaces the hidden name; null if the candidate has not started. */
  number: number | null
  room: string | null
  /** When the candidate last wrote or changed the comment to the society. */
  commentedAt: Date | null
  attempt: { id: string; startedAt: Date; submittedAt: Date | null; deadlineAt: Date } | null
  incidents: JudgedIncident[]
  /** The events the incidents are derived from; null if the candidate has not started. */
  history: History | null
}

type Row = Omit<IncidentCandidate, 'incidents' | 'attempt' | 'history'> & {
  attemptId: string | null
  startedAt: Date
  submittedAt: Date | null
  deadlineAt: Date
}

/**
 * Reads the incidents of a test's candidates with their verdicts (product 7.16.1). Leaves out demo candidates, and
 * candidates who neither started nor were reported.
 * @param asked.room the invigilator's room
 * @param asked.isWhole for one candidate's page, adds questions and quick answers, which need all saves, and reports
 *   on the room and on all. For all candidates this would be too much data for a node.
 */
export async function readIncidents(
  client: Client,
  code: string,
  asked: { only?: readonly string[]; room?: string | null; isWhole?: boolean } = {},
): Promise<IncidentCandidate[]> {
  const { only = null, room = null, isWhole = false } = asked
  const { rows } = await client.query<Row>(
    sql`select c.id as "candidateId", b.number, c.room, a.id as "attemptId", a.started_at as "startedAt",
       a.submitted_at as "submittedAt", a.deadline_at as "deadlineAt", t.written_at as "commentedAt"
     from candidates c
     left join attempts a on a.candidate_id = c.id
     left join attempt_comments t on t.attempt_id = a.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = ${code} and not c.is_demo and (${only}::uuid[] is null or c.id = any (${only}))
       and (${room}::text is null or c.room = ${room})
     order by b.number nulls last, c.id`,
  )
  const reports = await readReports(
    client,
    sql`r.assessment = ${code} and (r.candidate_id is null and ${isWhole}
      or r.candidate_id = any (coalesce(${only}::uuid[], array[r.candidate_id])))`,
  )
  const notes = reports.filter(({ candidateId }) => candidateId === null)
  const reportsOn = groupBy(reports, ({ candidateId }) => candidateId ?? '')
  const { rows: verdicts } = await client.query<StoredVerdict>(
    sql`select v.candidate_id || ' ' || v.incident as about, v.id, v.verdict, v.reason,
       v.decided_by as by, v.user_id as "userId", v.decided_at as at,
       v.withdrawn_at as "withdrawnAt", v.withdrawn_by as "withdrawnBy"
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = ${code} and (${only}::uuid[] is null or c.id = any (${only})) order by v.decided_at`,
  )
  const verdictsOn = groupBy(verdicts, ({ about }) => about)
  const attemptIds = rows.flatMap(({ attemptId }) => attemptId ?? [])
  const histories = await readHistories(client, attemptIds, { isWhole })
  const candidates = await mapInSlices(rows, ({ attemptId, startedAt, ...given }) => {
    const { submittedAt, deadlineAt, ...row } = given
    const history = histories.get(attemptId ?? '') ?? null
    const happened = (history?.findings ?? [])
      .filter(isIncident)
      .map((one) => ({ ...one, at: new Date(startedAt.getTime() + one.atMs), report: null }))
    // A report on a room is a note for each of its candidates and asks for no decision.
    const noted = notes.filter(({ room }) => room === null || room === row.room)
    const reported = [...(reportsOn.get(row.candidateId) ?? []), ...noted].map((report) => ({
      ...plainFinding({
        name: `report:${report.id}`,
        kind: 'report',
        weight: report.of === 'candidate' ? 'decision' : 'note',
        atMs: attemptId ? report.at.getTime() - startedAt.getTime() : 0,
      }),
      at: report.at,
      report,
    }))
    const incidents = [...happened, ...reported]
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .map((one): JudgedIncident => {
        const decided = verdictsOn.get(`${row.candidateId} ${one.name}`) ?? []
        const asks = one.weight === 'decision'
        return { ...one, asks, verdicts: decided, state: stateOf(asks, decided) }
      })
    const attempt = attemptId ? { id: attemptId, startedAt, submittedAt, deadlineAt } : null
    return { ...row, attempt, incidents, history }
  })
  return candidates.filter(({ attempt, incidents }) => attempt || incidents.length > 0)
}

/** Reads reports, earliest first. @param which a condition on incident_reports r */
async function readReports(client: Client, which: Sql): Promise<StoredReport[]> {
  const { rows } = await client.query<StoredReport>(
    sql`select r.id, r.candidate_id as "candidateId", r.room, r.happened_at as at, r.note,
      r.reported_by as by, r.user_id as "userId", case when r.candidate_id is not null then 'candidate'
        when r.room is not null then 'room' else 'all' end as of
      from incident_reports r where ${which} order by r.happened_at, r.id`,
  )
  return rows
}

/** Reads reports on rooms and on all candidates. @param room the invigilator's room */
export const readNotes = (client: Client, code: string, room: string | null) =>
  readReports(
    client,
    sql`r.assessment = ${code} and r.candidate_id is null
      and (${room}::text is null or r.room is null or r.room = ${room})`,
  )

/** Returns the verdict that counts. An incident has at most one that was not withdrawn. */
export const standingVerdict = (verdicts: readonly StoredVerdict[]): StoredVerdict | undefined =>
  verdicts.find(({ withdrawnAt }) => withdrawnAt === null)

/** A verdict that asks for follow-up leaves the incident open (product 7.16.11), unless it no longer needs a decision. */
function stateOf(asks: boolean, verdicts: readonly StoredVerdict[]): JudgedIncident['state'] {
  const standing = standingVerdict(verdicts)
  if (!standing) return asks ? 'waiting' : 'none'
  return asks && standing.verdict === 'needs_talk' ? 'needs_talk' : 'decided'
}
