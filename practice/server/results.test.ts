import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank, finishedTest, wrongOf } from '../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../tests/rig/rig.ts'
import { getResult, listResults } from '../contract.ts'
import { clampCompletion } from './practice-day-store.ts'

const rig = useRig()
const CATEGORY = 'Financial Accounting & Analysis'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`

beforeAll(() => fillBank(rig))

const finished = (options?: Parameters<typeof finishedTest>[1]) =>
  finishedTest(rig.clock.now, options)

const storedResults = async (userId: string) => {
  const { rows } = await rig.db.execute<{ count: number }>(
    sql`select count(*)::int as count from test_results where user_id = ${userId}`,
  )
  return rows[0]?.count
}

describe('saving a result', () => {
  it('scores on the server and answers 201 with score and streak', async () => {
    const { token } = await signUp(rig)
    const { status, body } = await rig.call('POST', '/api/results', {
      token,
      body: finished({ wrong: [0, 4, 9] }),
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      score: 7,
      totalQuestions: 10,
      streak: { currentStreak: 1, streakHighscore: 1, lastCompletedDate: '2026-03-02' },
    })
  })

  it('stores one row if the same id is sent 20 times at the same time, with equal responses', async () => {
    const { token, userId } = await signUp(rig)
    const body = finished({ wrong: [1] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rig.call('POST', '/api/results', { token, body })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(await storedResults(userId)).toBe(1)
  })

  it('returns the same body for a retry on a later day and leaves the streak unchanged', async () => {
    const { token } = await signUp(rig)
    const body = finished()
    const first = await rig.call('POST', '/api/results', { token, body })
    const then = rig.clock.now
    rig.clock.now = new Date(then.getTime() + 40 * 60_000)
    const again = await rig.call('POST', '/api/results', { token, body })
    rig.clock.now = then
    expect([again.status, again.body]).toEqual([200, first.body])
  })

  it('is idempotent per person: another person may use the same id', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    const body = finished()
    expect((await rig.call('POST', '/api/results', { token: one.token, body })).status).toBe(201)
    expect((await rig.call('POST', '/api/results', { token: other.token, body })).status).toBe(201)
    expect(await storedResults(one.userId)).toBe(1)
    expect(await storedResults(other.userId)).toBe(1)
  })

  const valid = finished()
  const answersBut = (change: (answers: (typeof valid)['answers']) => unknown) => {
    const answers = structuredClone(valid.answers)
    return { ...valid, id: randomUUID(), answers: change(answers) ?? answers }
  }
  it.each<[string, () => unknown]>([
    [
      'a question outside the test',
      () => answersBut((a) => void Object.assign(a[3] ?? {}, { questionId: 2011 })),
    ],
    [
      'a question twice',
      () => answersBut((a) => void Object.assign(a[3] ?? {}, { questionId: 2001 })),
    ],
    ['a missing answer', () => answersBut((a) => a.slice(1))],
    ['no answers', () => answersBut(() => [])],
    ['option E', () => answersBut((a) => void Object.assign(a[3] ?? {}, { selectedAnswer: 'E' }))],
    [
      'an extra field in an answer',
      () => answersBut((a) => void Object.assign(a[3] ?? {}, { isCorrect: true })),
    ],
    ['a score of its own', () => ({ ...valid, score: 10 })],
    ['an unknown time zone', () => ({ ...valid, timeZone: 'Mars/Olympus' })],
    ['an offset for a time zone', () => ({ ...valid, timeZone: '+02:00' })],
    ['an unknown category', () => ({ ...valid, category: 'Astrology' })],
    ['a test that does not exist', () => ({ ...valid, testNumber: 9 })],
    ['test number 0', () => ({ ...valid, testNumber: 0 })],
    ['an id that is no uuid', () => ({ ...valid, id: 'one' })],
    ['a time that is none', () => ({ ...valid, completedAt: 'yesterday' })],
    ['nothing', () => ({})],
    ['a list', () => []],
    ['text that is not JSON', () => '{"id": '],
  ])('rejects %s with 400 and stores nothing', async (_, body) => {
    const { token, userId } = await signUp(rig)
    const answer = await rig.call('POST', '/api/results', { token, body: body() })
    expect(answer.status).toBe(400)
    expect(typeof answer.body.code).toBe('string')
    expect(typeof answer.body.message).toBe('string')
    expect(await storedResults(userId)).toBe(0)
    const { rows } = await rig.db.execute(
      sql`select 1 from practice_days where user_id = ${userId}`,
    )
    expect(rows).toHaveLength(0)
  })

  it('rejects a body over 100 KB with 413, with or without a declared length', async () => {
    const { token } = await signUp(rig)
    const large = JSON.stringify({ ...finished(), padding: 'x'.repeat(100_001) })
    const announced = await rig.call('POST', '/api/results', { token, body: large })
    expect([announced.status, announced.body.code]).toEqual([413, 'body_too_large'])
    const chunked = await rig.app.request('/api/results', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  it.each([
    ['a device clock in the future is now', '2026-03-09T10:00:00Z', '2026-03-02T10:00:00.000Z'],
    [
      'a delivery of three days ago keeps its time',
      '2026-02-27T10:00:00Z',
      '2026-02-27T10:00:00.000Z',
    ],
    ['an offset is read', '2026-03-02T10:30:00+02:00', '2026-03-02T08:30:00.000Z'],
    ['older than seven days is seven days ago', '2026-01-01T10:00:00Z', '2026-02-23T10:00:00.000Z'],
  ])('clamps the finishing time: %s', async (_, completedAt, stored) => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await rig.call('POST', '/api/results', { token, body: finished({ completedAt }) })
    const { body } = await rig.call('GET', `/api/results?${CELL}`, { token })
    expect(body[0].completedAt).toBe(stored)
  })
})

describe('saved results', () => {
  it('are listed newest first and reopen their review', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const older = finished({ wrong: [0, 1], completedAt: '2026-03-01T10:00:00Z' })
    const newer = finished({ testNumber: 2, completedAt: '2026-03-02T09:00:00Z' })
    await rig.call('POST', '/api/results', { token, body: newer })
    await rig.call('POST', '/api/results', { token, body: older })

    const list = await rig.call('GET', `/api/results?${CELL}`, { token })
    expect(listResults.response.parse(list.body).map(({ id, score }) => [id, score])).toEqual([
      [newer.id, 10],
      [older.id, 8],
    ])
    const one = await rig.call('GET', `/api/results/${older.id}`, { token })
    const result = getResult.response.parse(one.body)
    expect(result.review.map(({ isCorrect }) => isCorrect)).toEqual([
      ...Array(2).fill(false),
      ...Array(8).fill(true),
    ])
    expect(result.review[0]?.userAnswer).toBe(wrongOf(2001))
  })

  it('are listed 500 at a time, continuing after a given result', async () => {
    const { token, userId } = await signUp(rig)
    await rig.db.execute(sql`
      insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
        completed_at, questions_data, streak_answered)
      select ${userId}, gen_random_uuid(), ${CATEGORY}, 'Intern', 1, 4, 10,
        ${rig.clock.now.toISOString()}::timestamptz - n / 2 * interval '1 minute', '[]', '{}'
      from generate_series(1, 510) n`)
    const list = async (before = '') =>
      (await rig.call('GET', `/api/results?${CELL}${before}`, { token })).body as { id: string }[]
    const newest = await list()
    expect(newest).toHaveLength(500)
    const earlier = await list(`&before=${newest.at(-1)?.id}`)
    expect(earlier).toHaveLength(10)
    expect(new Set([...newest, ...earlier].map(({ id }) => id)).size).toBe(510)
    expect(await list(`&before=${randomUUID()}`)).toEqual([])
    // Progress lists only the attempts for its charts but sums all of them.
    const { body: progress } = await rig.call('GET', '/api/progress', { token })
    expect([progress.attemptCount, progress.attempts.length]).toEqual([510, 510])
  })

  it('keep the questions as they were when answered', async () => {
    const { token } = await signUp(rig)
    const body = finished()
    await rig.call('POST', '/api/results', { token, body })
    await rig.db.execute(sql`update questions set question = 'Changed?' where id = 2002`)
    const { body: result } = await rig.call('GET', `/api/results/${body.id}`, { token })
    await rig.db.execute(sql`update questions set question = 'Question 2002?' where id = 2002`)
    expect(result.review[1].question.question).toBe('Question 2002?')
  })

  it('of another person return 404, like missing ones', async () => {
    const [owner, stranger] = [await signUp(rig), await signUp(rig)]
    const body = finished()
    await rig.call('POST', '/api/results', { token: owner.token, body })
    const theirs = await rig.call('GET', `/api/results/${body.id}`, { token: stranger.token })
    const none = await rig.call('GET', `/api/results/${randomUUID()}`, { token: stranger.token })
    expect([theirs.status, theirs.body]).toEqual([404, none.body])
    expect(none.status).toBe(404)
    expect((await rig.call('GET', `/api/results?${CELL}`, { token: stranger.token })).body).toEqual(
      [],
    )
  })

  // The old shape has no wrapper in questions_data (product 3.7.2).
  it('in the old shape have an empty review and no mistakes, and count as attempts', async () => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    await rig.db.execute(sql`
      insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
        completed_at, questions_data, streak_answered)
      values (${userId}, ${id}, ${CATEGORY}, 'Intern', 1, 4, 10, ${'2026-02-01T10:00:00Z'},
        '[{"ID": 2001, "Question": "Question 2001?", "Correct Option": "B"}]',
        '{"currentStreak": 1, "streakHighscore": 1, "lastCompletedDate": "2026-02-01"}')`)
    const { status, body } = await rig.call('GET', `/api/results/${id}`, { token })
    expect(status).toBe(200)
    expect(getResult.response.parse(body).review).toEqual([])
    const { body: mistakes } = await rig.call('GET', `/api/mistakes?${CELL}`, { token })
    expect(mistakes).toEqual({ attempts: 1, cleared: 0, mistakes: [] })
  })
})

const now = '2026-03-02T10:00:00.000Z'
const clamp = (completedAt: string, memberSince = '2025-01-01T00:00:00.000Z') =>
  clampCompletion(new Date(completedAt), { now: new Date(now), memberSince: new Date(memberSince) })

it.each([
  ['an hour ago', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ['now', now, now],
  ['a minute ahead', '2026-03-02T10:01:00.000Z', now],
  ['seven days ago', '2026-02-23T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
  ['a moment earlier', '2026-02-23T09:59:59.999Z', '2026-02-23T10:00:00.000Z'],
  ['a year ago', '2025-03-02T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
])('a test finished %s, at %s, counts as finished at %s', (_, completedAt, counts) => {
  expect(clamp(completedAt).toISOString()).toBe(counts)
})

it.each([
  ['before the account was made', '2026-02-27T10:00:00.000Z', '2026-03-01T08:00:00.000Z'],
  ['a moment after', '2026-03-01T08:00:00.001Z', '2026-03-01T08:00:00.001Z'],
])('a test finished %s, at %s, counts as finished at %s', (_, completedAt, counts) => {
  expect(clamp(completedAt, '2026-03-01T08:00:00.000Z').toISOString()).toBe(counts)
})

it("a test counts as finished now if the device's clock is behind the account's start", () => {
  expect(clamp(now, '2026-03-02T10:00:01.000Z').toISOString()).toBe(now)
})
