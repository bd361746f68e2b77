import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { inTransaction } from '../../platform/database/transaction.ts'
import { fillBank, finishedTest, keyOf, wrongOf } from '../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../tests/rig/rig.ts'
import { saveSession } from '../contract/sessions.ts'

const rig = useRig()
beforeAll(() => fillBank(rig))

const answer = (
  place: number,
  options: { item?: string; choice?: string; [more: string]: unknown } = {},
) => ({
  place,
  item: String(2001 + place),
  choice: keyOf(2001 + place),
  answeredAt: rig.clock.now.toISOString(),
  ...options,
})
const session = (answers: unknown[], options: Record<string, unknown> = {}) => ({
  kind: 'due',
  about: {},
  answers,
  isFinished: false,
  completedAt: rig.clock.now.toISOString(),
  timeZone: 'Europe/Lisbon',
  ...options,
})
const put = (token: string, id: string, body: unknown) =>
  rig.call('PUT', `/api/practice/sessions/${id}`, { token, body })

async function factsOf(userId: string) {
  const { rows } = await rig.db.execute<Record<string, unknown>>(
    sql`select place, kind, item, family, choice, is_right, is_guess, took_ms, day::text
      from answered_questions where user_id = ${userId} order by answered_at, session_id, place`,
  )
  return rows
}
const scoreOf = async (id: string) =>
  (await rig.db.execute(sql`select score, total from practice_sessions where id = ${id}`)).rows
async function countOf(userId: string) {
  const { rows } = await rig.db.execute<Record<string, number>>(
    sql`select (select count(*)::int from practice_sessions where user_id = ${userId}) as sessions,
      (select count(*)::int from practice_days where user_id = ${userId}) as days`,
  )
  return rows[0]
}

