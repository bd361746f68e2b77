import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpokenPrompts } from '../../practice/server/aloud/spoken-content.ts'
import { PASSWORD } from '../rig/auth-rig.ts'
import { fillBank, finishedTest } from '../rig/bank-fixture.ts'
import { signUp, useRig } from '../rig/rig.ts'

// Limits on what one person can store per day. The rooms define the numbers. Here all but one are used up.
const rig = useRig({ rateLimits: true })
const ROUND = 20
const START = new Date('2026-03-02T10:00:00Z')
const DAY_MS = 24 * 3600 * 1000

beforeAll(async () => {
  rig.clock.now = START
  await fillBank(rig)
  await loadSpokenPrompts(rig.db)
})

/** Marks part of a person's quota as used. */
async function use(name: string, points: number): Promise<void> {
  const { rowCount } = await rig.db.$client.query(
    'update rate_limits set points = $2 where key like $1',
    [`${name}:%`, points],
  )
  expect(rowCount).toBe(1)
}

const tests = {
  results: {
    limit: 1_000,
    table: 'test_results',
    save: (token: string) =>
      rig.call('POST', '/api/results', { token, body: finishedTest(rig.clock.now) }),
  },
  errorPractices: {
    limit: 1_000,
    table: 'error_practices',
    save: (token: string) =>
      rig.call('POST', '/api/streak', {
        token,
        body: { id: randomUUID(), timeZone: 'Europe/Lisbon' },
      }),
  },
  sessions: {
    limit: 1_000,
    table: 'practice_sessions',
    save: (token: string) =>
      rig.call('PUT', `/api/practice/sessions/${randomUUID()}`, {
        token,
        body: {
          kind: 'due',
          about: {},
          answers: [
            {
              ...{ place: 0, item: '2001', choice: 'A', tookMs: 1_000 },
              answeredAt: rig.clock.now.toISOString(),
            },
          ],
          isFinished: true,
          completedAt: rig.clock.now.toISOString(),
          timeZone: 'Europe/Lisbon',
        },
      }),
  },
  spokenAnswers: {
    limit: 500,
    table: 'spoken_answers',
    save: (token: string) =>
      rig.call('POST', '/api/practice/aloud/three-statements/answers', {
        token,
        body: {
          id: randomUUID(),
          points: [1],
          rating: 1,
          tookMs: 80_000,
          answeredAt: rig.clock.now.toISOString(),
          timeZone: 'Europe/Lisbon',
        },
      }),
  },
  questionReports: {
    limit: 100,
    table: 'question_reports',
    save: (token: string) =>
      rig.call('POST', '/api/questions/2001/reports', {
        token,
        body: { id: randomUUID(), reason: 'typo', details: 'x' },
      }),
  },
}

describe('a person who stores an impossible amount', () => {
  beforeEach(() => rig.db.$client.query('delete from rate_limits'))

  it.each(Object.entries(tests))(
    "gets 429 once the day's %s are used up, simultaneous calls included, and can store again the next day",
    async (name, { limit, table, save }) => {
      const { token, userId } = await signUp(rig)
      expect((await save(token)).status).toBeLessThan(300)
      await use(name, limit - 3)
      const answers = await Promise.all(Array.from({ length: ROUND }, () => save(token)))
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(3)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(ROUND - 3)
      expect(refused[0]?.body).toMatchObject({
        code: 'too_many',
        message: expect.stringMatching(/You can do more in 24 hours\.$/),
      })
      expect(Number(refused[0]?.headers.get('Retry-After'))).toBe(24 * 3600)
      const stored = async () =>
        (
          await rig.db.$client.query(
            `select count(*)::int as count from ${table} where user_id = $1`,
            [userId],
          )
        ).rows[0].count
      expect(await stored()).toBe(4)

      // The access token wouldn't live that long.
      await rig.db.$client.query('update rate_limits set expire = $1', [START.getTime()])
      expect((await save(token)).status).toBeLessThan(300)
      expect(await stored()).toBe(5)
    },
  )

  it('has 24 hours from the first save, however often they save', async () => {
    const { token } = await signUp(rig)
    await tests.results.save(token)
    rig.clock.now = new Date(START.getTime() + DAY_MS / 48)
    await tests.results.save(token)
    rig.clock.now = START
    const { rows } = await rig.db.$client.query(
      `select points, expire::float8 - $1 as "leftMs" from rate_limits where key like 'results:%'`,
      [START.getTime()],
    )
    expect(rows).toEqual([{ points: 2, leftMs: DAY_MS }])
  })

  it('does not stop other people from saving, and can still repeat a stored save', async () => {
    const greedy = await signUp(rig)
    const body = finishedTest(rig.clock.now)
    const first = await rig.call('POST', '/api/results', { token: greedy.token, body })
    await use('results', 1_000)
    const again = await rig.call('POST', '/api/results', { token: greedy.token, body })
    expect([again.status, again.body]).toEqual([200, first.body])
    const neighbor = await signUp(rig)
    expect((await tests.results.save(neighbor.token)).status).toBe(201)
  })
})

