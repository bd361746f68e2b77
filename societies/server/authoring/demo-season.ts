import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { Client } from '../action.ts'
import { COLUMNS, contentOf, type StoredQuestion } from '../questions/stored.ts'
import { keepVersion } from '../questions/versions.ts'
import { storeLog } from './demo-log.ts'
import { storeVerdicts } from './demo-verdicts.ts'
import { SAMPLES_LOCK } from './samples.ts'
import {
  type ItemModel,
  inventPeople,
  type SimulatedAttempt,
  type SimulatedItem,
  type SimulatedPerson,
  seededRandom,
  simulateLater,
  simulateSeason,
} from './simulated-season.ts'

/** Of the finished season, whichever year it is of. */
export const DEMO_SEASON = 'DEMO_SPRING'
/** Its second session, which shares its first questions. */
export const DEMO_AFTERNOON = 'DEMO_SPRING_PM'
const SHARED_COUNT = 12
/** Whose items it has, and whose the second session has behind the shared ones. */
const COPIED = 'PCF'
const COPIED_LATER = 'ESFS_AFTERNOON'
/** The sample with a list of candidates who have not come yet, and how many they are. */
const AWAITED = 'ESFS_MORNING'
const AWAITED_COUNT = 40
/** Points of the season's line: of 120, a third is at or above it. */
const DEMO_LINE = 23
const SEED = 20_260_318
/** In the table, of a question without a computed answer: its key went wrong on the eve. */
const MISKEYED = 5
const HOUR_MS = 3_600_000
const ZONE = 'Europe/Lisbon'

/**
 * Shows the organisers' side with data (demo mode only): a finished season of simulated attempts over a
 * sample's items, and a list of invented candidates for another sample. Loaded once, whoever starts at the
 * same time; unloaded, it costs one read.
 *
 * Neither candidates nor attempts are marked as demo ones, which results and counts leave out; that it is
 * invented stands on the assessment, which is a sample, so that production refuses it (requireNoDemoData).
 * The listed ones have no password and no attempt, and so never keep their sample from being replaced.
 * @returns whether it was loaded now
 */
export async function loadDemoSeason(db: Database, now: Date): Promise<boolean> {
  const { rowCount } = await db.$client.query('select from assessments where code = $1', [
    DEMO_SEASON,
  ])
  if (rowCount !== 0) return false
  return inTransaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SAMPLES_LOCK])
    const opensAt = springBefore(now)
    const durationSeconds = await copyAssessment(client, DEMO_SEASON, opensAt, now)
    if (durationSeconds === null) return false
    await copyItems(client, DEMO_SEASON, COPIED)
    const items = await readItems(client, DEMO_SEASON)
    const miskeyed = await rewriteOnTheEve(client, opensAt)
    const asked = items.map((item) => (item.id === miskeyed?.id ? miskeyed : item))
    const season = simulateSeason(asked, durationSeconds, seededRandom(SEED))
    const seats = season.attempts.map((attempt) => ({ attempt, id: randomUUID() }))
    const listedAt = new Date(opensAt.getTime() - 9 * 24 * HOUR_MS)
    await storePeople(client, DEMO_SEASON, listedAt, [
      ...seats.map(({ id, attempt: { person, extraSeconds } }) => ({ id, person, extraSeconds })),
      ...season.absent.map((person) => ({ id: randomUUID(), person, extraSeconds: 0 })),
    ])
    await storeAttempts(client, DEMO_SEASON, seats, { items, opensAt, durationSeconds })
    await storeVerdicts(client, DEMO_SEASON, seats, { opensAt, durationSeconds })
    await storeAfternoon(client, season.model, opensAt, now)
    await storeLine(client, new Date(opensAt.getTime() + 8 * HOUR_MS))
    await storeAwaited(client, now)
    await storeLog(client, [DEMO_SEASON, DEMO_AFTERNOON])
    return true
  })
}

