import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { type Finding, isIncident } from '../../assessments/attempt-log.ts'
import { incidentWords } from '../../assessments/incident-words.ts'
import { readHistories } from '../../assessments/server/history-store.ts'
import { hashCandidatePassword } from '../../assessments/server/password-store.ts'
import { beat } from '../../assessments/server/pulse.ts'
import { assessmentItems, assessments, candidates } from '../../assessments/server/tables.ts'
import { OPTION_LETTERS } from '../../platform/options.ts'
import { findOrMakeSociety } from '../../societies/access/server/societies.ts'
import { type Rig, signUp } from './rig.ts'

/** The start of the day on which the tests take place. */
export const DAY = new Date('2026-03-02T09:00:00Z')
export const PASSWORD = 'abcd-efgh-jkmnp'
/** 20 minutes in milliseconds, the duration of makeAssessment. */
export const LIMIT = 1_200_000
export const afterStart = (ms: number) => new Date(DAY.getTime() + ms)

export type AssessmentOptions = Partial<typeof assessments.$inferInsert> & { itemCount?: number }

/** An assessment with items 1 to n. The keys repeat A, B, C, D. */
export async function makeAssessment(
  rig: Pick<Rig, 'db'>,
  { itemCount = 4, ...given }: AssessmentOptions = {},
) {
  const code = given.code ?? `T${randomUUID().slice(0, 8).toUpperCase()}`
  const society = given.society ?? 'Test Society'
  const societyId = given.societyId ?? (await findOrMakeSociety(rig.db.$client, society, DAY))
  await rig.db.insert(assessments).values({
    rules: { timing: [], allowed: [], forbidden: [], contact: null },
    ...{ timeZone: 'Europe/Lisbon', isSample: false, createdAt: DAY },
    ...given,
    ...{ code, society, societyId },
    durationSeconds: given.durationSeconds ?? 1200,
    shuffle: given.shuffle ?? false,
    navigator: given.navigator ?? false,
  })
  const values = Array.from({ length: itemCount }, (_, index) => ({
    assessment: code,
    position: index + 1,
    question: `Stem ${index + 1} of ${code}?`,
    answerA: `alpha ${index + 1}`,
    answerB: `beta ${index + 1}`,
    answerC: `gamma ${index + 1}`,
    answerD: `delta ${index + 1}`,
    correctOption: OPTION_LETTERS[index % 4] as 'A' | 'B' | 'C' | 'D',
    isSample: false,
  }))
  const items =
    values.length === 0
      ? []
      : await rig.db
          .insert(assessmentItems)
          .values(values)
          .returning({ id: assessmentItems.id, correctOption: assessmentItems.correctOption })
  return { code, society, items }
}

export async function makeCandidate(
  rig: Pick<Rig, 'db' | 'dependencies'>,
  code: string,
  username = `candidate-${randomUUID().slice(0, 8)}`,
  more: Partial<typeof candidates.$inferInsert> = {},
) {
  const id = randomUUID()
  await rig.db.insert(candidates).values({
    id,
    assessment: code,
    username,
    passwordHash: hashCandidatePassword(rig.dependencies.secretKey, PASSWORD),
    createdAt: DAY,
    ...more,
  })
  return { id, username }
}

/** A signed-in user who has society credentials, in one window. */
export interface Seat {
  code: string
  username: string
  token: string
  userId: string
  candidateToken: string
  windowId: string
  call: (method: string, route: string, body?: unknown) => ReturnType<Rig['call']>
  start: () => ReturnType<Rig['call']>
  save: (
    answers: { questionId: number; choice: string; revision: number; at?: number }[],
    lastEvent?: number,
  ) => ReturnType<Rig['call']>
  report: (
    ...events: { id: number; kind: string; at: number; detail?: object }[]
  ) => ReturnType<Rig['call']>
  submit: (
    answers?: { questionId: number; choice: string; revision: number; at?: number }[],
  ) => ReturnType<Rig['call']>
  status: () => ReturnType<Rig['call']>
}

