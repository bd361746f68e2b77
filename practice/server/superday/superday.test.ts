import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepSuperdayTests } from '../../../assessments/server/superday/superday-test.ts'
import { DAY, freshPulse, moveClock } from '../../../tests/rig/assessment-rig.ts'
import { refresh } from '../../../tests/rig/auth-rig.ts'
import { fillBank, loadCases } from '../../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../../tests/rig/rig.ts'
import { beginSuperday, drill } from '../../../tests/rig/superday-rig.ts'
import { listSuperdays } from '../../contract/superday.ts'
import { loadSpokenPrompts } from '../aloud/spoken-content.ts'

const rig = useRig()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ALL = [1, 2, 3, 4, 5, 6]

beforeAll(async () => {
  await loadCases(rig)
  await fillBank(rig)
  await loadSpokenPrompts(rig.db)
})
beforeEach(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
})

/** Moves the clock while the service runs, then signs the person in again. */
async function jump(ms: number, person?: { token: string; refreshToken: string }): Promise<void> {
  rig.clock.now = new Date(rig.clock.now.getTime() + ms)
  await freshPulse(rig)
  if (!person) return
  const { body } = await refresh(rig, person.refreshToken)
  person.token = body.access_token
  person.refreshToken = body.refresh_token
}
const after = (ms: number) => new Date(rig.clock.now.getTime() + ms)

async function keysOf(code: string): Promise<Map<number, 'A' | 'B' | 'C' | 'D'>> {
  const { rows } = await rig.db.$client.query(
    'select id, correct_option as key from assessment_items where assessment = $1',
    [code],
  )
  return new Map(rows.map(({ id, key }) => [id, key]))
}
const other = (key: string | undefined) => (key === 'A' ? 'B' : 'A')
const list = async (token: string) =>
  listSuperdays.response.parse((await rig.call('GET', '/api/practice/superdays', { token })).body)

