import type { RulingKind } from '../../../assessments/server/tables.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { type AssessmentRow, requireAssessment } from '../assessments.ts'
import { readMarks } from '../attempt-facts.ts'
import { type LateAnswer, readLate } from '../incidents/late-answers.ts'
import type { Mark } from '../marks.ts'
import { type Gap, readGaps } from '../unmonitored.ts'
import { judgeEvents, type Verdict } from './verdicts.ts'

/** Everything that is kept of a candidate, for one document. */
export interface Dossier {
  assessment: AssessmentRow
  madeAt: Date
  madeBy: string
  candidate: {
    id: string
    username: string
    extraSeconds: number
    exemptKinds: string[]
    revokedAt: Date | null
    isDemo: boolean
    createdAt: Date
  }
  attempt: DossierAttempt | null
  /** null while it is open */
  result: { correct: number; incorrect: number; time: string; cheated: boolean } | null
  strikes: number
  paper: DossierItem[]
  events: DossierEvent[]
  late: LateAnswer[]
  gaps: Gap[]
  marks: Mark[]
  actions: DossierAction[]
  verdicts: DossierVerdict[]
  /** what the candidate told the society */
  comment: { text: string; writtenAt: Date } | null
  covered: Covered
}

/** What whoever takes it may not see, or has not asked for (product 7.16.3). */
export interface Covered {
  /** written in place of the name; null: the name is shown */
  as: string | null
  /** key and score */
  hasKeys: boolean
}

/** A decision about an incident, also one that was taken back. */
export interface DossierVerdict {
  incident: string
  verdict: string
  reason: string
  isSecond: boolean
  by: string
  at: Date
  withdrawnAt: Date | null
}

export interface DossierAttempt {
  id: string
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: string | null
  pausedMs: number
}

export interface DossierItem {
  id: number
  /** number in the table */
  position: number
  question: string
  options: { A: string; B: string; C: string; D: string }
  key: string
  /** those that stand */
  rulings: { kind: RulingKind; acceptedOption: string | null; reason: string }[]
  choice: string | null
  revision: number | null
  savedAt: Date | null
}

export interface DossierEvent {
  id: number
  kind: string
  windowId: string | null
  number: number | null
  atMs: number | null
  detail: Record<string, unknown> | unknown[] | null
  isViolation: boolean
  isVoided: boolean
  voidReason: string | null
  userId: string | null
  address: string | null
  agent: string | null
  receivedAt: Date
  /** null for what no page reported */
  verdict: Verdict | null
}

export interface DossierAction {
  at: Date
  actor: string
  action: string
  detail: Record<string, unknown>
}

/** Actions on all candidates that belong into everybody's dossier. */
const COMMON_ACTIONS = ['load', 'window', 'extend', 'regrade', 'accept-late']

/**
 * All that is known of a candidate, for an appeal (product 7.5.7): paper with key and choices, every save,
 * every event with what counted and why, the result, what organisers did and decided. What is covered stays so.
 * Errors: OrganiserRefusal.
 * @param covered.as also what the log calls the candidate then
 * @returns null for somebody who is not on the list
 */
export function exportCoveredDossier(
  organiser: Organiser,
  code: string,
  candidateId: string,
  covered: Covered,
): Promise<Dossier | null> {
  return act(organiser, 'dossier', code, async (client) => {
    const assessment = await requireAssessment(client, code)
    const found = await readOne<{ username: string }>(
      client,
      'select username from candidates where assessment = $1 and id = $2 and not is_demo',
      [code, candidateId],
    )
    const { as, hasKeys } = covered
    const detail = { ...(as === null ? { username: found?.username } : { candidate: as }), hasKeys }
    const dossier =
      found && (await readDossier(client, organiser, assessment, candidateId, covered))
    return { result: dossier, detail }
  })
}

