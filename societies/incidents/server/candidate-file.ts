import sql from 'sql-template-tag'
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
import { type JudgedIncident, readIncidents } from './read-incidents.ts'
import { mayReadKeys, readScore, requireCandidate } from './uncover.ts'

/** A choice that arrived later than this after it was made was waiting for the network. */
const WAITED_MS = 5_000
/** The maximum number of earlier choices shown per question. */
const MOST_CHOICES = 20

export type CandidateFile = Awaited<ReturnType<typeof readFile>>['file']

/**
 * Reads one candidate's page (product 7.16.2), without anything hidden, and without answers for an invigilator. Errors:
 * 404 not_found.
 * @returns also everything found in the events, for the report
 */
export async function readFile(client: Client, member: MemberInTest, candidate: string) {
  const { code, now, room: reached } = member
  const { number, room, attemptId, submittedAt } = await requireCandidate(client, code, candidate)
  const [own] = await readIncidents(client, code, { only: [candidate], isWhole: true })
  const reader = readerOf(member, await readIncidents(client, code, { room: reached }))
  const { shown, leftOut } = showIncidents(own, reader)
  const { seesAnswers } = reader
  const readsKeys = seesAnswers && (await mayReadKeys(client, member))
  const incidents = own?.incidents ?? []
  const isOpen = incidents.some(({ state }) => state === 'waiting' || state === 'needs_talk')
  const log = own?.history?.log
  const found = attemptId && log ? await readAttempt(client, attemptId, now, incidents) : null
  const file = {
    id: member.cover(candidate),
    number,
    room,
    attempt: found?.attempt ?? null,
    incidents: shown,
    leftOut,
    moments:
      found && log
        ? momentsOf(log, {
            incidents,
            late: await readLate(client, code, candidate, false),
            startedAt: found.attempt.startedAt,
            seesAnswers,
            timeOf: (at) => formatLocalTime(at, found.timeZone, 'seconds').slice(-8),
          })
        : [],
    answers:
      found && log && seesAnswers
        ? await readAnswers(client, code, found, { log, incidents, readsKeys })
        : null,
    // The score is included once everything is decided. Before that it's revealed on request (uncover.ts).
    score:
      attemptId && submittedAt && !isOpen && readsKeys && member.areKeysOpen
        ? await readScore(client, attemptId)
        : null,
    comment: found?.comment ?? null,
  }
  return { file, findings: own?.history?.findings ?? [] }
}

interface Attempt {
  form: string | null
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: SubmitReason | null
  durationSeconds: number
  plannedSeconds: number
  givenSeconds: number
  answered: number
  itemCount: number
  lastSavedAt: Date | null
}

async function readAttempt(
  client: Client,
  id: string,
  now: Date,
  incidents: readonly JudgedIncident[],
) {
  const { rows } = await client.query<
    Attempt & {
      pausedMs: number
      paper: number[]
      timeZone: string
      text: string | null
      writtenAt: Date
    }
  >(
    sql`select a.form, a.started_at as "startedAt", a.deadline_at as "deadlineAt",
       a.submitted_at as "submittedAt", a.submit_reason as "submitReason",
       s.duration_seconds as "durationSeconds", c.extra_seconds as "plannedSeconds",
       a.incident_seconds as "givenSeconds", saved.*, cardinality(a.paper) as "itemCount",
       a.paused_ms::float8 as "pausedMs", a.paper, s.time_zone as "timeZone",
       t.text, t.written_at as "writtenAt"
     from attempts a join candidates c on c.id = a.candidate_id
     join assessments s on s.code = a.assessment
     left join attempt_comments t on t.attempt_id = a.id
     cross join lateral (select count(*)::int as answered, max(x.saved_at) as "lastSavedAt"
       from attempt_answers x where x.attempt_id = a.id) saved
     where a.id = ${id}`,
  )
  const { pausedMs, paper, timeZone, text, writtenAt, ...row } = rows[0] as (typeof rows)[number]
  const { startedAt, deadlineAt, submittedAt, submitReason } = row
  const strikes = incidents.flatMap(({ strike }) => strike ?? [])
  const endMs = submittedAt?.getTime() ?? Math.min(now.getTime(), deadlineAt.getTime())
  return {
    id,
    paper,
    timeZone,
    comment: text === null ? null : { text, writtenAt },
    attempt: {
      ...row,
      reference: referenceOf({ id }),
      endedBySociety: submitReason === 'deadline' && (await wasEnded(client, id)),
      usedMs: Math.max(0, endMs - startedAt.getTime() - pausedMs),
      strikesSeen: strikes.length,
      strikesStand: strikes.filter(({ standing }) => standing === 'stands').length,
      unseenMs: unseenMsOf(incidents),
      receipts: await readReceipts(client, id),
    },
  }
}

/** @param about.readsKeys whether the member can read questions, which become readable together with keys */
async function readAnswers(
  client: Client,
  code: string,
  { id: attemptId, paper }: { id: string; paper: readonly number[] },
  about: { log: AttemptLog; incidents: readonly JudgedIncident[]; readsKeys: boolean },
) {
  const { rows } = await client.query<{
    id: number
    question: string
    choice: OptionLetter | null
    savedAt: Date | null
  }>(
    sql`select i.id, i.question, x.choice, x.saved_at as "savedAt" from assessment_items i
     left join attempt_answers x on x.item_id = i.id and x.attempt_id = ${attemptId}
     where i.assessment = ${code}`,
  )
  const items = new Map(rows.map((item) => [item.id, item]))
  const made = new Map<number, { choices: string[]; ms: number; hasWaited: boolean }>()
  let beforeMs = 0
  for (const { item, choice, atMs, heardMs } of about.log.choices) {
    const one = made.get(item) ?? { choices: [], ms: 0, hasWaited: false }
    one.ms += Math.max(0, atMs - beforeMs - awayMsBetween(about.incidents, beforeMs, atMs))
    one.hasWaited = heardMs - atMs > WAITED_MS
    if (one.choices.at(-1) !== choice) one.choices.push(choice)
    made.set(item, one)
    beforeMs = atMs
  }
  return paper.map((id, index) => {
    const { question = null, choice = null, savedAt = null } = items.get(id) ?? {}
    const { choices = [], ms = null, hasWaited = false } = made.get(id) ?? {}
    const was = choices.at(-1) === choice ? choices.slice(0, -1) : choices
    return {
      number: index + 1,
      question: about.readsKeys ? question : null,
      choice,
      was: was.slice(-MOST_CHOICES),
      savedAt,
      seconds: ms === null ? null : Math.round(ms / 1_000),
      hasWaited,
    }
  })
}

/** Returns how long the candidate was away between two moments. This doesn't count as time on a question. */
const awayMsBetween = (incidents: readonly JudgedIncident[], fromMs: number, toMs: number) =>
  incidents
    .filter(({ kind }) => kind === 'away')
    .reduce((sum, { atMs, lengthMs }) => {
      const backMs = atMs + (lengthMs ?? 0)
      return sum + Math.max(0, Math.min(backMs, toMs) - Math.max(atMs, fromMs))
    }, 0)