/** Ten o'clock on the latest 18 March that is over for two weeks: Lisbon keeps UTC until its last Sunday. */
function springBefore(now: Date): Date {
  const inYear = (year: number) => new Date(Date.UTC(year, 2, 18, 10))
  const year = now.getUTCFullYear()
  const isOver = now.getTime() - inYear(year).getTime() > 14 * 24 * HOUR_MS
  return inYear(isOver ? year : year - 1)
}

/** A second session on the same day, so that sessions can be compared by what both were asked (product 7.19). */
async function storeAfternoon(
  client: Client,
  model: readonly ItemModel[],
  morning: Date,
  now: Date,
): Promise<void> {
  const opensAt = new Date(morning.getTime() + 4 * HOUR_MS)
  const durationSeconds = await copyAssessment(client, DEMO_AFTERNOON, opensAt, now)
  if (durationSeconds === null) return
  await copyItems(client, DEMO_AFTERNOON, COPIED, { to: SHARED_COUNT })
  await copyItems(client, DEMO_AFTERNOON, COPIED_LATER, { to: 18, behind: SHARED_COUNT })
  const items = await readItems(client, DEMO_AFTERNOON)
  const attempts = simulateLater(
    items,
    model.slice(0, SHARED_COUNT),
    durationSeconds,
    seededRandom(SEED + 2),
  )
  const seats = attempts.map((attempt) => ({ attempt, id: randomUUID() }))
  await storePeople(
    client,
    DEMO_AFTERNOON,
    new Date(opensAt.getTime() - 9 * 24 * HOUR_MS),
    seats.map(({ id, attempt: { person, extraSeconds } }) => ({ id, person, extraSeconds })),
  )
  await storeAttempts(client, DEMO_AFTERNOON, seats, { items, opensAt, durationSeconds })
}

async function readItems(client: Client, code: string): Promise<SimulatedItem[]> {
  const { rows } = await client.query<SimulatedItem>(
    `select id, correct_option as key from assessment_items where assessment = $1 order by position`,
    [code],
  )
  return rows
}

/**
 * An assessment of the season, without its items.
 * @returns its seconds; null where it exists, or there is nothing to copy
 */
async function copyAssessment(
  client: Client,
  code: string,
  opensAt: Date,
  now: Date,
): Promise<number | null> {
  const { rows } = await client.query<{ durationSeconds: number }>(
    `insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
       navigator, rules, opens_at, closes_at, time_zone, is_sample, created_at)
     select $1, society_id, society, $8, $3, duration_seconds, shuffle, navigator, rules, $4, $5, $6,
       true, $7
     from assessments where code = $2 and is_sample
     on conflict (code) do nothing returning duration_seconds as "durationSeconds"`,
    [
      ...[code, COPIED, `Spring ${opensAt.getUTCFullYear()}`, opensAt],
      ...[new Date(opensAt.getTime() + HOUR_MS), ZONE, now],
      code === DEMO_SEASON ? 'Morning' : 'Afternoon',
    ],
  )
  return rows[0]?.durationSeconds ?? null
}

