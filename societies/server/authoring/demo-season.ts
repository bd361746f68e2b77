import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { Client } from '../action.ts'
import { SAMPLES_LOCK } from './samples.ts'
import { COMMENTED, DECIDED, REPORTED } from './simulated-incidents.ts'
import {
  inventPeople,
  type SimulatedAttempt,
  type SimulatedItem,
  type SimulatedPerson,
  seededRandom,
  simulateSeason,
} from './simulated-season.ts'

/** Of the finished season, whichever year it is of. */
export const DEMO_SEASON = 'DEMO_SPRING'
/** Whose items it has. */
const COPIED = 'PCF'
/** The sample with a list of candidates who have not come yet, and how many they are. */
const AWAITED = 'ESFS_MORNING'
const AWAITED_COUNT = 40
const SEED = 20_260_318
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
    const durationSeconds = await copyAssessment(client, opensAt, now)
    if (durationSeconds === null) return false
    const { rows: items } = await client.query<SimulatedItem>(
      `select id, correct_option as key from assessment_items where assessment = $1 order by position`,
      [DEMO_SEASON],
    )
    const season = simulateSeason(items, durationSeconds, seededRandom(SEED))
    const seats = season.attempts.map((attempt) => ({ attempt, id: randomUUID() }))
    const listedAt = new Date(opensAt.getTime() - 9 * 24 * HOUR_MS)
    await storePeople(client, DEMO_SEASON, listedAt, [
      ...seats.map(({ id, attempt: { person, extraSeconds } }) => ({ id, person, extraSeconds })),
      ...season.absent.map((person) => ({ id: randomUUID(), person, extraSeconds: 0 })),
    ])
    await storeAttempts(client, seats, { items, opensAt, durationSeconds })
    await storeVerdicts(client, seats, { items, opensAt, durationSeconds })
    await storeAwaited(client, now)
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

/**
 * The season's assessment with copies of the items, each the same question as there.
 * @returns its seconds; null where it exists, or there is nothing to copy
 */
async function copyAssessment(client: Client, opensAt: Date, now: Date): Promise<number | null> {
  const { rows } = await client.query<{ durationSeconds: number }>(
    `insert into assessments (code, society_id, society, session, season, duration_seconds, shuffle,
       navigator, rules, opens_at, closes_at, time_zone, is_sample, created_at)
     select $1, society_id, society, null, $3, duration_seconds, shuffle, navigator, rules, $4, $5, $6,
       true, $7
     from assessments where code = $2 and is_sample
     on conflict (code) do nothing returning duration_seconds as "durationSeconds"`,
    [
      ...[DEMO_SEASON, COPIED, `Spring ${opensAt.getUTCFullYear()}`, opensAt],
      ...[new Date(opensAt.getTime() + HOUR_MS), ZONE, now],
    ],
  )
  await client.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
       correct_option, question_id, version, topic, explanation, compute, is_sample)
     select a.code, i.position, i.question, i.answer_a, i.answer_b, i.answer_c, i.answer_d,
       i.correct_option, i.question_id, i.version, i.topic, i.explanation, i.compute, true
     from assessments a join assessment_items i on i.assessment = $2 where a.code = $1 and $3`,
    [DEMO_SEASON, COPIED, rows.length === 1],
  )
  return rows[0]?.durationSeconds ?? null
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

async function storeAttempts(
  client: Client,
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
      DEMO_SEASON,
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
        window: kind === 'submitted' ? null : one.windows[window],
        ...(kind === 'taken_over' ? { address, agent: AGENTS[1] } : {}),
        reason: event.voidReason,
        voided: event.voidReason && after(one, 24 * HOUR_MS),
      })),
    ]
  })
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail,
       is_violation, voided_at, void_reason, address, agent, received_at)
     select candidate, attempt, kind, "window", number, at, nullif(detail, 'null'),
       coalesce(violation, false), voided, reason, address, agent, heard
     from jsonb_to_recordset($1) as made (candidate uuid, attempt uuid, kind text, "window" text,
       number int, at bigint, detail jsonb, violation boolean, voided timestamptz, reason text,
       address text, agent text, heard timestamptz)
     order by heard`,
    [JSON.stringify(events)],
  )
}

const REVIEWER = 'Iris Vaz (invented)'
const HELPER = 'Dev Malik (invented)'

/** What helpers wrote, reviewers decided and candidates told; in the order of the season's people. */
async function storeVerdicts(
  client: Client,
  seats: readonly { id: string }[],
  { opensAt, durationSeconds }: Held,
): Promise<void> {
  const idOf = (index: number) => seats[index]?.id
  const decided = DECIDED.map(({ index, ...one }) => ({ ...one, candidate: idOf(index) }))
  await client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
     select gen_random_uuid(), d.candidate, 'event:' || e.id, d.verdict, d.reason, $2, $3
     from jsonb_to_recordset($1) as d (candidate uuid, strike int, verdict text, reason text)
     join lateral (
       select id, row_number() over (order by id) as strike from attempt_events
       where candidate_id = d.candidate and is_violation
     ) e on e.strike = d.strike`,
    [JSON.stringify(decided), REVIEWER, new Date(opensAt.getTime() + 26 * HOUR_MS)],
  )
  const reported = REPORTED.map(({ index, share, ...one }) => ({
    ...{ ...one, candidate: index === null ? null : idOf(index) },
    at: new Date(opensAt.getTime() + share * durationSeconds * 1_000),
  }))
  await client.query(
    `insert into incident_reports (id, assessment, candidate_id, room, happened_at, note, reported_by,
       reported_at)
     select gen_random_uuid(), $2, candidate, room, at, note, $3, at
     from jsonb_to_recordset($1) as r (candidate uuid, room text, at timestamptz, note text)`,
    [JSON.stringify(reported), DEMO_SEASON, HELPER],
  )
  const commented = COMMENTED.map(({ index, text }) => ({ text, candidate: idOf(index) }))
  await client.query(
    `insert into attempt_comments (attempt_id, text, written_at)
     select a.id, c.text, a.submitted_at + interval '2 hours'
     from jsonb_to_recordset($1) as c (candidate uuid, text text)
     join attempts a on a.candidate_id = c.candidate`,
    [JSON.stringify(commented)],
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
