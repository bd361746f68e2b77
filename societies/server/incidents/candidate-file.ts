import { unseenMsOf } from '../../../assessments/attempt-history.ts'
import { type AttemptLog, choicesMade } from '../../../assessments/attempt-log.ts'
import { referenceOf } from '../../../assessments/reference.ts'
import { readReceipts } from '../../../assessments/server/answer-store.ts'
import { readHistories } from '../../../assessments/server/history-store.ts'
import { wasEnded } from '../../../assessments/server/time-store.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CandidateFile } from '../../contract/incidents.ts'
import { type Client, read } from '../action.ts'
import { formatLocalTime } from '../local-time.ts'
import { readLate } from './late-answers.ts'
import { momentsOf } from './moments.ts'
import { type Member, mayAll, mayReadKeys, type Reach, reaches } from './reach.ts'
import {
  type IncidentCandidate,
  isUndecided,
  presencesOf,
  readIncidents,
} from './read-incidents.ts'
import { showIncidents } from './shown.ts'
import { readScore } from './uncover.ts'

/** A choice that came in later than this waited for the network. */
const WAITED_MS = 5_000

interface Row {
  number: number | null
  room: string | null
  username: string
  name: string | null
  timeZone: string
  extraSeconds: number
  durationSeconds: number
  attemptId: string | null
  form: string | null
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: 'candidate' | 'violations' | 'deadline' | null
  pausedMs: number
  paper: number[]
  givenSeconds: number
  comment: string | null
  commentAt: Date
}

/**
 * One candidate on a page (product 7.16.2): nothing of what is covered is in it, and for an invigilator no
 * answers. Leaves no note.
 * Errors: 404 not_found, also for a candidate of another room than an invigilator's.
 * @param options.isLive while the attempt runs, with the name for those who see names anyway
 */
export function getCandidateFile(
  member: Member,
  code: string,
  candidate: string,
  { isLive }: { isLive: boolean },
): Promise<CandidateFile> {
  return read(member, (client) => readFile(client, member, code, candidate, { isLive }))
}

/** The same in a transaction of the caller's. Errors: 404 not_found. */
export async function readFile(
  client: Client,
  { userId, now, reach }: Member,
  code: string,
  candidate: string,
  { isLive }: { isLive: boolean },
): Promise<CandidateFile> {
  const row = await readRow(client, code, candidate)
  if (!row || !reaches(reach, row)) {
    throw new ApiError(404, 'not_found', 'This candidate is not on the list any more.')
  }
  const seesAnswers = mayAll(reach, 'see_scores')
  const [own] = await readIncidents(client, code, { candidateId: candidate, isWhole: true })
  const presences = presencesOf(await readIncidents(client, code, { room: reach.room }), now)
  const logged = row.attemptId === null ? null : await readLog(client, row.attemptId)
  const { shown, leftOut } = showIncidents(own, { presences, userId, seesAnswers })
  const isRunning = row.attemptId !== null && row.submittedAt === null
  return {
    ...{ id: candidate, number: row.number, room: row.room },
    name:
      isLive && isRunning && mayAll(reach, 'see_names')
        ? { username: row.username, name: row.name }
        : null,
    attempt: own && row.attemptId ? await describeAttempt(client, row, own, now) : null,
    ...{ incidents: shown, leftOut },
    moments:
      own && logged ? await describeMoments(client, code, row, { own, logged, seesAnswers }) : [],
    answers:
      seesAnswers && logged
        ? await describeAnswers(client, code, reach, row, { logged, away: absencesOf(own) }, now)
        : null,
    score: await coveredScore(client, code, reach, row, own, now),
    comment:
      row.comment === null ? null : { text: row.comment, writtenAt: row.commentAt.toISOString() },
  }
}

async function readLog(client: Client, attemptId: string): Promise<AttemptLog | null> {
  const histories = await readHistories(client, [attemptId], { isWhole: true })
  return histories.get(attemptId)?.log ?? null
}

async function readRow(client: Client, code: string, candidate: string): Promise<Row | undefined> {
  const { rows } = await client.query<Row>(
    `select b.number, c.room, c.username, c.name, c.extra_seconds as "extraSeconds",
       s.time_zone as "timeZone", s.duration_seconds as "durationSeconds", a.id as "attemptId", a.form,
       a.started_at as "startedAt", a.deadline_at as "deadlineAt", a.submitted_at as "submittedAt",
       a.submit_reason as "submitReason", coalesce(a.paused_ms, 0)::float8 as "pausedMs",
       coalesce(a.paper, '{}') as paper, t.text as comment, t.written_at as "commentAt",
       coalesce(a.incident_seconds, 0) as "givenSeconds"
     from candidates c join assessments s on s.code = c.assessment
     left join attempts a on a.candidate_id = c.id
     left join attempt_comments t on t.attempt_id = a.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = $1 and c.id = $2 and not c.is_demo`,
    [code, candidate],
  )
  return rows[0]
}