/** Verifies as a candidate with a new guest, or as `user`. */
export async function takeSeat(
  rig: Rig,
  code: string,
  username: string,
  user?: { token: string; userId: string },
  password = PASSWORD,
): Promise<Seat> {
  const { token, userId } = user ?? (await signUp(rig))
  const verified = await rig.call('POST', `/api/assessments/${code}/verify`, {
    token,
    body: { username, password },
  })
  if (verified.status !== 200) throw new Error(`verify answered ${JSON.stringify(verified.body)}`)
  const windowId = randomUUID()
  const { candidateToken } = verified.body
  const call: Seat['call'] = (method, route, body) =>
    rig.call(method, `/api/assessments/${code}/attempt${route}`, {
      token,
      headers: { 'X-Candidate-Token': candidateToken, 'X-Window-Id': windowId },
      body,
    })
  return {
    code,
    username,
    token,
    userId,
    candidateToken,
    windowId,
    call,
    start: () => call('POST', '', { windowId }),
    save: (answers, lastEvent) =>
      call('PUT', '/answers', { answers, ...(lastEvent === undefined ? {} : { lastEvent }) }),
    report: (...events) => call('POST', '/events', { events }),
    submit: (answers = []) => call('POST', '/submit', { answers }),
    status: () => call('GET', ''),
  }
}

/** A person's concurrent calls that weren't refused as too many. */
export function answeredOf<Answer extends { status: number; body: { code?: string } }>(
  answers: readonly Answer[],
): Answer[] {
  const answered = answers.filter(({ body }) => body?.code !== 'too_many_calls')
  if (answered.length < 2) throw new Error('fewer than two were answered')
  return answered
}

/** The service is up from now on: deletes heartbeats and outages. */
export async function freshPulse(rig: Rig): Promise<void> {
  await rig.db.$client.query('delete from service_pulse')
  await beat(rig.db.$client, rig.clock.now)
  await rig.db.$client.query('delete from service_outages')
}

/** Moves the application's clock with regular heartbeats, so the service was up. */
export async function moveClock(rig: Rig, to: Date | number): Promise<void> {
  const target = typeof to === 'number' ? rig.clock.now.getTime() + to : to.getTime()
  // The service counts as away after five silent seconds. The first heartbeat shows whether it was, and also stands for
  // all later ones except the last.
  if (rig.clock.now.getTime() + 4_000 < target) {
    await beat(rig.db.$client, new Date(rig.clock.now.getTime() + 4_000))
    await rig.db.$client.query(
      'update service_pulse set last_seen_at = greatest(last_seen_at, $1)',
      [new Date(target - 4_000)],
    )
  }
  rig.clock.now = new Date(target)
  await beat(rig.db.$client, rig.clock.now)
}

/** A new assessment with one candidate who has started at DAY. */
export async function startedSeat(rig: Rig, options: AssessmentOptions = {}) {
  rig.clock.now = DAY
  await freshPulse(rig)
  const { code, items } = await makeAssessment(rig, options)
  const candidate = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, candidate.username)
  const started = await seat.start()
  return { seat, code, items, candidate, started }
}

export async function answerRowsOf(rig: Pick<Rig, 'db'>, candidateId: string) {
  const { rows } = await rig.db.execute<{ item_id: number; choice: string; revision: number }>(sql`
    select item_id, choice, revision from attempt_answers
    join attempts on attempts.id = attempt_id where candidate_id = ${candidateId} order by item_id`)
  return rows
}

export async function attemptRowOf(rig: Pick<Rig, 'db'>, candidateId: string) {
  const { rows } = await rig.db.execute<{
    id: string
    submitted_at: string
    submit_reason: string
    deadline_at: string
  }>(sql`select * from attempts where candidate_id = ${candidateId}`)
  return rows[0]
}

/** The first result of an assessment, from its view. */
export async function resultRowOf(rig: Pick<Rig, 'db'>, code: string) {
  const { rows } = await rig.db.execute(sql`
    select "user", correct, incorrect, time, cheated from assessment_results where assessment = ${code}`)
  return rows[0]
}

/** What happened in each attempt of an assessment. */
export async function findingsIn(client: Pick<pg.Pool, 'query'>, code: string): Promise<Finding[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from attempts where assessment = $1 order by id',
    [code],
  )
  const ids = rows.map(({ id }) => id)
  const histories = await readHistories(client, ids, { isWhole: true })
  return ids.flatMap((id) => histories.get(id)?.findings ?? [])
}

/** Sentences about pages that weren't monitored. */
export const unmonitoredWords = (findings: readonly Finding[]): string[] =>
  findings
    .filter(isIncident)
    .filter(({ kind }) => kind === 'unmonitored')
    .map((one) => incidentWords(one, String).rest.join(' '))
