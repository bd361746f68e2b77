import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { inject } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { listTables, writeBackup } from '../../platform/database/backup/backup.ts'
import { type RestoreOptions, restoreBackup } from '../../platform/database/backup/restore.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { deriveKey } from '../../platform/database/secret-key.ts'
import { regradeItem } from '../../societies/results/server/regrade.ts'
import { startedSeat } from './assessment-rig.ts'
import { fillBank, keyOf, wrongOf } from './bank-fixture.ts'
import { organizerOf } from './organizer-rig.ts'
import { practiseEverything } from './practised.ts'
import { type Rig, signUp } from './rig.ts'
import { makeInvitation, makeMember, makeSociety } from './society-rig.ts'

const CELL = { category: 'Financial Accounting & Analysis', difficulty: 'Intern' }

export async function withClient<T>(
  url: string,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** An empty database, or one with our tables. */
export async function makeDatabase({ migrated }: { migrated: boolean }): Promise<string> {
  const name = `backup_${randomUUID().replaceAll('-', '')}`
  await withClient(inject('postgresUrl'), (client) =>
    client.query(
      `create database ${name}${migrated ? ' template superday_template strategy file_copy' : ''}`,
    ),
  )
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}

/** Every row of every table as text, sorted. Empty for a database before the first start. */
export function dump(url: string): Promise<Record<string, string[]>> {
  return withClient(url, async (client) => {
    await client.query(`set timezone = 'UTC'`)
    const tables: Record<string, string[]> = {}
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(
        `select t::text as row from public."${name}" t order by 1`,
      )
      tables[name] = rows.map(({ row }) => row)
    }
    return tables
  })
}

export const backupOf = (rig: Rig, file: string, url = rig.databaseUrl) =>
  writeBackup(
    {
      url,
      secretKey: rig.dependencies.secretKey,
      now: rig.clock.now,
      actor: 'tester',
    },
    createWriteStream(file),
  )

export const restoreInto = (
  rig: Rig,
  url: string,
  file: string,
  more: Partial<RestoreOptions> = {},
) =>
  restoreBackup({
    url,
    file,
    secretKey: rig.dependencies.secretKey,
    now: rig.clock.now,
    actor: 'tester',
    ...more,
  })