async function describeAttempt(
  client: Client,
  row: Row,
  { incidents }: IncidentCandidate,
  now: Date,
): Promise<CandidateFile['attempt']> {
  const id = row.attemptId as string
  const { rows } = await client.query<{ answered: number; lastSavedAt: Date | null }>(
    `select count(*)::int as answered, max(saved_at) as "lastSavedAt" from attempt_answers
     where attempt_id = $1`,
    [id],
  )
  const { startedAt, deadlineAt, submittedAt, submitReason, durationSeconds, givenSeconds } = row
  const strikes = incidents.flatMap(({ strike }) => (strike ? [strike] : []))
  const endMs = (submittedAt ?? new Date(Math.min(now.getTime(), deadlineAt.getTime()))).getTime()
  return {
    ...{ reference: referenceOf({ id }), form: row.form, submitReason },
    startedAt: startedAt.toISOString(),
    deadlineAt: deadlineAt.toISOString(),
    submittedAt: submittedAt?.toISOString() ?? null,
    endedBySociety: submitReason === 'deadline' && (await wasEnded(client, id)),
    usedMs: Math.max(0, endMs - startedAt.getTime() - row.pausedMs),
    remainingMs: submittedAt ? null : Math.max(0, deadlineAt.getTime() - now.getTime()),
    ...{ durationSeconds, givenSeconds },
    plannedSeconds: row.extraSeconds,
    answered: rows[0]?.answered ?? 0,
    itemCount: row.paper.length,
    lastSavedAt: rows[0]?.lastSavedAt?.toISOString() ?? null,
    strikesSeen: strikes.length,
    strikesStand: strikes.filter(({ standing }) => standing === 'stands').length,
    unseenMs: unseenMsOf(incidents),
    receipts: (await readReceipts(client, id)).map((one) => ({
      ...one,
      at: one.at.toISOString(),
    })),
  }
}

async function describeMoments(
  client: Client,
  code: string,
  { startedAt, timeZone }: Row,
  of: { own: IncidentCandidate; logged: AttemptLog; seesAnswers: boolean },
): Promise<CandidateFile['moments']> {
  const moments = momentsOf(of.logged, {
    incidents: of.own.incidents,
    late: await readLate(client, code, of.own.candidateId, false),
    ...{ startedAt, seesAnswers: of.seesAnswers },
    timeOf: (at) => formatLocalTime(at, timeZone, 'seconds').slice(-8),
  })
  return moments.map(({ atMs, text }) => ({
    at: new Date(startedAt.getTime() + atMs).toISOString(),
    text,
  }))
}

async function describeAnswers(
  client: Client,
  code: string,
  reach: Reach,
  { paper, attemptId }: Row,
  { logged, away }: { logged: AttemptLog; away: readonly Absence[] },
  now: Date,
): Promise<CandidateFile['answers']> {
  const { rows } = await client.query<{
    id: number
    question: string
    choice: OptionLetter | null
    savedAt: Date | null
  }>(
    `select i.id, i.question, x.choice, x.saved_at as "savedAt" from assessment_items i
     left join attempt_answers x on x.item_id = i.id and x.attempt_id = $2
     where i.assessment = $1`,
    [code, attemptId],
  )
  const items = new Map(rows.map((item) => [item.id, item]))
  // Stems have the same hour as keys.
  const readsQuestions = await mayReadKeys(client, code, reach, now)
  const made = new Map<number, { choices: string[]; ms: number; hasWaited: boolean }>()
  let beforeMs = 0
  for (const { item, choice, atMs, heardMs } of choicesMade(logged)) {
    const one = made.get(item) ?? { choices: [], ms: 0, hasWaited: false }
    one.ms += Math.max(0, atMs - beforeMs - awayMsBetween(away, beforeMs, atMs))
    one.hasWaited = heardMs - atMs > WAITED_MS
    if (one.choices.at(-1) !== choice) one.choices.push(choice)
    made.set(item, one)
    beforeMs = atMs
  }
  return paper.map((id, index) => {
    const item = items.get(id)
    const one = made.get(id)
    const was = (one?.choices ?? []).filter(
      (choice, place, all) => place < all.length - 1 || choice !== item?.choice,
    )
    return {
      number: index + 1,
      question: readsQuestions ? (item?.question ?? null) : null,
      choice: item?.choice ?? null,
      was: was.slice(-20),
      savedAt: item?.savedAt?.toISOString() ?? null,
      seconds: one ? Math.round(one.ms / 1_000) : null,
      hasWaited: one?.hasWaited ?? false,
    }
  })
}

interface Absence {
  fromMs: number
  toMs: number
}

/** Those whose length is known, milliseconds since the start. */
const absencesOf = (own: IncidentCandidate | undefined): Absence[] =>
  (own?.incidents ?? []).flatMap(({ kind, atMs, lengthMs }) =>
    kind === 'away' && lengthMs !== null ? [{ fromMs: atMs, toMs: atMs + lengthMs }] : [],
  )

/** How long of a stretch somebody was away: nobody thinks about a question there. */
const awayMsBetween = (away: readonly Absence[], fromMs: number, toMs: number): number =>
  away.reduce(
    (sum, one) => sum + Math.max(0, Math.min(one.toMs, toMs) - Math.max(one.fromMs, fromMs)),
    0,
  )

/** Key and score of who has been judged to the end; of everybody else they are asked for (uncover.ts). */
async function coveredScore(
  client: Client,
  code: string,
  reach: Reach,
  { attemptId, submittedAt }: Row,
  own: IncidentCandidate | undefined,
  now: Date,
): Promise<CandidateFile['score']> {
  if (attemptId === null || submittedAt === null || !mayAll(reach, 'see_scores')) return null
  if (own?.incidents.some(({ state }) => isUndecided(state))) return null
  if (!(await mayReadKeys(client, code, reach, now))) return null
  return readScore(client, attemptId)
}
