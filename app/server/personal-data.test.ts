import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteClosedAccounts } from '../../accounts/server/deletion.ts'
import { loadBrainteasers } from '../../daily/server/brainteasers.ts'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { PASSWORD } from '../../tests/rig/auth-rig.ts'
import { fillBank, keyOf, wrongOf } from '../../tests/rig/bank-fixture.ts'
import { practiseEverything } from '../../tests/rig/practised.ts'
import { rehearse } from '../../tests/rig/rehearsal-rig.ts'
import { type Rig, signUp, useRig } from '../../tests/rig/rig.ts'
import { makeInvitation, makeMember, makeSociety } from '../../tests/rig/society-rig.ts'
import { PERSONAL_DATA } from './app.ts'

const rig = useRig()
beforeAll(async () => {
  await fillBank(rig)
  await loadBrainteasers(rig.db)
})

/** Tables whose rows stay when a person is deleted, without the link: the society's, and reports on questions. */
const KEPT_WITHOUT_LINK = [
  ...['attempts', 'attempt_windows', 'attempt_events', 'question_reports'],
  ...['society_invitations', 'admin_actions', 'question_imports'],
  ...['item_versions', 'assessment_deletions', 'incident_reports', 'incident_verdicts'],
]

/** Lists every table with a column that refers to a user. */
async function tablesOfPeople(rig: Rig): Promise<{ table: string; rule: string }[]> {
  const { rows } = await rig.db.$client.query<{ table: string; rule: string }>(`
    select distinct c.conrelid::regclass::text as "table", c.confdeltype as rule
    from pg_constraint c where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1`)
  const { rows: named } = await rig.db.$client.query<{ table: string }>(`
    select columns.table_name as "table" from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where columns.table_schema = 'public' and table_type = 'BASE TABLE' and (column_name = 'user_id'
      or (column_name in ('changed_by', 'requested_by') and data_type = 'uuid'))`)
  // A table without a foreign key would keep the person's rows unnoticed.
  expect(new Set(named.map((row) => row.table))).toEqual(new Set(rows.map((row) => row.table)))
  return rows
}