describe('a mock superday session', () => {
  it('is drawn once; starting again returns the same one', async () => {
    const one = await beginSuperday(rig, await signUp(rig))
    expect(one.first).toMatchObject({
      isOpen: true,
      startedAt: '2026-03-02T09:00:00.000Z',
      closesAt: '2026-03-02T13:00:00.000Z',
      test: {
        lastStartAt: '2026-03-02T12:30:00.000Z',
        isTooLate: false,
        runsUntil: null,
        result: null,
      },
      case: { result: null },
      drill: { preset: '80-in-8', result: null, earlierNets: [] },
      slips: [],
    })
    expect(one.first.aloud.map(({ kind }) => kind)).toEqual([
      'technical',
      expect.stringMatching(/deal|market/),
      'behavioral',
    ])
    await jump(MINUTE_MS)
    const again = await one.start()
    expect([again.status, again.body]).toEqual([200, one.first])
  })

  it('exists once per person, even if two tabs start at the same time', async () => {
    const person = await signUp(rig)
    const begin = (id: string) =>
      rig.call('PUT', `/api/practice/superdays/${id}`, {
        token: person.token,
        body: { startedAt: rig.clock.now.toISOString(), timeZone: 'UTC' },
      })
    const both = await Promise.all([begin(randomUUID()), begin(randomUUID())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [begun, refused] = both[0].status === 200 ? both : [...both].reverse()
    expect(refused?.body).toMatchObject({ code: 'superday_under_way', id: begun?.body.id })
    const end = `/api/practice/superdays/${begun?.body.id}/end`
    expect((await rig.call('POST', end, { token: person.token })).body.isOpen).toBe(false)
    expect((await begin(randomUUID())).status).toBe(200)
  })

  it('is visible to its owner only', async () => {
    const owner = await signUp(rig)
    const one = await beginSuperday(rig, owner)
    const { token } = await signUp(rig)
    const path = `/api/practice/superdays/${one.id}`
    const tried = await Promise.all([
      rig.call('GET', path, { token }),
      rig.call('POST', `${path}/end`, { token }),
      rig.call('POST', `${path}/test`, { token }),
    ])
    expect(tried.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await list(token)).toEqual([])
    // For another person, the same id is another session.
    const same = await beginSuperday(rig, { token }, one.id)
    await same.call('POST', '/end')
    expect((await one.look()).isOpen).toBe(true)
  })

  it('closes four hours after its start and then accepts nothing', async () => {
    const person = await signUp(rig)
    const one = await beginSuperday(rig, person)
    await jump(3.5 * HOUR_MS, person)
    expect((await one.look()).test.isTooLate).toBe(false)
    await jump(1, person)
    expect((await one.call('POST', '/test')).body.code).toBe('superday_over')
    expect(await one.look()).toMatchObject({ isOpen: true, test: { isTooLate: true } })
    await jump(HOUR_MS, person)
    await one.solveCase(5)
    const closed = await one.look()
    expect([closed.isOpen, closed.case.result]).toEqual([false, null])
    // A late report from before the end still counts.
    await one.solveCase(3, after(-2 * HOUR_MS))
    expect((await one.look()).case.result).toEqual({ right: 3, total: 5 })
    expect((await one.call('POST', '/end')).status).toBe(200)
    expect(await list(person.token)).toMatchObject([{ id: one.id, isOpen: false, right: null }])
  })

  it('closes with its last part, and the first result of each part counts', async () => {
    const person = await signUp(rig)
    await makeOlder(rig, person.userId)
    for (const [right, wrong] of [
      [10, 2],
      [20, 1],
    ] as const) {
      await drill(rig, person, { right, wrong, endsAt: after(-MINUTE_MS * right) })
    }
    const one = await beginSuperday(rig, person)
    const test = await one.beginTest()
    const keys = await keysOf(test.code)
    const answers = test.answersOf((place) => {
      const key = keys.get(test.questions[place]?.id ?? 0)
      return place < 15 ? (key ?? 'A') : other(key)
    })
    await moveClock(rig, 10 * MINUTE_MS)
    expect((await test.inTest('POST', '/submit', { answers })).status).toBe(200)
    await one.solveCase(4)
    await one.speak(0, ALL, 3)
    await moveClock(rig, 1_000)
    await one.solveCase(5)
    await one.speak(0, [1], 1)
    await one.speak(1, [1, 2], 1)
    expect((await one.look()).isOpen).toBe(true)
    await one.speak(2, ALL, 4)
    await moveClock(rig, 8 * MINUTE_MS + 1)
    await drill(rig, person, { right: 30, wrong: 3, endsAt: rig.clock.now })
    const done = await one.look()
    expect(done).toMatchObject({
      isOpen: false,
      test: {
        runsUntil: null,
        result: {
          right: 15,
          total: 20,
          answered: 20,
          strikes: 0,
          reason: 'candidate',
          tookSeconds: 600,
        },
      },
      case: { result: { right: 4, total: 5 } },
      aloud: [
        { result: { pointsSaid: 6, rating: 3, tookMs: 80_000 } },
        { result: { pointsSaid: 2, rating: 1 } },
        { result: { pointsSaid: 6, rating: 4 } },
      ],
      drill: { result: { right: 30, wrong: 3, skipped: 47 }, earlierNets: [8, 19] },
    })
    expect(done.test.result?.categories.map(({ answered }) => answered)).toEqual([4, 4, 4, 4, 4])
    expect(await list(person.token)).toMatchObject([{ isOpen: false, right: 15, total: 20 }])
  })

  it('accepts reports from a device whose clock is behind', async () => {
    const person = await signUp(rig)
    await makeOlder(rig, person.userId)
    const one = await beginSuperday(rig, person)
    await one.call('POST', '/end')
    const late = await beginSuperday(rig, person, randomUUID())
    await late.call('POST', '/end')
    await jump(MINUTE_MS)
    const id = randomUUID()
    const hourBehind = (ms: number) => after(ms - HOUR_MS)
    const body = { startedAt: hourBehind(0).toISOString(), timeZone: 'UTC' }
    await rig.call('PUT', `/api/practice/superdays/${id}`, { token: person.token, body })
    const evening = await beginSuperday(rig, person, id)
    await jump(MINUTE_MS)
    await evening.solveCase(2, hourBehind(0))
    expect((await evening.look()).case.result).toEqual({ right: 2, total: 5 })
  })
})

describe('the test of a mock superday session', () => {
  it('uses the same calls as every test, reveals no key, and stores answers', async () => {
    const person = await signUp(rig)
    const one = await beginSuperday(rig, person)
    const test = await one.beginTest()
    expect(test.started.body).toMatchObject({
      title: 'Mock superday',
      remainingMs: 1_800_000,
      maxViolations: 3,
      status: 'in_progress',
    })
    expect(test.questions).toHaveLength(20)
    for (const question of test.questions) {
      expect(Object.keys(question).sort()).toEqual(['id', 'options', 'question'])
    }
    expect((await one.look()).test).toMatchObject({
      runsUntil: '2026-03-02T09:30:00.000Z',
      result: null,
    })
    const keys = await keysOf(test.code)
    const answers = test.answersOf((place) =>
      place === 0 ? other(keys.get(test.questions[0]?.id ?? 0)) : 'B',
    )
    await test.inTest('PUT', '/answers', { answers })
    expect((await test.inTest('POST', '/submit', { answers })).status).toBe(200)
    const looks = await Promise.all([one.look(), one.look(), one.look()])
    expect(looks[2]?.test.result).toMatchObject({ answered: 20, total: 20 })
    const { rows } = await rig.db.$client.query(
      `select kind, place, is_right, day::text from answered_questions
       where user_id = $1 and session_id = $2 order by place`,
      [person.userId, one.id],
    )
    expect(rows).toHaveLength(20)
    expect(rows[0]).toEqual({ kind: 'superday', place: 0, is_right: false, day: '2026-03-02' })
    const { rows: sessions } = await rig.db.$client.query(
      'select kind, total from practice_sessions where user_id = $1',
      [person.userId],
    )
    expect(sessions).toEqual([{ kind: 'superday', total: 20 }])
    const streak = await rig.call('GET', '/api/streak?timeZone=Europe/Lisbon', person)
    expect(streak.body.currentStreak).toBe(1)
    expect((await one.call('POST', '/test')).body.code).toBe('already_submitted')
  })

  it('continues on another device and counts its strikes there too', async () => {
    const one = await beginSuperday(rig, await signUp(rig))
    const first = await one.beginTest()
    const copied = (id: number, at: number) => ({ events: [{ id, kind: 'copy', at }] })
    expect((await first.inTest('POST', '/events', copied(1, 0))).body.violations).toBe(1)
    await moveClock(rig, 20_000)
    const second = await one.beginTest()
    expect(second.code).toBe(first.code)
    expect(second.started.body).toMatchObject({ violations: 1, remainingMs: 1_780_000 })
    expect((await first.inTest('PUT', '/answers', { answers: [] })).status).not.toBe(200)
    await second.inTest('POST', '/events', copied(1, 0))
    await moveClock(rig, 20_000)
    const third = await second.inTest('POST', '/events', copied(2, 15_000))
    expect(third.body).toEqual({ violations: 3, status: 'submitted' })
    expect((await one.look()).test.result).toMatchObject({ reason: 'violations', strikes: 3 })
  })

  it('ends at its deadline on the server and is stored by the expiry job without any request', async () => {
    const person = await signUp(rig)
    const one = await beginSuperday(rig, person)
    const test = await one.beginTest()
    await test.inTest('PUT', '/answers', { answers: test.answersOf((n) => (n < 3 ? 'A' : null)) })
    await jump(5 * HOUR_MS + 1, person)
    expect(await sweepSuperdayTests(rig.db, rig.clock.now)).toBeGreaterThan(0)
    const { rows } = await rig.db.$client.query(
      `select (select count(*)::int from assessments where trial = 'superday') as tests,
         (select count(*)::int from candidates where assessment = $1) as candidates,
         (select count(*)::int from attempts where assessment = $1) as attempts`,
      [test.code],
    )
    expect(rows).toEqual([{ tests: 0, candidates: 0, attempts: 0 }])
    expect((await one.look()).test.result).toMatchObject({
      reason: 'deadline',
      answered: 3,
      tookSeconds: 1_800,
    })
  })

  it('is not listed as a test and is deleted with the account', async () => {
    const person = await signUp(rig)
    const one = await beginSuperday(rig, person)
    const { code } = await one.beginTest()
    const { body } = await rig.call('GET', '/api/assessments', { token: person.token })
    expect(JSON.stringify(body)).not.toContain('Mock superday')
    await rig.db.$client.query('delete from users where id = $1', [person.userId])
    await jump(6 * HOUR_MS)
    await sweepSuperdayTests(rig.db, rig.clock.now)
    const { rowCount } = await rig.db.$client.query('select from assessments where code = $1', [
      code,
    ])
    expect(rowCount).toBe(0)
  })
})