describe('a practice session', () => {
  it.each(['due', 'slip'])('keeps the score of its first answers, stored as %s', async (kind) => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    const wrong = [0, 1].map((place) => answer(place, { choice: wrongOf(2001 + place) }))
    await put(token, id, session(wrong, { kind }))
    const right = [0, 1].map((place) => answer(place))
    const told = [
      await put(token, id, session(right, { isFinished: true })),
      await put(token, id, session([...right, answer(2)], { isFinished: true })),
      await put(token, id, session([...right, answer(2)])),
    ]
    expect(told.map(({ body }) => [body.score, body.total])).toEqual([
      [0, 2],
      [0, 2],
      [0, 2],
    ])
    expect(await scoreOf(id)).toEqual([{ score: 0, total: 2 }])
    expect((await factsOf(userId)).map((fact) => fact.is_right)).toEqual([false, false])
  })

  it('is scored by an answer that another call is just storing', async () => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    const { finishing } = await inTransaction(rig.db, async (other) => {
      await other.query(
        `insert into answered_questions (user_id, session_id, place, kind, item, family, choice,
           is_right, answered_at, day)
         values ($1, $2, 0, 'due', '2001', '2001', $3, false, now(), current_date)`,
        [userId, id, wrongOf(2001)],
      )
      const finishing = put(token, id, session([answer(0)], { isFinished: true }))
      await vi.waitFor(async () => {
        const { rowCount } = await rig.db.$client.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).toBe(1)
      })
      return { finishing }
    })
    expect((await finishing).body).toMatchObject({ score: 0, total: 1 })
    expect(await scoreOf(id)).toEqual([{ score: 0, total: 1 }])
  })

  it('stores each answer once as it comes and marks it on the server', async () => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    const first = answer(0, { tookMs: 4_000 })
    const second = answer(1, { choice: wrongOf(2002) })
    await put(token, id, session([first]))
    await put(token, id, session([first, second]))
    const { status, body } = await put(token, id, session([first, second]))
    expect([status, saveSession.response.parse(body)]).toEqual([
      200,
      { score: 1, total: 2, streak: null },
    ])
    const same = { kind: 'due', is_guess: false, day: '2026-03-02' }
    expect(await factsOf(userId)).toEqual([
      {
        ...same,
        place: 0,
        item: '2001',
        family: '2001',
        choice: keyOf(2001),
        is_right: true,
        took_ms: 4000,
      },
      {
        ...same,
        place: 1,
        item: '2002',
        family: '2002',
        choice: wrongOf(2002),
        is_right: false,
        took_ms: null,
      },
    ])
    expect(await countOf(userId)).toEqual({ sessions: 0, days: 0 })
  })

  it('stores the finish with its day and moves the streak once', async () => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    const body = session(
      [
        answer(0),
        answer(1, { choice: wrongOf(2002) }),
        answer(2, { item: '2002', choice: keyOf(2002) }),
      ],
      { isFinished: true },
    )
    const [one, two] = [await put(token, id, body), await put(token, id, body)]
    expect(one.body).toEqual({
      score: 1,
      total: 2,
      streak: { currentStreak: 1, streakHighscore: 1, lastCompletedDate: '2026-03-02' },
    })
    expect(two.body).toEqual(one.body)
    expect(await countOf(userId)).toEqual({ sessions: 1, days: 1 })
  })

  it('keeps the first answer to a question but lets it be marked as a guess later', async () => {
    const { token, userId } = await signUp(rig)
    const id = randomUUID()
    await put(token, id, session([answer(0, { choice: wrongOf(2001) }), answer(1)]))
    await put(token, id, session([answer(0), answer(1, { isGuess: true })]))
    await put(token, id, session([answer(0), answer(1, { isGuess: false })]))
    expect((await factsOf(userId)).map((fact) => [fact.is_right, fact.is_guess])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it("clamps the times of its answers and takes the day from the person's zone", async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const answers = [
      answer(0, { answeredAt: '2026-01-01T10:00:00Z' }),
      answer(1, { answeredAt: '2026-02-27T23:30:00Z' }),
      answer(2, { answeredAt: '2026-03-09T10:00:00Z' }),
    ]
    await put(token, randomUUID(), session(answers, { timeZone: 'Asia/Tokyo' }))
    expect((await factsOf(userId)).map(({ day }) => day)).toEqual([
      '2026-02-23',
      '2026-02-28',
      '2026-03-02',
    ])
  })

  it.each<[string, () => unknown]>([
    ['an item that is none', () => session([answer(0, { item: '999999' })])],
    ['a case that is none', () => session([answer(0, { item: 'case/none/1' })])],
    ['two answers at one place', () => session([answer(0), answer(0, { item: '2002' })])],
    ['no answer', () => session([])],
    [
      '101 answers',
      () => session(Array.from({ length: 101 }, (_, place) => answer(place, { item: '2001' }))),
    ],
    ['a verdict of its own', () => session([answer(0, { isRight: true })])],
    ['the kind of a test', () => session([answer(0)], { kind: 'test' })],
    ['a time zone that is none', () => session([answer(0)], { timeZone: 'Mars/Olympus' })],
    [
      'more about it than a session can be of',
      () => session([answer(0)], { kind: 'case', about: { case: 'x'.repeat(100) } }),
    ],
    [
      'something about it that no session is of',
      () => session([answer(0)], { about: { note: 'of my own' } }),
    ],
  ])('rejects %s and stores nothing', async (_, body) => {
    const { token, userId } = await signUp(rig)
    expect((await put(token, randomUUID(), body())).status).toBe(400)
    expect(await factsOf(userId)).toEqual([])
  })

  it('belongs to one person: the same id from another person is another session', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    const id = randomUUID()
    await put(one.token, id, session([answer(0)], { isFinished: true }))
    await put(
      other.token,
      id,
      session([answer(0, { choice: wrongOf(2001) })], { isFinished: true }),
    )
    expect((await factsOf(one.userId)).map((fact) => fact.is_right)).toEqual([true])
    expect((await factsOf(other.userId)).map((fact) => fact.is_right)).toEqual([false])
  })
})

describe('a test of ten', () => {
  it('stores its ten answers with the result, once, with the measured times', async () => {
    const { token, userId } = await signUp(rig)
    const test = finishedTest(rig.clock.now, { wrong: [3] })
    const answers = test.answers.map((one, place) => ({
      ...one,
      ...(place === 0 && { tookMs: 9_000, isGuess: true }),
    }))
    for (let time = 0; time < 2; time += 1) {
      await rig.call('POST', '/api/results', { token, body: { ...test, answers } })
    }
    const facts = await factsOf(userId)
    expect(facts).toHaveLength(10)
    expect(facts.map((fact) => fact.is_right)).toEqual(answers.map((_, place) => place !== 3))
    expect(facts[0]).toMatchObject({ kind: 'test', item: '2001', took_ms: 9_000, is_guess: true })
  })
})