async function readDossier(
  client: Client,
  { now, actor }: Organiser,
  assessment: AssessmentRow,
  candidateId: string,
  covered: Covered,
): Promise<Dossier> {
  const candidate = await readOne<Dossier['candidate']>(
    client,
    `select id, username, extra_seconds as "extraSeconds", exempt_kinds as "exemptKinds",
       revoked_at as "revokedAt", is_demo as "isDemo", created_at as "createdAt"
     from candidates where id = $1`,
    [candidateId],
  )
  if (!candidate) throw new Error('The candidate that was just locked is gone.')
  const attempt = await readOne<DossierAttempt & { strikes: number }>(
    client,
    `select id, started_at as "startedAt", deadline_at as "deadlineAt", submitted_at as "submittedAt",
       submit_reason as "submitReason", paused_ms::float8 as "pausedMs", attempt_strikes(id) as strikes
     from attempts where candidate_id = $1`,
    [candidateId],
  )
  const result = await readOne<NonNullable<Dossier['result']>>(
    client,
    'select correct, incorrect, time, cheated from assessment_results where attempt_id = $1',
    [attempt?.id ?? null],
  )
  const { rows: events } = await client.query<Omit<DossierEvent, 'verdict'>>(
    `select id::float8 as id, kind, window_id as "windowId", number, at_ms::float8 as "atMs", detail,
       is_violation as "isViolation", voided_at is not null as "isVoided", void_reason as "voidReason",
       user_id as "userId", address, agent, received_at as "receivedAt"
     from attempt_events e where candidate_id = $1 order by e.id`,
    [candidateId],
  )
  const verdicts = judgeEvents(
    events
      .filter(({ number }) => number !== null)
      .map((event) => ({ ...event, atMs: event.atMs ?? 0 })),
    candidate.exemptKinds,
  )
  return {
    assessment,
    madeAt: now,
    madeBy: actor,
    candidate,
    attempt,
    result,
    strikes: attempt?.strikes ?? 0,
    paper: attempt ? await readPaper(client, attempt.id) : [],
    events: events.map((event) => ({ ...event, verdict: verdicts.get(event.id) ?? null })),
    late: await readLate(client, assessment.code, candidateId, true),
    gaps: await readGaps(client, assessment.code, candidateId),
    marks: [...(await readMarks(client, assessment.code, candidateId)).values()].flat(),
    actions: await readActions(client, assessment, candidate.username),
    verdicts: await readVerdicts(client, candidateId),
    comment: await readOne<{ text: string; writtenAt: Date }>(
      client,
      'select text, written_at as "writtenAt" from attempt_comments where attempt_id = $1',
      [attempt?.id ?? null],
    ),
    covered,
  }
}

async function readVerdicts(client: Client, candidateId: string): Promise<DossierVerdict[]> {
  const { rows } = await client.query<DossierVerdict>(
    `select incident, verdict, reason, is_second as "isSecond", decided_by as by, decided_at as at,
       withdrawn_at as "withdrawnAt"
     from incident_verdicts where candidate_id = $1 order by decided_at, is_second`,
    [candidateId],
  )
  return rows
}

async function readOne<T extends object>(
  client: Client,
  text: string,
  values: unknown[],
): Promise<T | null> {
  const { rows } = await client.query<T>(text, values)
  return rows[0] ?? null
}

/** The paper in the candidate's own order. */
async function readPaper(client: Client, attemptId: string): Promise<DossierItem[]> {
  const { rows } = await client.query<DossierItem>(
    `select i.id, i.position, i.question, i.correct_option as key,
       jsonb_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
       coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'acceptedOption', r.accepted_option,
         'reason', r.reason) order by r.id) from standing_rulings r where r.item_id = i.id), '[]') as rulings,
       answer.choice, answer.revision, answer.saved_at as "savedAt"
     from attempts a
     cross join lateral unnest(a.paper) with ordinality as place (item_id, number)
     join assessment_items i on i.id = place.item_id
     left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = i.id
     where a.id = $1 order by place.number`,
    [attemptId],
  )
  return rows
}

/**
 * What organisers did with this candidate, and with everybody. Of other candidates' results nothing:
 * the document may be handed on.
 */
async function readActions(
  client: Client,
  assessment: AssessmentRow,
  username: string,
): Promise<DossierAction[]> {
  const { rows } = await client.query<DossierAction>(
    `select at, actor, action, detail from admin_actions
     where assessment = $1 and at >= $2
       and (lower(detail->>'username') = lower($3)
         or detail->'usernames' ? $3 or detail->'moved' ? $3 or detail->'reopened' ? $3
         or (action = any ($4) and detail->>'username' is null))
     order by id`,
    [assessment.code, assessment.createdAt, username, COMMON_ACTIONS],
  )
  const isThis = (name: unknown) => String(name).toLowerCase() === username.toLowerCase()
  return rows.map(({ detail, ...action }) => {
    const {
      changes,
      moved,
      reopened,
      usernames: _,
      ...rest
    } = detail as Record<string, unknown[] | undefined>
    const own = (
      changes as { username: string; before: object; after: object }[] | undefined
    )?.find((change) => isThis(change.username))
    return {
      ...action,
      detail: {
        ...rest,
        ...(own ? { before: own.before, after: own.after } : {}),
        ...(moved?.some(isThis) ? { moved: true } : {}),
        ...(reopened?.some(isThis) ? { reopened: true } : {}),
      },
    }
  })
}
