import { unseenMsOf } from '../../../assessments/attempt-history.ts'
import type { AttemptLog } from '../../../assessments/attempt-log.ts'
import type { SubmitReason } from '../../../assessments/deadline.ts'
import { referenceOf } from '../../../assessments/reference.ts'
import { readReceipts } from '../../../assessments/server/answer-store.ts'
import { wasEnded } from '../../../assessments/server/time-store.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import type { Client } from '../../kit/server/action.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { readLate } from './late-answers.ts'
import { readerOf, showIncidents } from './list.ts'
import { momentsOf } from './moments.ts'
import { mayAll, mayReadKeys, ownRoom, reaches } from './reach.ts'
import { type IncidentCandidate, readIncidents } from './read-incidents.ts'
import { candidateGone, readScore } from './uncover.ts'

/** A choice that arrived later than this waited for the network. */
const WAITED_MS = 5_000
/** Earlier choices of one question that are shown. */
const MOST_CHOICES = 20

export type CandidateFile = Awaited<ReturnType<typeof readFile>>['file']

/**
 * One candidate's page (product 7.16.2), without anything that is hidden, and for an invigilator without answers.
 * Errors: 404 not_found, also for a candidate of another room than an invigilator's.
 * @param isLive whether to tell the name during the test, to members who see names anyway
 * @returns with all that was found in the events, for the report
 */
export async function readFile(
  client: Client,
  member: MemberInTest,
  candidate: string,
  isLive = false,
) {
  const { code, now } = member
  const row = await readRow(client, code, candidate)
  if (!row || !reaches(member, row.room)) throw candidateGone()
  const [own] = await readIncidents(client, code, { candidateId: candidate, isWhole: true })
  const inRoom = await readIncidents(client, code, { room: ownRoom(member) })
  const reader = readerOf(member, inRoom)
  const log = own?.history?.log
  const { shown, leftOut } = showIncidents(own, reader)
  const readsKeys = reader.seesAnswers && (await mayReadKeys(client, member))
  const isOpen = own?.incidents.some(({ state }) => state === 'waiting' || state === 'needs_talk')
  const isNamed = isLive && row.attemptId && !row.submittedAt && mayAll(member, 'see_names')
  const file = {
    id: candidate,
    number: row.number,
    room: row.room,
    name: isNamed ? { username: row.username, name: row.name } : null,
    attempt: own && row.attemptId ? await describeAttempt(client, row, own, now) : null,
    incidents: shown,
    leftOut,
    moments:
      own && log
        ? momentsOf(log, {
            incidents: own.incidents,
            late: await readLate(client, code, candidate, false),
            startedAt: row.startedAt,
            seesAnswers: reader.seesAnswers,
            timeOf: (at) => formatLocalTime(at, row.timeZone, 'seconds').slice(-8),
          }).map(({ atMs, text }) => ({ at: new Date(row.startedAt.getTime() + atMs), text }))
        : [],
    answers:
      reader.seesAnswers && log
        ? await describeAnswers(client, code, row, { log, own, readsKeys })
        : null,
    // Once all is decided; before that it is revealed on request (uncover.ts).
    score:
      row.attemptId && row.submittedAt && !isOpen && readsKeys
        ? await readScore(client, row.attemptId)
        : null,
    comment: row.comment === null ? null : { text: row.comment, writtenAt: row.commentedAt },
  }
  return { file, findings: own?.history?.findings ?? [] }
}

interface Row {
  number: number | null
  room: string | null
  username: string
  name: string | null
  timeZone: string
  plannedSeconds: number
  durationSeconds: number
  givenSeconds: number
  attemptId: string | null
  form: string | null
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: SubmitReason | null
  pausedMs: number
  paper: number[]
  answered: number
  lastSavedAt: Date | null
  comment: string | null
  commentedAt: Date
}