/** A person with a row in every table. */
async function personWithEverything(rig: Rig) {
  const { seat, items, candidate } = await startedSeat(rig)
  await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
  await seat.report({ id: 1, kind: 'paste', at: 5 })
  const { token, userId } = seat
  await rig.call('POST', '/api/results', {
    token,
    body: {
      id: randomUUID(),
      category: 'Financial Accounting & Analysis',
      difficulty: 'Intern',
      testNumber: 1,
      answers: Array.from({ length: 10 }, (_, index) => ({
        questionId: 2001 + index,
        selectedAnswer: index === 0 ? wrongOf(2001) : keyOf(2001 + index),
      })),
      completedAt: rig.clock.now.toISOString(),
      timeZone: 'Europe/Lisbon',
    },
  })
  await rig.call('POST', '/api/streak', {
    token,
    body: { id: randomUUID(), timeZone: 'Europe/Lisbon' },
  })
  await rig.call('POST', '/api/questions/2001/reports', {
    token,
    body: { id: randomUUID(), reason: 'typo', details: 'x' },
  })
  await rig.call('POST', '/api/daily/answer', {
    token,
    body: { selectedOption: 'A', timeTakenSeconds: 3, timeZone: 'Europe/Lisbon' },
  })
  await practiseEverything(rig, userId)
  await rig.db.$client.query(
    `insert into recovery_tokens (user_id, token_hash, code_hash, created_at, expires_at)
     values ($1, $2, $3, now(), now())`,
    [userId, Buffer.from(userId), Buffer.from('x')],
  )
  await rig.db.$client.query(
    `insert into second_factors (id, user_id, secret_encrypted, created_at) values ($1, $2, 'x', now())`,
    [randomUUID(), userId],
  )
  await rig.db.$client.query(
    `insert into address_changes (user_id, email, created_at, expires_at)
     values ($1, 'new@example.com', now(), now())`,
    [userId],
  )
  const society = await makeSociety(rig)
  await makeMember(rig, society.id, userId, 'owner')
  const invitationId = await makeInvitation(rig, society.id, 'other@example.com', ['reviewer'])
  await rig.db.$client.query('update society_invitations set invited_by = $2 where id = $1', [
    invitationId,
    userId,
  ])
  await rig.db.$client.query(
    `insert into admin_actions (at, actor, user_id, action, society_id, detail)
     values (now(), 'me', $1, 'invite', $2, '{}')`,
    [userId, society.id],
  )
  const { code } = await makeAssessment(rig)
  await rehearse(rig, { assessment: code }, { token, userId })
  await rig.db.$client.query(
    `insert into device_checks (id, society_id, user_id, checked_at, browser, clock_offset_ms, round_trip_ms,
       has_fullscreen, has_storage, troubles)
     values (gen_random_uuid(), $2, $1, now(), 'Firefox 140', 0, 20, true, true, '{}')`,
    [userId, society.id],
  )
  const { code: imported } = await makeAssessment(rig, { societyId: society.id, itemCount: 0 })
  await rig.db.$client.query(
    `insert into question_imports (id, assessment, user_id, created_at, item_ids)
     values (gen_random_uuid(), $2, $1, now(), '{1}')`,
    [userId, imported],
  )
  await rig.db.$client.query(
    `insert into key_checks (item_id, user_id, item_version, choice, checked_at)
     values ($2, $1, 1, 'A', now())`,
    [userId, items[0]?.id],
  )
  await rig.db.$client.query(
    `insert into item_versions (assessment, question_id, version, content, changed_by_name, changed_by,
       changed_at)
     values ($2, gen_random_uuid(), 2, '{}', 'me', $1, now())`,
    [userId, imported],
  )
  await rig.db.$client.query(
    `insert into assessment_deletions (id, assessment, requested_at, requested_by, requested_by_name)
     values (gen_random_uuid(), $2, now(), $1, 'me')`,
    [userId, imported],
  )
  await rig.db.$client.query(
    `insert into incident_reports (id, assessment, happened_at, note, reported_by, user_id, reported_at)
     values (gen_random_uuid(), $2, now(), 'An alarm.', 'me', $1, now())`,
    [userId, imported],
  )
  await rig.db.$client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id, decided_at)
     values (gen_random_uuid(), $2, 'event:1', 'cleared', 'The alarm.', 'me', $1, now())`,
    [userId, candidate.id],
  )
  await rig.db.$client.query(
    `insert into attempt_comments (attempt_id, text, written_at)
     select id, 'It rang.', now() from attempts where candidate_id = $1`,
    [candidate.id],
  )
  return { seat, token, userId, candidate }
}

describe("a person's own data", () => {
  it('is exported from every table that names a user', async () => {
    const tables = (await tablesOfPeople(rig)).map((row) => row.table)
    expect(Object.keys(PERSONAL_DATA).sort()).toEqual(['users', ...tables].sort())
  })

  it('is downloaded in full, without secrets, keys or assessment scores', async () => {
    const { token } = await personWithEverything(rig)
    const { status, body } = await rig.call('POST', '/api/profile/export', { token, body: {} })
    expect(status).toBe(200)
    for (const [table, rows] of Object.entries(body)) {
      expect([table, (rows as unknown[]).length > 0]).toEqual([table, true])
    }
    expect(JSON.stringify(body.attempts)).toContain('It rang.')
    const { test_results: _, daily_results: __, ...others } = body
    const { practice_sessions: ___, answered_questions: ____, drills: _____, ...rest } = others
    expect(JSON.stringify(rest)).not.toMatch(
      /password|token_hash|code_hash|correct|incorrect|is_violation|ruling|score|"key"/i,
    )
    const answered = body.attempts.flatMap(
      (one: { answers: unknown[] | null }) => one.answers ?? [],
    )
    expect(answered).toEqual([
      { number: 1, question: null, choice: 'A', savedAt: expect.any(String) },
    ])
  })

  it('has no question of a test until it has closed and all have finished, then the answered ones', async () => {
    const closesAt = new Date(DAY.getTime() + 1_800_000)
    const { seat, items, code } = await startedSeat(rig, { closesAt, itemCount: 2 })
    const late = await makeCandidate(rig, code)
    const { token } = seat
    const answers = items.map(({ id }) => ({ questionId: id, choice: 'B', revision: 1 }))
    await seat.save(answers)
    // Sets the order of this person's paper.
    await rig.db.$client.query('update attempts set paper = array[paper[2], paper[1]]')
    const exported = async () => {
      const { status, body } = await rig.call('POST', '/api/profile/export', { token, body: {} })
      expect(status).toBe(200)
      return { text: JSON.stringify(body), answers: body.attempts[0].answers }
    }
    const stemsIn = (text: string) => text.split(`of ${code}?`).length - 1
    const running = await exported()
    expect(running.text).toContain(code)
    expect([...running.answers.map((one: { number: number }) => one.number)].sort()).toEqual([1, 2])
    expect(stemsIn(running.text)).toBe(0)

    expect((await seat.submit(answers)).status).toBe(200)
    expect(stemsIn((await exported()).text)).toBe(0)

    // Another candidate started a minute before the test closed and is still taking it.
    await moveClock(rig, new Date(closesAt.getTime() - 60_000))
    const other = await takeSeat(rig, code, late.username)
    expect((await other.start()).status).toBe(200)
    await moveClock(rig, new Date(closesAt.getTime() + 60_000))
    expect(stemsIn((await exported()).text)).toBe(0)

    expect((await other.submit(answers)).status).toBe(200)
    const { text, answers: told } = await exported()
    expect(stemsIn(text)).toBe(2)
    expect(told).toContainEqual({
      number: 2,
      question: `Stem 1 of ${code}?`,
      choice: 'B',
      savedAt: expect.any(String),
    })
  })

  it('has every row of growing tables, in order, across batches', async () => {
    const { token, userId } = await signUp(rig)
    await rig.db.$client.query(
      `insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
         completed_at, questions_data, streak_answered)
       select $1, gen_random_uuid(), 'c', 'd', 1 + n, 0, 10, $2::timestamptz - n * interval '1 minute',
         '[]', '{}' from generate_series(0, 237) n`,
      [userId, rig.clock.now],
    )
    const { body } = await rig.call('POST', '/api/profile/export', { token, body: {} })
    expect(Object.keys(body)).toEqual(Object.keys(PERSONAL_DATA))
    expect(body.test_results.map((row: { test_number: number }) => row.test_number)).toEqual(
      Array.from({ length: 238 }, (_, index) => 238 - index),
    )
  })

  it('contains nothing of another person', async () => {
    await personWithEverything(rig)
    const { token } = await signUp(rig, 'nobody-else@example.com')
    const body = (
      await rig.call('POST', '/api/profile/export', { token, body: { password: PASSWORD } })
    ).body
    expect(body.users).toHaveLength(1)
    for (const table of Object.keys(PERSONAL_DATA)) {
      if (!['users', 'profiles', 'sessions'].includes(table)) expect(body[table]).toEqual([])
    }
  })

  it('is deleted from every table; attempts and reports stay without the link', async () => {
    const { seat, token, userId, candidate } = await personWithEverything(rig)
    const { status, body } = await rig.call('DELETE', '/api/profile', { token, body: {} })
    expect([status, body]).toEqual([200, { deleting: true }])
    await deleteClosedAccounts(rig)
    for (const { table, rule } of await tablesOfPeople(rig)) {
      // a: no action, c: cascade, n: set null
      expect([table, rule]).toEqual([table, KEPT_WITHOUT_LINK.includes(table) ? 'n' : 'c'])
      const column = { item_versions: 'changed_by', assessment_deletions: 'requested_by' }[table]
      const { rows } = await rig.db.$client.query(
        `select 1 from ${table} where ${column ?? 'user_id'} = $1`,
        [userId],
      )
      expect([table, rows.length]).toEqual([table, 0])
    }
    expect((await rig.call('GET', '/api/profile', { token })).status).toBe(401)
    const { rows } = await rig.db.$client.query('select 1 from attempts where candidate_id = $1', [
      candidate.id,
    ])
    expect(rows).toHaveLength(1)
    // Deleting the account must not allow a second attempt.
    const again = await takeSeat(rig, seat.code, seat.username)
    expect((await again.start()).body.answers).toHaveLength(1)
  })
})