/** Copies of a sample's items, each the same question as there. @param part.to how many, from the first on */
async function copyItems(
  client: Client,
  code: string,
  from: string,
  { to = 500, behind = 0 }: { to?: number; behind?: number } = {},
): Promise<void> {
  await client.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
       correct_option, question_id, version, topic, explanation, compute, is_sample)
     select $1, i.position + $4, i.question, i.answer_a, i.answer_b, i.answer_c, i.answer_d,
       i.correct_option, i.question_id, i.version, i.topic, i.explanation, i.compute, true
     from assessment_items i where i.assessment = $2 and i.position <= $3`,
    [code, from, to, behind],
  )
}

/**
 * On the evening before somebody put two options in another order, and the key stayed where it was: what the
 * analysis of a season is there to find.
 * @returns the question with the option that is right now
 */
async function rewriteOnTheEve(client: Client, opensAt: Date): Promise<SimulatedItem | null> {
  const [stored] = (
    await client.query<StoredQuestion & { id: number }>(
      `select i.id, ${COLUMNS} from assessment_items i
       where assessment = $1 and position = $2 and compute is null and exhibit is null`,
      [DEMO_SEASON, MISKEYED],
    )
  ).rows
  if (!stored) return null
  const was = contentOf(stored)
  const right = OPTION_LETTERS.findLast((letter) => letter !== was.answer && letter !== 'D')
  if (!right) return null
  const options = { ...was.options }
  options[right] = was.options[was.answer]
  options[was.answer] = was.options[right]
  const { questionId, version } = stored
  await keepVersion(client, DEMO_SEASON, { questionId, version, content: was }, null)
  await keepVersion(
    client,
    DEMO_SEASON,
    { questionId, version: version + 1, content: { ...was, options } },
    // Lisbon keeps UTC until the last Sunday of March.
    { actor: 'Carla Dietz (invented)', now: new Date(opensAt.getTime() - (12 * 60 + 20) * 60_000) },
  )
  const { A, B, C, D } = options
  await client.query(
    `update assessment_items set answer_a = $2, answer_b = $3, answer_c = $4, answer_d = $5,
       version = version + 1 where id = $1`,
    [stored.id, A, B, C, D],
  )
  return { id: stored.id, key: right }
}

/** On the list, with a password that nobody knows; of names that are taken nobody is added. */
async function storePeople(
  client: Client,
  code: string,
  at: Date,
  listed: { id: string; person: SimulatedPerson; extraSeconds: number }[],
): Promise<void> {
  const rows = listed.map(({ id, person, extraSeconds }) => ({
    ...{ id, ...person, extra: extraSeconds },
    hash: `\\x${randomBytes(32).toString('hex')}`,
  }))
  await client.query(
    `insert into candidates (id, assessment, username, name, email, room, extra_seconds, password_hash,
       created_at)
     select id, $1, username, name, email, room, extra, hash, $2
     from jsonb_to_recordset($3) as listed (id uuid, username text, name text, email text, room text,
       extra int, hash bytea)
     on conflict do nothing`,
    [code, at, JSON.stringify(rows)],
  )
}

interface Held {
  items: SimulatedItem[]
  opensAt: Date
  durationSeconds: number
}

/** A line that nobody fixed, so that the page of results has something to move. */
async function storeLine(client: Client, at: Date): Promise<void> {
  await client.query(
    `insert into result_lines (assessment, points, version, changed_by, changed_at)
     values ($1, $2, 1, 'demo (invented)', $3)`,
    [DEMO_SEASON, DEMO_LINE, at],
  )
}

async function storeAttempts(
  client: Client,
  code: string,
  seats: { id: string; attempt: SimulatedAttempt }[],
  { items, opensAt, durationSeconds }: Held,
): Promise<void> {
  const attempts = seats.map(({ id, attempt }, index) => {
    const startMs = opensAt.getTime() + attempt.startsAfterMs
    const seconds = durationSeconds + attempt.extraSeconds
    return {
      ...{ id: randomUUID(), candidate: id, reason: attempt.reason, attempt },
      started: new Date(startMs),
      deadline: new Date(startMs + seconds * 1_000),
      submitted: new Date(startMs + attempt.submittedAfterMs),
      windows: attempt.windows.map(() => randomUUID()),
      // Of the range that is kept for examples (RFC 5737): a room behind one address.
      address: `192.0.2.${10 + (index % 3)}`,
    }
  })
  await client.query(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, closed_by_submit, window_id, is_demo)
     select id, $1, candidate, $2, started, deadline, submitted, reason, reason = 'candidate', "window", false
     from jsonb_to_recordset($3) as made (id uuid, candidate uuid, started timestamptz,
       deadline timestamptz, submitted timestamptz, reason text, "window" text)`,
    [
      code,
      items.map(({ id }) => id),
      JSON.stringify(
        attempts.map(({ attempt: _, windows, ...one }) => ({ ...one, window: windows.at(-1) })),
      ),
    ],
  )
  await storeRest(client, attempts)
}

