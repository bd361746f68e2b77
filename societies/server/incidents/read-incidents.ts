import {
  gatherIncidents,
  type Incident,
  type LoggedAttempt,
  plainIncident,
} from '../../../assessments/incidents.ts'
import { readLogged } from '../../../assessments/server/event-store.ts'
import type { Client } from '../action.ts'
import { readMarks } from '../attempt-facts.ts'
import type { Mark } from '../marks.ts'
import type { Verdict } from '../tables.ts'
import type { Presence } from './company.ts'

/** Attempts whose events are read at once: of a season they are very many. */
const ATTEMPTS_PAGE = 200

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
  exemptKinds: string[]
  paper: number[] | null
}

/** Which candidates, and how closely. */
export interface Asked {
  candidateId?: string
  /** these alone */
  only?: readonly string[]
  /** an invigilator's */
  room?: string | null
  /** whether questions are told and quick answers are looked for */
  withSaves?: boolean
}

/**
 * What happened to the candidates of an assessment, with what was decided about it (product 7.16.1). Nobody is
 * in it who has neither started nor was reported. Demo candidates are left out.
 */
export async function readIncidents(
  client: Client,
  code: string,
  { candidateId, only, room = null, withSaves = false }: Asked = {},
): Promise<IncidentCandidate[]> {
  const ids = candidateId ? [candidateId] : (only ?? null)
  const rows = await readRows(client, code, ids, room)
  const reports = await readReports(client, code)
  const verdicts = await readVerdicts(client, code, ids)
  const marks = withSaves ? await readMarks(client, code, candidateId ?? null) : new Map()
  const gathered = new Map<string, Incident[]>()
  for (let at = 0; at < rows.length; at += ATTEMPTS_PAGE) {
    const page = rows.slice(at, at + ATTEMPTS_PAGE)
    const ids = page.flatMap(({ attemptId }) => (attemptId ? [attemptId] : []))
    const logged = await readLogged(client, ids, { withSaves })
    for (const row of page) {
      const own = logged.get(row.attemptId ?? '')
      if (own) gathered.set(row.candidateId, gatherIncidents({ ...own, ...aboutOf(row) }))
    }
  }
  const candidates = rows.map((row): IncidentCandidate => {
    const {
      attemptId,
      startedAt,
      submittedAt,
      deadlineAt,
      exemptKinds: _,
      paper: __,
      ...shown
    } = row
    const startMs = attemptId ? startedAt.getTime() : null
    const own = reports.filter((one) => concerns(one, row))
    const incidents = [
      ...(gathered.get(row.candidateId) ?? []),
      ...paceIncidents(marks.get(attemptId ?? '') ?? []),
    ].map((one) => ({ ...one, at: new Date((startMs ?? 0) + one.atMs), report: null }))
    const reported = own.map((report) => ({
      ...plainIncident({
        ...{ name: `report:${report.id}`, kind: 'report' },
        atMs: report.at.getTime() - (startMs ?? report.at.getTime()),
        asks: report.candidateId !== null,
      }),
      ...{ at: report.at, report },
    }))
    return {
      ...shown,
      attempt: attemptId ? { id: attemptId, startedAt, submittedAt, deadlineAt } : null,
      incidents: [...incidents, ...reported]
        .sort((a, b) => a.at.getTime() - b.at.getTime())
        .map((one) => {
          const decided = verdicts.get(`${row.candidateId} ${one.name}`) ?? []
          return { ...one, verdicts: decided, state: stateOf(one, decided) }
        }),
    }
  })
  return candidates.filter(({ attempt, incidents }) => attempt || incidents.length > 0)
}

/** A room's report is a note for each of its candidates, and decides about nobody. */
const concerns = (report: StoredReport, { candidateId, room }: Row): boolean =>
  report.candidateId === candidateId ||
  (report.candidateId === null && (report.room === null || report.room === room))

function aboutOf({
  exemptKinds,
  paper,
  startedAt,
  submittedAt,
}: Row): Pick<LoggedAttempt, 'exemptKinds' | 'numbers' | 'endMs'> {
  return {
    exemptKinds,
    numbers: new Map((paper ?? []).map((item, index) => [item, index + 1])),
    endMs: submittedAt && submittedAt.getTime() - startedAt.getTime(),
  }
}

function paceIncidents(marks: readonly Mark[]): Incident[] {
  return marks.flatMap((mark) =>
    mark.mark === 'pace'
      ? [
          plainIncident({
            ...{ name: `pace:${mark.atMs}`, kind: 'pace', atMs: mark.atMs - mark.ms },
            ...{ lengthMs: mark.ms, act: { kind: 'pace', key: null, times: mark.questions } },
          }),
        ]
      : [],
  )
}

/** The verdict that counts: at most one of an incident's was not taken back. */
export const standingVerdict = (verdicts: readonly StoredVerdict[]): StoredVerdict | undefined =>
  verdicts.find(({ withdrawnAt }) => withdrawnAt === null)

/** How an incident stands. Who needs a talk is not decided about (product 7.16.11). */
function stateOf(
  { asks }: Pick<Incident, 'asks'>,
  verdicts: readonly StoredVerdict[],
): VerdictState {
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
       a.submitted_at as "submittedAt", a.deadline_at as "deadlineAt", c.exempt_kinds as "exemptKinds",
       a.paper, t.written_at as "commentedAt"
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
