import { type Incident, isIncident, plainFinding } from '../../../assessments/attempt-log.ts'
import { readHistories } from '../../../assessments/server/history-store.ts'
import type { Client } from '../action.ts'
import type { Verdict } from '../tables.ts'
import type { Presence } from './company.ts'

export interface StoredVerdict {
  id: string
  verdict: Verdict
  reason: string
  by: string
  /** null when the account is gone */
  userId: string | null
  at: Date
  withdrawnAt: Date | null
  withdrawnBy: string | null
}

/** What a member wrote about a candidate, a room or all. */
export interface StoredReport {
  id: string
  candidateId: string | null
  room: string | null
  at: Date
  note: string
  by: string
  userId: string | null
}

/** Whether anything is left to decide: 'none' was asked or decided. */
export type VerdictState = 'none' | 'waiting' | 'needs_talk' | 'decided'

export interface JudgedIncident extends Incident {
  /** when it happened */
  at: Date
  /** whether a member has to decide about it */
  asks: boolean
  report: StoredReport | null
  /** those that were taken back too, oldest first */
  verdicts: StoredVerdict[]
  state: VerdictState
}

export interface IncidentCandidate {
  candidateId: string
  /** stands for the candidate where the name is covered; null: has not started */
  number: number | null
  room: string | null
  /** when the candidate wrote to the society, or changed it last; null: nothing stands there */
  commentedAt: Date | null
  attempt: { id: string; startedAt: Date; submittedAt: Date | null; deadlineAt: Date } | null
  incidents: JudgedIncident[]
}

type Row = Omit<IncidentCandidate, 'incidents' | 'attempt'> & {
  attemptId: string | null
  startedAt: Date
  submittedAt: Date | null
  deadlineAt: Date
}

/** Which candidates, and how closely. */
export interface Asked {
  candidateId?: string
  /** these alone */
  only?: readonly string[]
  /** an invigilator's */
  room?: string | null
  /** with questions and quick answers, which need all saves */
  isWhole?: boolean
}

/**
 * What happened to the candidates of an assessment, with what was decided about it (product 7.16.1). Nobody is
 * in it who has neither started nor was reported. Demo candidates are left out.
 */
export async function readIncidents(
  client: Client,
  code: string,
  { candidateId, only, room = null, isWhole = false }: Asked = {},
): Promise<IncidentCandidate[]> {
  const ids = candidateId ? [candidateId] : (only ?? null)
  const rows = await readRows(client, code, ids, room)
  const reports = await readReports(client, code)
  const verdicts = await readVerdicts(client, code, ids)
  const attemptIds = rows.flatMap(({ attemptId }) => attemptId ?? [])
  const histories = await readHistories(client, attemptIds, { isWhole })
  const candidates = rows.map((row): IncidentCandidate => {
    const { attemptId, startedAt, submittedAt, deadlineAt, ...shown } = row
    const startMs = attemptId ? startedAt.getTime() : null
    const own = reports.filter((one) => concerns(one, row))
    const incidents = (histories.get(attemptId ?? '')?.findings ?? [])
      .filter(isIncident)
      .map((one) => ({ ...one, at: new Date((startMs ?? 0) + one.atMs), report: null }))
    const reported = own.map((report) => ({
      ...plainFinding({
        name: `report:${report.id}`,
        kind: 'report',
        weight: report.candidateId === null ? 'note' : 'decision',
        atMs: report.at.getTime() - (startMs ?? report.at.getTime()),
      }),
      at: report.at,
      report,
    }))
    return {
      ...shown,
      attempt: attemptId ? { id: attemptId, startedAt, submittedAt, deadlineAt } : null,
      incidents: [...incidents, ...reported]
        .sort((a, b) => a.at.getTime() - b.at.getTime())
        .map((one) => {
          const decided = verdicts.get(`${row.candidateId} ${one.name}`) ?? []
          const asks = one.weight === 'decision'
          return { ...one, asks, verdicts: decided, state: stateOf(asks, decided) }
        }),
    }
  })
  return candidates.filter(({ attempt, incidents }) => attempt || incidents.length > 0)
}