interface Stored {
  id: string
  candidate: string
  started: Date
  windows: string[]
  address: string
  attempt: SimulatedAttempt
}

/** Of the first window, and of the computer of the room that a helper hands out. */
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
] as const

/** Windows, answers and events of attempts that are stored. */
async function storeRest(client: Client, attempts: readonly Stored[]): Promise<void> {
  const after = ({ started }: Stored, ms: number) => new Date(started.getTime() + ms)
  const windows = attempts.flatMap((one) =>
    one.attempt.windows.map(({ openedMs, lastEvent }, n) => ({
      ...{ attempt: one.id, id: one.windows[n], opened: after(one, openedMs), last: lastEvent },
      ...{ address: one.address, agent: AGENTS[n ? 1 : 0] },
    })),
  )
  await client.query(
    `insert into attempt_windows (attempt_id, window_id, opened_at, last_event, address, agent)
     select attempt, id, opened, last, address, agent
     from jsonb_to_recordset($1) as made (attempt uuid, id text, opened timestamptz, last int,
       address text, agent text)`,
    [JSON.stringify(windows)],
  )
  const answers = attempts.flatMap((one) =>
    one.attempt.answers.map(({ item, choice, revision, atMs }) => ({
      ...{ attempt: one.id, item, choice, revision, saved: after(one, atMs + 350) },
    })),
  )
  await client.query(
    `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
     select attempt, item, choice, revision, saved
     from jsonb_to_recordset($1) as made (attempt uuid, item int, choice text, revision int,
       saved timestamptz)`,
    [JSON.stringify(answers)],
  )
  const events = attempts.flatMap((one) => {
    const { attempt, id, candidate, address } = one
    const own = { attempt: id, candidate, window: one.windows[0], address, agent: AGENTS[0] }
    return [
      // Credentials are given before the start, and belong to no attempt.
      {
        ...own,
        attempt: null,
        window: null,
        kind: 'verified',
        at: null,
        heard: after(one, -95_000),
      },
      { ...own, kind: 'started', at: 0, heard: after(one, 0) },
      ...attempt.events.map(({ kind, atMs, heardAfterMs, window, ...event }) => ({
        ...{ attempt: id, candidate, kind, at: atMs, heard: after(one, atMs + heardAfterMs) },
        ...{ detail: event.detail, number: event.number, violation: event.isViolation },
        dwell: event.dwell,
        window: kind === 'submitted' ? null : one.windows[window],
        ...(kind === 'taken_over' ? { address, agent: AGENTS[1] } : {}),
        reason: event.voidReason,
        voided: event.voidReason && after(one, 24 * HOUR_MS),
      })),
    ]
  })
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail, dwell,
       is_violation, voided_at, void_reason, address, agent, received_at)
     select candidate, attempt, kind, "window", number, at, nullif(detail, 'null'),
       dwell, coalesce(violation, false), voided, reason, address, agent, heard
     from jsonb_to_recordset($1) as made (candidate uuid, attempt uuid, kind text, "window" text,
       number int, at bigint, detail jsonb, dwell jsonb, violation boolean, voided timestamptz, reason text,
       address text, agent text, heard timestamptz)
     order by heard`,
    [JSON.stringify(events)],
  )
}

/** The list of a sample that nobody has sat, unless it has one. */
async function storeAwaited(client: Client, now: Date): Promise<void> {
  const { rowCount } = await client.query(
    `select from assessments a where a.code = $1 and a.is_sample
       and not exists (select from candidates c where c.assessment = a.code and not c.is_demo)`,
    [AWAITED],
  )
  if (rowCount === 0) return
  const people = inventPeople(AWAITED_COUNT, seededRandom(SEED + 1))
  const listed = people.map((person) => ({ id: randomUUID(), person, extraSeconds: 0 }))
  await storePeople(client, AWAITED, now, listed)
}