/** The application over another database, with the rig's clock and key. */
export async function withApp<T>(
  rig: Rig,
  url: string,
  act: (call: Rig['call']) => Promise<T>,
  secretKey = rig.dependencies.secretKey,
): Promise<T> {
  const db = openDatabase(url)
  const app = createApp({ ...rig.dependencies, db, secretKey })
  try {
    return await act(async (method, path, { body, token, headers } = {}) => {
      const response = await app.request(path, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    })
  } finally {
    await db.$client.end()
  }
}

export const finishTest = (rig: Rig, token: string, testNumber = 1) =>
  rig.call('POST', '/api/results', {
    token,
    body: {
      id: randomUUID(),
      ...CELL,
      testNumber,
      answers: Array.from({ length: 10 }, (_, index) => {
        const questionId = 2001 + (testNumber - 1) * 10 + index
        const choose = index % 3 === 0 ? wrongOf : keyOf
        return { questionId, selectedAnswer: choose(questionId) }
      }),
      completedAt: rig.clock.now.toISOString(),
      timeZone: 'Europe/Lisbon',
    },
  })

/** Texts that COPY's format has to escape, or that look like its end or like null. */
const AWKWARD = [
  'tab\there',
  'two\nlines\r\nand three',
  '\\.',
  'first\n\\.\nlast',
  '\\N',
  '',
  'back\\slash "quoted" {brace}',
  'Größe 漢字 🙂 é\u2028',
  `{"superday":"backup"}\n{"table":"users"}`,
]

/**
 * Fills every table with at least one row: two students, a guest, a daily brainteaser, an assessment with a submitted
 * and a running attempt, and values that are hard to serialize.
 */
export async function fillEverything(rig: Rig) {
  const { $client: db } = rig.db
  await fillBank(rig)
  await db.query(`insert into brainteasers (id, statement, a, b, c, d, correct, explanation, mistakes)
    values (1, 'Which?', 'a', 'b', 'c', 'd', 'A', 'So.', '{}')`)
  const done = await startedSeat(rig, { code: 'DONE' })
  await done.seat.save([{ questionId: done.items[0]?.id ?? 0, choice: 'B', revision: 1 }], 1)
  await done.seat.report({ id: 1, kind: 'copy', at: 1000, detail: { text: 'a\\b\tc\n"d"' } })
  await done.seat.submit(done.items.map(({ id }) => ({ questionId: id, choice: 'B', revision: 2 })))
  await regradeItem(
    { ...organizerOf(rig), code: 'DONE' },
    1,
    { kind: 'accept', option: 'C' },
    'both "are"\nright',
  )
  const running = await startedSeat(rig, { code: 'RUNNING' })
  await running.seat.save([{ questionId: running.items[0]?.id ?? 0, choice: 'A', revision: 3 }])

  const student = await signUp(rig, 'ana@example.com')
  const guest = await signUp(rig)
  await finishTest(rig, student.token)
  await finishTest(rig, student.token, 2)
  await finishTest(rig, guest.token)
  await rig.call('POST', '/api/streak', {
    token: student.token,
    body: { id: randomUUID(), timeZone: 'America/New_York' },
  })
  for (const details of AWKWARD) {
    await db.query(
      `insert into question_reports (id, question_id, user_id, reason, details, created_at)
       values (gen_random_uuid(), 2001, $1, 'other', $2, '2026-03-01 08:09:10.123456+00')`,
      [student.userId, details],
    )
  }
  await practiseEverything(rig, student.userId)
  await db.query(`insert into practice_cases values ('lease', 1, '{"title": "a\\tb"}')`)
  await db.query(`insert into spoken_prompts values ('why-us', 1, '{"prompt": "Why \\\\N?"}')`)
  const society = await makeSociety(rig, 'Club "of" tabs')
  await makeMember(rig, society.id, student.userId, 'reviewer', { assessment: 'DONE' })
  await makeInvitation(rig, society.id, 'ben@example.com', ['author'], 'RUNNING')
  await db.query(
    `insert into item_versions (assessment, question_id, version, content, changed_by_name, changed_by,
       changed_at)
     values ('DONE', gen_random_uuid(), 2, $2, 'ana "a"', $1, '2026-03-01 08:09:10.123456+00')`,
    [student.userId, JSON.stringify({ question: 'a\tb\\N' })],
  )
  await db.query(
    `insert into exhibit_pictures values (gen_random_uuid(), $1, 'image/png', $2, now())`,
    [society.id, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  )
  await addTrials(rig, society.id, student.userId)
  await addPreparations(rig, student.userId)
  await addJudgement(rig, student.userId)
  const daily = '/api/daily?timeZone=Europe/Lisbon'
  await rig.call('GET', daily, { token: student.token })
  await rig.call('POST', '/api/daily/answer', {
    token: student.token,
    body: { selectedOption: 'A', timeTakenSeconds: 12, timeZone: 'Europe/Lisbon' },
  })
  await rig.call('POST', '/auth/v1/recover', { body: { email: 'ana@example.com' } })
  await db.query(
    `insert into recovery_tokens values ($1, $2, $3, 0, now(), now() + interval '1 hour')`,
    [student.userId, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), randomBytes(6)],
  )
  const factorId = randomUUID()
  await db.query(
    `insert into second_factors (id, user_id, secret_encrypted, created_at, last_step)
     values ($1, $2, $3, now(), 59000000)`,
    [factorId, student.userId, randomBytes(48)],
  )
  await db.query('insert into second_factor_codes values ($1, $2, now())', [
    factorId,
    randomBytes(32),
  ])
  await db.query(
    `insert into address_changes values ($1, 'new@example.com', $2, now(), now() + interval '1 day')`,
    [student.userId, randomBytes(32)],
  )
  await db.query(`insert into replaced_tokens
    select '\\x00ff', candidate_id, session_id, created_at from candidate_tokens limit 1`)
  await db.query(
    `insert into service_outages (started_at, ended_at) values (now() - interval '1 minute', now())`,
  )
  await db.query(`insert into rate_limits values ('key', 3, 9007199254740991), ('open', 1, null)`)
  await db.query(
    `update users set metadata = '{"degree":"a\\\\tb","n":1e400,"tiny":0.10000000000000000000000001}'
     where id = $1`,
    [student.userId],
  )
  // The row's trigger would reject it if it were new.
  await db.query(`update attempts set paper = paper || 999999 where assessment = 'DONE'`)
  await db.query(
    `update candidates set exempt_kinds = '{paste,"a,b","",NULL}' where assessment = 'DONE'`,
  )
  return { student, guest, done, running }
}

/** A running simulation, and a rehearsal with its findings. */
async function addTrials(rig: Rig, societyId: string, userId: string): Promise<void> {
  const db = rig.db.$client
  await db.query(`insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator,
      rules, time_zone, is_sample, created_at, trial, trial_of)
    select 'SIMULATION_1', society_id, society, 42, shuffle, navigator, rules, time_zone, false, created_at,
      'simulation', code from assessments where code = 'RUNNING'`)
  await db.query(
    `insert into simulations (assessment, society_id, candidate_count, started_by, started_at, ends_at, beat_at)
     values ('SIMULATION_1', $1, 10, 'ana', now(), now(), now())`,
    [societyId],
  )
  await db.query(
    `insert into rehearsals (candidate_id, user_id, opened_at)
     select id, $1, now() from candidates where assessment = 'RUNNING' limit 1`,
    [userId],
  )
  await db.query(
    `insert into device_checks (id, society_id, user_id, checked_at, browser, clock_offset_ms, round_trip_ms,
       has_fullscreen, has_storage, troubles)
     values (gen_random_uuid(), $1, $2, now(), 'Firefox 140', -3, 20, true, false, '{storage}')`,
    [societyId, userId],
  )
}

/** Organizers' work before the day: imports, key checks, mails, a deletion request. */
async function addPreparations(rig: Rig, userId: string): Promise<void> {
  const db = rig.db.$client
  const texts = [
    `insert into question_imports (id, assessment, user_id, created_at, item_ids)
     values (gen_random_uuid(), 'RUNNING', $1, now(), '{1,2}')`,
    `insert into key_checks (item_id, user_id, item_version, choice, comment, checked_at)
     select i.id, $1, 1, 'A', E'a\\tb', now()
     from assessment_items i where i.assessment = 'RUNNING' limit 1`,
    `insert into assessment_deletions (id, assessment, requested_at, requested_by, requested_by_name)
     values (gen_random_uuid(), 'DONE', now(), $1, 'ana')`,
  ]
  for (const text of texts) await db.query(text, [userId])
  await db.query(
    `insert into credential_mails (id, candidate_id, address, state, error, created_at, changed_at, made_by)
     select gen_random_uuid(), id, 'ana@example.com', 'failed', '550 "no"', now(), now(), 'ana'
     from candidates where assessment = 'RUNNING' limit 1`,
  )
  await db.query(
    `insert into credential_texts (assessment, paragraph, version, changed_by, changed_at)
     values ('RUNNING', E'a\nb', 1, 'ana', now())`,
  )
}

/** Organizers' work during the test and afterwards: messages, reports, verdicts, rulings, cut scores. */
async function addJudgement(rig: Rig, userId: string): Promise<void> {
  const db = rig.db.$client
  const candidate = `(select id from candidates where assessment = 'DONE' limit 1)`
  const attempt = `(select id from attempts where assessment = 'DONE' limit 1)`
  const texts = [
    `insert into attempt_comments values (${attempt}, E'a\tb', now())`,
    `insert into candidate_messages (assessment, room, text, sent_at, sent_by)
     values ('RUNNING', '2.11', 'Carry on.', now(), 'ana')`,
    `insert into result_releases values ('DONE', now(), 'ana', '', null)`,
    `insert into form_deals (assessment, is_demo, seed, dealt) values ('DONE', false, 7, 3)`,
    `insert into organiser_calls values (gen_random_uuid(), 'DONE', 'give-time', '{"n":1}', now())`,
    `insert into removed_candidates values (gen_random_uuid(), 'DONE', now())`,
    `insert into ranking_exclusions values (${candidate}, 'Sat for a friend', 'ana', now())`,
    `insert into seen_marks values (${candidate}, 'strike:3', now(), 'ana')`,
    `insert into result_lines (assessment, points, version, changed_by, changed_at)
     values ('DONE', 12.5, 1, 'ana', now())`,
    `insert into key_confirmations (item_id, reason, confirmed_by, confirmed_at)
     select item_id, 'worked out', 'ana', now() from item_rulings order by id limit 1`,
    `insert into kept_statistics values ('DONE', '{"n":3}', now())`,
  ]
  for (const text of texts) await db.query(text)
  await db.query(
    `insert into incident_reports (id, assessment, happened_at, note, reported_by, user_id, reported_at)
     values (gen_random_uuid(), 'DONE', now(), 'Alarm off', 'ana', $1, now())`,
    [userId],
  )
  await db.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id, decided_at)
     values (gen_random_uuid(), ${candidate}, 'absence:1', 'cleared', 'alarm', 'ana', $1, now())`,
    [userId],
  )
  await db.query(
    `insert into fairness_reports (id, assessment, content, published_at, published_by)
     values (gen_random_uuid(), 'DONE', '{"n":20}', now(), 'ana')`,
  )
}

/**
 * Changes a backup as an attacker who knows its format could: with a matching checksum, and with a matching seal if
 * they have the key.
 */
export async function forge(
  from: string,
  to: string,
  change: (text: string) => string,
  secretKey: Buffer = randomBytes(32),
): Promise<void> {
  const text = gunzipSync(await readFile(from)).toString('utf8')
  const body = change(text.slice(0, text.lastIndexOf('{"sha256"')))
  const sha256 = createHash('sha256').update(body).digest('hex')
  const seal = createHmac('sha256', deriveKey(secretKey, 'backup seal')).update(sha256)
  const end = `${JSON.stringify({ sha256, seal: seal.digest('hex') })}\n`
  await writeFile(to, gzipSync(body + end))
}