async function readRow(client: Client, code: string, candidate: string): Promise<Row | undefined> {
  const { rows } = await client.query<Row>(
    `select b.number, c.room, c.username, c.name, c.extra_seconds as "plannedSeconds",
       s.time_zone as "timeZone", s.duration_seconds as "durationSeconds", a.id as "attemptId", a.form,
       a.started_at as "startedAt", a.deadline_at as "deadlineAt", a.submitted_at as "submittedAt",
       a.submit_reason as "submitReason", coalesce(a.paused_ms, 0)::float8 as "pausedMs",
       coalesce(a.paper, '{}') as paper, coalesce(a.incident_seconds, 0) as "givenSeconds",
       saved.answered, saved."lastSavedAt", t.text as comment, t.written_at as "commentedAt"
     from candidates c join assessments s on s.code = c.assessment
     left join attempts a on a.candidate_id = c.id
     left join attempt_comments t on t.attempt_id = a.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     cross join lateral (select count(*)::int as answered, max(x.saved_at) as "lastSavedAt"
       from attempt_answers x where x.attempt_id = a.id) saved
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
) {
  const id = row.attemptId as string
  const { startedAt, deadlineAt, submittedAt, submitReason } = row
  const strikes = incidents.flatMap(({ strike }) => strike ?? [])
  const endMs = submittedAt?.getTime() ?? Math.min(now.getTime(), deadlineAt.getTime())
  return {
    reference: referenceOf({ id }),
    form: row.form,
    startedAt,
    deadlineAt,
    submittedAt,
    submitReason,
    endedBySociety: submitReason === 'deadline' && (await wasEnded(client, id)),
    usedMs: Math.max(0, endMs - startedAt.getTime() - row.pausedMs),
    remainingMs: submittedAt ? null : Math.max(0, deadlineAt.getTime() - now.getTime()),
    durationSeconds: row.durationSeconds,
    plannedSeconds: row.plannedSeconds,
    givenSeconds: row.givenSeconds,
    answered: row.answered,
    itemCount: row.paper.length,
    lastSavedAt: row.lastSavedAt,
    strikesSeen: strikes.length,
    strikesStand: strikes.filter(({ standing }) => standing === 'stands').length,
    unseenMs: unseenMsOf(incidents),
    receipts: await readReceipts(client, id),
  }
}

/** @param about.readsKeys whether the member reads questions, which open together with keys */
async function describeAnswers(
  client: Client,
  code: string,
  { paper, attemptId }: Row,
  about: { log: AttemptLog; own: IncidentCandidate | undefined; readsKeys: boolean },
) {
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
  const made = new Map<number, { choices: string[]; ms: number; hasWaited: boolean }>()
  let beforeMs = 0
  for (const { item, choice, atMs, heardMs } of about.log.choices) {
    const one = made.get(item) ?? { choices: [], ms: 0, hasWaited: false }
    one.ms += Math.max(0, atMs - beforeMs - awayMsBetween(about.own, beforeMs, atMs))
    one.hasWaited = heardMs - atMs > WAITED_MS
    if (one.choices.at(-1) !== choice) one.choices.push(choice)
    made.set(item, one)
    beforeMs = atMs
  }
  return paper.map((id, index) => {
    const item = items.get(id)
    const one = made.get(id)
    const choice = item?.choice ?? null
    const choices = one?.choices ?? []
    const was = choices.at(-1) === choice ? choices.slice(0, -1) : choices
    return {
      number: index + 1,
      question: about.readsKeys ? (item?.question ?? null) : null,
      choice,
      was: was.slice(-MOST_CHOICES),
      savedAt: item?.savedAt ?? null,
      seconds: one ? Math.round(one.ms / 1_000) : null,
      hasWaited: one?.hasWaited ?? false,
    }
  })
}

/** How long the candidate was away between two moments, which is no time spent on a question. */
function awayMsBetween(own: IncidentCandidate | undefined, fromMs: number, toMs: number): number {
  const absences = own?.incidents.filter(({ kind }) => kind === 'away') ?? []
  return absences.reduce((sum, { atMs, lengthMs }) => {
    const backMs = atMs + (lengthMs ?? 0)
    return sum + Math.max(0, Math.min(backMs, toMs) - Math.max(atMs, fromMs))
  }, 0)
}