describe("the export of a person's data", () => {
  beforeEach(() => rig.db.$client.query('delete from rate_limits'))

  const begin = (token: string) =>
    rig.app.request('/api/profile/export', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
    })

  it('runs one at a time per person, and again after it was read or dropped', async () => {
    const { token } = await signUp(rig)
    const first = await begin(token)
    expect(first.status).toBe(200)
    const second = await begin(token)
    expect([second.status, await second.json()]).toMatchObject([429, { code: 'export_running' }])
    expect(Number(second.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Object.keys((await first.json()) as object)).toContain('test_results')
    const third = await begin(token)
    expect(third.status).toBe(200)
    await third.body?.cancel()
    const fourth = await begin(token)
    expect(fourth.status).toBe(200)
    await fourth.body?.cancel()
  })

  it('runs for a few people at the same time without a database connection, and tells others when to retry', async () => {
    const people = await Promise.all(Array.from({ length: 9 }, () => signUp(rig)))
    const answers = await Promise.all(people.map(({ token }) => begin(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 503])
    const refused = answers.find(({ status }) => status === 503)
    expect(Number(refused?.headers.get('Retry-After'))).toBe(30)
    expect(await refused?.json()).toEqual({
      code: 'unavailable',
      message:
        'Many people are downloading their data right now. Please try again in half a minute.',
    })
    // Eight slow readers leave the whole pool to the others.
    expect(rig.db.$client.totalCount - rig.db.$client.idleCount).toBe(0)
    await Promise.all(answers.map(({ bodyUsed, body }) => bodyUsed || body?.cancel()))
    const again = await begin(people[0]?.token ?? '')
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })

  it('has a daily limit', async () => {
    const { token } = await signUp(rig)
    await (await begin(token)).json()
    await use('exports', 20)
    const refused = await begin(token)
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many' }])
  })
})

describe('a guest in one visit', () => {
  it.each([
    ['days in the past', (n: number) => [n, 'Europe/Lisbon'] as const],
    [
      'extreme time zones',
      (n: number) =>
        [Math.floor(n / 2), n % 2 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'] as const,
    ],
  ])('gets a streak of at most two days, by %s', async (_, claim) => {
    const { token } = await signUp(rig)
    let highest = 0
    for (let n = 0; n < 16; n += 1) {
      const [daysAgo, timeZone] = claim(n)
      const completedAt = new Date(START.getTime() - daysAgo * DAY_MS).toISOString()
      const { status, body } = await rig.call('POST', '/api/results', {
        token,
        body: finishedTest(rig.clock.now, { completedAt, timeZone }),
      })
      expect(status).toBe(201)
      highest = Math.max(highest, body.streak.streakHighscore)
    }
    expect(highest).toBeGreaterThan(0)
    expect(highest).toBeLessThanOrEqual(2)
  })
})

it('one account mails at most ten unverified addresses a day', async () => {
  const { token } = await signUp(rig, `a${randomUUID().slice(0, 8)}@example.com`)
  const statuses: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const body = { email: `s${randomUUID()}@example.com`, current_password: PASSWORD }
    statuses.push((await rig.call('PUT', '/auth/v1/user', { token, body })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  expect((await rig.call('POST', '/api/profile/verify-address', { token })).status).toBe(429)
})
