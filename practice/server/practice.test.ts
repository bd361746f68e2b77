import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank, finishedTest, keyOf, wrongOf } from '../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../tests/rig/rig.ts'
import { getMistakes, getProgress, getQuestions } from '../contract.ts'

const rig = useRig()
const CATEGORY = 'Financial Accounting & Analysis'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`

beforeAll(() => fillBank(rig))

const finished = (options?: Parameters<typeof finishedTest>[1]) =>
  finishedTest(rig.clock.now, options)

describe('the questions of a test', () => {
  it("are complete, ten per test, in id order, in the contract's shape", async () => {
    const { token } = await signUp(rig)
    const { status, body } = await rig.call('GET', `/api/questions?${CELL}&testNumber=2`, { token })
    expect(status).toBe(200)
    expect(getQuestions.response.parse(body).map((question) => question.id)).toEqual([
      2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019, 2020,
    ])
    expect(body[0]).toMatchObject({ correctOption: keyOf(2011), explanation: 'Because of 2011.' })
  })

  it.each([
    ['an unknown category', 'category=Astrology&difficulty=Intern'],
    ['an unknown difficulty', `category=${encodeURIComponent(CATEGORY)}&difficulty=Partner`],
    ['a test number too high', `${CELL}&testNumber=3`],
    ['test number 0', `${CELL}&testNumber=0`],
    ['a test number that is a word', `${CELL}&testNumber=abc`],
    ['a negative test number', `${CELL}&testNumber=-1`],
  ])('for %s are an empty list with status 200', async (_, query) => {
    const { token } = await signUp(rig)
    const { status, body } = await rig.call('GET', `/api/questions?${query}`, { token })
    expect([status, body]).toEqual([200, []])
  })

  it('are counted for each cell', async () => {
    const { token } = await signUp(rig)
    const { body } = await rig.call('GET', '/api/questions/counts', { token })
    expect(body).toHaveLength(13)
    expect(body).toContainEqual({ category: CATEGORY, difficulty: 'Intern', count: 20 })
  })

  it('need a session', async () => {
    const { status, body } = await rig.call('GET', `/api/questions?${CELL}`)
    expect([status, body.code]).toEqual([401, 'no_authorization'])
  })
})

describe("summaries of a person's practice", () => {
  it.each([
    '/api/progress',
    `/api/mistakes?${CELL}`,
    `/api/results?${CELL}`,
    '/api/practice/cases',
    '/api/practice/drills',
    '/api/practice/superdays',
  ])('run one at a time per person, and too many are rejected: %s', async (route) => {
    const [greedy, other] = [await signUp(rig), await signUp(rig)]
    const asked = Array.from({ length: 100 }, () => rig.call('GET', route, { token: greedy.token }))
    expect((await rig.call('GET', route, { token: other.token })).status).toBe(200)
    const answers = await Promise.all(asked)
    const refused = answers.filter(({ status }) => status === 429)
    // Some calls finish while others are still arriving.
    expect(refused.length).toBeGreaterThan(10)
    expect(refused[0]?.body.code).toBe('too_many_calls')
    const answered = answers.filter(({ status }) => status === 200)
    expect(answered.length).toBe(100 - refused.length)
    expect(answered.length).toBeGreaterThanOrEqual(31)
    expect((await rig.call('GET', route, { token: greedy.token })).status).toBe(200)
  })
})

describe('the mistakes of a cell', () => {
  it('are sorted by misses, with the count and the latest wrong answer', async () => {
    const { token } = await signUp(rig)
    await rig.call('POST', '/api/results', { token, body: finished({ wrong: [0, 3] }) })
    await rig.call('POST', '/api/results', { token, body: finished({ wrong: [3, 5] }) })
    await rig.call('POST', '/api/results', { token, body: finished({ testNumber: 2, wrong: [0] }) })
    const { body } = await rig.call('GET', `/api/mistakes?${CELL}`, { token })
    const { attempts, mistakes } = getMistakes.response.parse(body)
    expect(attempts).toBe(3)
    expect(mistakes.map(({ id, timesWrong }) => [id, timesWrong])).toEqual([
      [2004, 2],
      [2001, 1],
      [2006, 1],
      [2011, 1],
    ])
    expect(mistakes[0]?.userAnswer).toBe(wrongOf(2004))
  })

  it('are at most ten', async () => {
    const { token } = await signUp(rig)
    const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    await rig.call('POST', '/api/results', { token, body: finished({ wrong: all }) })
    await rig.call('POST', '/api/results', { token, body: finished({ testNumber: 2, wrong: all }) })
    const { body } = await rig.call('GET', `/api/mistakes?${CELL}`, { token })
    expect(body.mistakes).toHaveLength(10)
  })

  it('exclude other cells and other people', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    await rig.call('POST', '/api/results', { token: one.token, body: finished({ wrong: [0] }) })
    const empty = { attempts: 0, cleared: 0, mistakes: [] }
    const otherCell = `category=${encodeURIComponent(CATEGORY)}&difficulty=Analyst`
    expect(
      (await rig.call('GET', `/api/mistakes?${otherCell}`, { token: one.token })).body,
    ).toEqual(empty)
    expect((await rig.call('GET', `/api/mistakes?${CELL}`, { token: other.token })).body).toEqual(
      empty,
    )
  })
})

describe('progress', () => {
  it('follows product 3.8', async () => {
    const { token } = await signUp(rig)
    await rig.call('POST', '/api/results', { token, body: finished({ wrong: [0, 1, 2] }) })
    await rig.call('POST', '/api/results', { token, body: finished({ wrong: [0] }) })
    const { body } = await rig.call('GET', '/api/progress', { token })
    const progress = getProgress.response.parse(body)
    expect(progress.overallPercentage).toBe(7)
    expect(progress.averageScore).toBe(80)
    expect(progress.categories[CATEGORY]?.difficulties.Intern).toEqual({
      questionsAnswered: 10,
      totalQuestions: 20,
      percentage: 50,
      correctAnswers: 9,
      averageScore: 80,
    })
    expect(progress.attempts.map((attempt) => attempt.percentage).sort()).toEqual([70, 90])
  })
})

describe('the streak endpoint', () => {
  it('counts one result per day, in the requested time zone', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    for (const completedAt of ['2026-02-28T19:00:00Z', '2026-03-01T21:00:00Z']) {
      await rig.call('POST', '/api/results', { token, body: finished({ completedAt }) })
    }
    const { body } = await rig.call('GET', '/api/streak?timeZone=Europe/Lisbon', { token })
    expect(body).toEqual({
      currentStreak: 2,
      streakHighscore: 2,
      lastCompletedDate: '2026-03-01',
      recentDays: ['2026-02-28', '2026-03-01'],
    })
  })

  it('is repaired by a result that an offline device sends late', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await rig.call('POST', '/api/results', {
      token,
      body: finished({ completedAt: '2026-02-28T12:00:00Z' }),
    })
    await rig.call('POST', '/api/results', {
      token,
      body: finished({ completedAt: '2026-03-02T09:00:00Z' }),
    })
    const late = finished({ completedAt: '2026-03-01T12:00:00Z' })
    const { body } = await rig.call('POST', '/api/results', { token, body: late })
    expect(body.streak).toEqual({
      currentStreak: 3,
      streakHighscore: 3,
      lastCompletedDate: '2026-03-02',
    })
  })

  it('counts a finished error practice once per id', async () => {
    const { token, userId } = await signUp(rig)
    const body = { id: randomUUID(), timeZone: 'Asia/Kathmandu' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => rig.call('POST', '/api/streak', { token, body })),
    )
    for (const answer of answers) {
      expect(answer.body).toEqual({
        currentStreak: 1,
        streakHighscore: 1,
        lastCompletedDate: '2026-03-02',
      })
    }
    const { rows } = await rig.db.execute(
      sql`select 1 from error_practices where user_id = ${userId}`,
    )
    expect(rows).toHaveLength(1)
  })

  it.each([
    ['GET', '/api/streak?timeZone=Nowhere/Land', undefined],
    ['GET', '/api/streak', undefined],
    ['GET', '/api/streak?timeZone=UTC&timeZone=UTC', undefined],
    ['GET', '/api/streak?timeZone=UTC&user=1', undefined],
    ['POST', '/api/streak', { id: randomUUID(), timeZone: 'Nowhere/Land' }],
  ])('refuses %s %s %j', async (method, path, body) => {
    const { token } = await signUp(rig)
    expect((await rig.call(method, path, { token, body })).status).toBe(400)
  })
})

describe('a problem report', () => {
  it('is stored once, for an existing question', async () => {
    const { token, userId } = await signUp(rig)
    const body = { id: randomUUID(), reason: 'typo', details: ' an extra word ' }
    for (const status of [200, 200]) {
      expect((await rig.call('POST', '/api/questions/2001/reports', { token, body })).status).toBe(
        status,
      )
    }
    const { rows } = await rig.db.execute(
      sql`select question_id, reason, details from question_reports where user_id = ${userId}`,
    )
    expect(rows).toEqual([{ question_id: 2001, reason: 'typo', details: 'an extra word' }])
    const missing = await rig.call('POST', '/api/questions/999999/reports', { token, body })
    expect(missing.status).toBe(404)
  })
})

describe('the question bank', () => {
  it('is reloaded as soon as its version increases', async () => {
    const { token } = await signUp(rig)
    const before = await rig.call('GET', `/api/questions?${CELL}&testNumber=1`, { token })
    await rig.db.execute(sql`update questions set explanation = 'Better.' where id = 2001`)
    await rig.db.execute(sql`update bank set version = version + 1`)
    const after = await rig.call('GET', `/api/questions?${CELL}&testNumber=1`, { token })
    expect([before.body[0].explanation, after.body[0].explanation]).toEqual([
      'Because of 2001.',
      'Better.',
    ])
  })
})