/** A room's report is a note for each of its candidates, and decides about nobody. */
const concerns = (report: StoredReport, { candidateId, room }: Row): boolean =>
  report.candidateId === candidateId ||
  (report.candidateId === null && (report.room === null || report.room === room))

/** The verdict that counts: at most one of an incident's was not taken back. */
export const standingVerdict = (verdicts: readonly StoredVerdict[]): StoredVerdict | undefined =>
  verdicts.find(({ withdrawnAt }) => withdrawnAt === null)

/** How an incident stands. Who needs a talk is not decided about (product 7.16.11). */
function stateOf(asks: boolean, verdicts: readonly StoredVerdict[]): VerdictState {
  const standing = standingVerdict(verdicts)
  if (!standing) return asks ? 'waiting' : 'none'
  // A talk decides nothing, but what asks for no verdict any more waits for none.
  return asks && standing.verdict === 'needs_talk' ? 'needs_talk' : 'decided'
}

/** Whether a state leaves something to do. */
export const isUndecided = (state: VerdictState): boolean => state !== 'none' && state !== 'decided'

/** When everybody was inside and away, for companyOf. */
export function presencesOf(candidates: readonly IncidentCandidate[], now: Date): Presence[] {
  return candidates.flatMap(({ candidateId, room, attempt, incidents }) => {
    if (!attempt) return []
    const endMs = (attempt.submittedAt ?? now).getTime()
    const away = incidents
      .filter(({ kind }) => kind === 'away')
      .map(({ at, lengthMs }) => ({
        fromMs: at.getTime(),
        toMs: lengthMs === null ? endMs : at.getTime() + lengthMs,
      }))
    return [{ candidateId, room, fromMs: attempt.startedAt.getTime(), toMs: endMs, away }]
  })
}

async function readRows(
  client: Client,
  code: string,
  candidateIds: readonly string[] | null,
  room: string | null,
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select c.id as "candidateId", b.number, c.room, a.id as "attemptId", a.started_at as "startedAt",
       a.submitted_at as "submittedAt", a.deadline_at as "deadlineAt", t.written_at as "commentedAt"
     from candidates c
     left join attempts a on a.candidate_id = c.id
     left join attempt_comments t on t.attempt_id = a.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = $1 and not c.is_demo and ($2::uuid[] is null or c.id = any ($2))
       and ($3::text is null or c.room = $3)
     order by b.number nulls last, c.id`,
    [code, candidateIds, room],
  )
  return rows
}

async function readReports(client: Client, code: string): Promise<StoredReport[]> {
  const { rows } = await client.query<StoredReport>(
    `select id, candidate_id as "candidateId", room, happened_at as at, note, reported_by as by,
       user_id as "userId"
     from incident_reports where assessment = $1 order by happened_at, id`,
    [code],
  )
  return rows
}

async function readVerdicts(
  client: Client,
  code: string,
  candidateIds: readonly string[] | null,
): Promise<Map<string, StoredVerdict[]>> {
  const { rows } = await client.query<StoredVerdict & { key: string }>(
    `select v.candidate_id || ' ' || v.incident as key, v.id, v.verdict, v.reason,
       v.decided_by as by, v.user_id as "userId", v.decided_at as at, v.withdrawn_at as "withdrawnAt", v.withdrawn_by as "withdrawnBy"
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = $1 and ($2::uuid[] is null or c.id = any ($2)) order by v.decided_at`,
    [code, candidateIds],
  )
  const verdicts = new Map<string, StoredVerdict[]>()
  for (const { key, ...verdict } of rows) {
    const own = verdicts.get(key)
    if (own) own.push(verdict)
    else verdicts.set(key, [verdict])
  }
  return verdicts
}
