import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayAfter } from '../../../platform/local-day.ts'
import { answersIn, TODAY } from '../../../tests/rig/answers.ts'
import { fillBank, finishedTest, wrongOf } from '../../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../../tests/rig/rig.ts'
import { getReturns } from '../../contract/sessions.ts'
import { getDue, getToday } from '../../contract/today.ts'
import { getMistakes, getResult } from '../../contract.ts'

const rig = useRig()
const CATEGORY = 'Financial Accounting & Analysis'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`
const answered = answersIn(rig)
beforeAll(() => fillBank(rig))

const today = async (token: string) =>
  getToday.response.parse(
    (await rig.call('GET', '/api/practice/today?timeZone=Europe/Lisbon', { token })).body,
  )
const due = async (token: string) =>
  getDue.response.parse(
    (await rig.call('GET', '/api/practice/due?timeZone=Europe/Lisbon', { token })).body,
  )
const mistakes = async (token: string) =>
  getMistakes.response.parse((await rig.call('GET', `/api/mistakes?${CELL}`, { token })).body)
const idsOf = ({ items }: Awaited<ReturnType<typeof due>>) =>
  items.map(({ question }) => question.id)
async function cardsOf(userId: string) {
  const { rows } = await rig.db.execute(
    sql`select family, due::text, stability, difficulty, lapses, right_in_row, last_day::text, stale
      from review_cards where user_id = ${userId} order by family`,
  )
  return rows
}

describe('the due questions', () => {
  it('are empty before the first answer, with no next test', async () => {
    const { token } = await signUp(rig)
    expect(await today(token)).toEqual({
      due: { count: 0, alsoNew: 10, categories: [], nextSevenDays: [0, 0, 0, 0, 0, 0, 0] },
      plan: null,
      spokenDue: 0,
      next: null,
    })
  })

  it('include wrong answers from the next day on, by category, with the next test', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const test = (testNumber: number, completedAt: string) =>
      finishedTest(rig.clock.now, { testNumber, wrong: [0, 4, 9], completedAt })
    await rig.call('POST', '/api/results', { token, body: test(1, '2026-03-02T09:00:00Z') })
    const first = await today(token)
    expect(first.due.count).toBe(0)
    expect(first.due.nextSevenDays[1]).toBe(3)
    expect(first.next).toEqual({ category: CATEGORY, difficulty: 'Intern', testNumber: 2 })
    await rig.call('POST', '/api/results', { token, body: test(2, '2026-03-01T09:00:00Z') })
    const second = await today(token)
    expect(second.due).toMatchObject({ count: 3, alsoNew: 7 })
    expect(second.due.categories).toEqual([{ category: CATEGORY, count: 3 }])
    expect(second.next).toEqual({ category: CATEGORY, difficulty: 'Analyst', testNumber: 1 })
  })

  it("fill seven of today's ten, the least likely known first, with three new ones; repeated calls agree", async () => {
    const { token, userId } = await signUp(rig)
    await answered(
      userId,
      Array.from({ length: 10 }, (_, index) => [2001 + index, 30 - index, false]),
    )
    const sitting = await due(token)
    expect(sitting.dueCount).toBe(10)
    expect(sitting.items).toHaveLength(10)
    const old = idsOf(sitting).filter((id) => id >= 2001 && id <= 2010)
    expect(old.sort()).toEqual([2001, 2002, 2003, 2004, 2005, 2006, 2007])
    const fresh = sitting.items.filter(({ card }) => card === null)
    expect(fresh.map(({ question }) => question.category)).toEqual([CATEGORY, CATEGORY, CATEGORY])
    // New questions have the practiced level and come after due ones.
    expect(fresh.map(({ question }) => question.difficulty)).toEqual(
      Array(3).fill(sitting.items[0]?.question.difficulty),
    )
    expect(sitting.items.slice(7)).toEqual(fresh)
    expect(await due(token)).toEqual(sitting)
    expect(sitting.items.find(({ question }) => question.id === 2001)).toMatchObject({
      family: '2001',
      card: { lapses: 1, lastDay: dayAfter(TODAY, -30) },
    })
  })

  it("include all due ones when the interview is far away, up to the planned day's limit", async () => {
    const { token, userId } = await signUp(rig)
    await answered(
      userId,
      Array.from({ length: 20 }, (_, index) => [2001 + index, 10, false]),
    )
    await answered(userId, [
      [3001, 10, false],
      [4001, 10, false],
    ])
    expect((await today(token)).due.count).toBe(20)
    await rig.db.execute(
      sql`insert into practice_plans (user_id, interview_on, minutes_a_day, role, changed_at)
        values (${userId}, ${dayAfter(TODAY, 40)}, 10, 'quant', ${rig.clock.now})`,
    )
    const sitting = await due(token)
    expect(sitting.items.every(({ card }) => card !== null)).toBe(true)
    expect(sitting.dueCount).toBe(20)
  })

  it('can be prepared one day ahead and no further', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const body = finishedTest(rig.clock.now, { wrong: [0, 4, 9] })
    await rig.call('POST', '/api/results', { token, body })
    // In that zone it's 11:45 p.m.
    const of = async (day: string) => {
      const query = `timeZone=Pacific/Chatham&day=${day}`
      const ask = async (what: string) =>
        (await rig.call('GET', `/api/practice/${what}?${query}`, { token })).body
      return {
        today: getToday.response.parse(await ask('today')),
        due: getDue.response.parse(await ask('due')),
      }
    }
    const tomorrow = await of(dayAfter(TODAY, 1))
    expect(tomorrow.due).toMatchObject({ day: dayAfter(TODAY, 1), dueCount: 3 })
    expect(tomorrow.today.due.count).toBe(3)
    expect(tomorrow.due.items).toHaveLength(10)
    // Any other day, as from a wrong clock, is read as today.
    for (const day of [TODAY, dayAfter(TODAY, 2), dayAfter(TODAY, -1), '2030-01-01']) {
      expect((await of(day)).due).toMatchObject({ day: TODAY, dueCount: 0 })
    }
    // Twenty minutes later, the prepared questions are the current ones.
    const before = rig.clock.now
    rig.clock.now = new Date(before.getTime() + 20 * 60_000)
    expect((await of(dayAfter(TODAY, 1))).due).toEqual(tomorrow.due)
    rig.clock.now = before
  })

  it('are visible to their owner only and need a session', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    await answered(one.userId, [[2001, 5, false]])
    expect((await today(other.token)).due.count).toBe(0)
    for (const path of ['today', 'due']) {
      expect((await rig.call('GET', `/api/practice/${path}?timeZone=UTC`)).status).toBe(401)
    }
  })

  it('leave out a question that is no longer served', async () => {
    const { token, userId } = await signUp(rig)
    await answered(userId, [
      [999, 5, false],
      [2002, 5, false],
    ])
    expect((await today(token)).due.count).toBe(1)
  })
})

describe('review cards', () => {
  it('are the same for any order of answers', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    const history: Parameters<typeof answered>[1] = [
      [2001, 20, false],
      [2001, 17, true],
      [2001, 9, true],
      [2001, 2, false],
    ]
    await answered(one.userId, history)
    for (const late of [...history].reverse()) {
      await answered(other.userId, [late])
      await today(other.token)
    }
    await today(one.token)
    const [made] = await cardsOf(one.userId)
    // Only the date differs by person. All other values come from the facts.
    expect((await cardsOf(other.userId))[0]).toEqual({ ...made, due: expect.any(String) })
    expect(made).toMatchObject({ lapses: 2, right_in_row: 0, stale: false })
  })

  it('are updated while answers come in, without a deadlock', async () => {
    const { token, userId } = await signUp(rig)
    const item = (place: number) => ({
      place,
      item: String(2001 + ((place * 7) % 20)),
      choice: wrongOf(2001 + ((place * 7) % 20)),
      answeredAt: rig.clock.now.toISOString(),
    })
    const statuses = await Promise.all(
      // This is the limit of waiting requests per person.
      Array.from({ length: 30 }, async (_, round) => {
        const paths = [
          '/api/practice/today?timeZone=UTC',
          '/api/practice/due?timeZone=UTC',
          // Prepared statements keep their names on a connection, which other people's calls share.
          '/api/progress',
          `/api/mistakes?${CELL}`,
        ]
        if (round % 3 !== 0) {
          const path = paths[round % paths.length] as string
          return (await rig.call('GET', path, { token })).status
        }
        const body = {
          kind: 'due',
          about: {},
          answers: Array.from({ length: 20 }, (_, place) => item((place + round) % 20)),
          isFinished: round % 2 === 0,
          completedAt: rig.clock.now.toISOString(),
          timeZone: 'Europe/Lisbon',
        }
        return (await rig.call('PUT', `/api/practice/sessions/${randomUUID()}`, { token, body }))
          .status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    await today(token)
    expect((await cardsOf(userId)).map(({ lapses, stale }) => [lapses, stale])).toEqual(
      Array.from({ length: 20 }, () => [10, false]),
    )
  })

  it('import older results once and skip the old shape', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const completedAt = '2026-02-27T10:00:00Z'
    await rig.call('POST', '/api/results', {
      token,
      body: finishedTest(rig.clock.now, { wrong: [2], completedAt }),
    })
    await today(token)
    const facts = () =>
      rig.db.execute(sql`select place, item, choice, is_right, slip, answered_at, day::text, kind
        from answered_questions where user_id = ${userId} order by place`)
    const [stored, cards] = [(await facts()).rows, await cardsOf(userId)]
    await rig.db.execute(sql`delete from answered_questions where user_id = ${userId}`)
    await rig.db.execute(sql`delete from review_cards where user_id = ${userId}`)
    await rig.db.execute(sql`update test_results set has_facts = false where user_id = ${userId}`)
    await rig.db.execute(sql`
      insert into test_results (user_id, id, category, difficulty, test_number, score, total_questions,
        completed_at, questions_data, streak_answered)
      values (${userId}, ${randomUUID()}, ${CATEGORY}, 'Intern', 1, 5, 10, '2025-10-01', '[{"id": 2001}]', '{}'),
        (${userId}, ${randomUUID()}, ${CATEGORY}, 'Intern', 1, 5, 10, '2025-10-02', '{"odd": 1}', '{}')`)
    await Promise.all([today(token), today(token), due(token)])
    expect((await facts()).rows).toEqual(stored)
    expect(await cardsOf(userId)).toEqual(cards)
    await rig.db.execute(sql`update test_results set has_facts = false where user_id = ${userId}`)
    await today(token)
    expect(await cardsOf(userId)).toEqual(cards)
  })
})

describe('the mistakes list', () => {
  it('includes every kind of answer, clears after right answers over weeks, and fills again', async () => {
    const { token, userId } = await signUp(rig)
    await answered(userId, [
      [2001, 90, false],
      [2002, 90, false],
    ])
    expect(await mistakes(token)).toMatchObject({
      cleared: 0,
      mistakes: [{ id: 2001 }, { id: 2002 }],
    })
    await answered(userId, [
      [2001, 88, true],
      [2001, 84, true],
      [2001, 75, true],
      [2001, 50, true],
    ])
    const cleared = await mistakes(token)
    expect(cleared.cleared).toBe(1)
    expect(cleared.mistakes.map(({ id }) => id)).toEqual([2002])
    await answered(userId, [[2001, 1, false]])
    const back = await mistakes(token)
    expect(back.cleared).toBe(0)
    expect(back.mistakes.map(({ id, timesWrong }) => [id, timesWrong])).toEqual([
      [2001, 2],
      [2002, 1],
    ])
  })
})

const returns = async (token: string, items: string) =>
  await rig.call('GET', `/api/practice/returns?items=${items}`, { token })

describe('a finished test', () => {
  it('shows its owner when its questions come back and how long each took', async () => {
    const { token } = await signUp(rig)
    const other = await signUp(rig)
    const test = finishedTest(rig.clock.now)
    const answers = test.answers.map((answer, place) => ({
      ...answer,
      ...(place === 0 && { selectedAnswer: wrongOf(answer.questionId) }),
      ...(place < 2 && { tookMs: 1_000 * (place + 7) }),
    }))
    const [wrong, right] = answers.map(({ questionId }) => String(questionId))
    const saved = await rig.call('POST', '/api/results', { token, body: { ...test, answers } })
    expect(saved.status).toBe(201)

    const { body } = await returns(token, `${wrong},${right},999`)
    const today = rig.clock.now.getTime()
    const inDays = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10)
    const [again, later] = getReturns.response.parse(body)
    expect(again).toEqual({ item: wrong, due: inDays(1) })
    expect(later?.item).toBe(right)
    expect((later?.due ?? '') > inDays(1)).toBe(true)
    expect(getReturns.response.parse(body)).toHaveLength(2)
    expect((await returns(other.token, `${wrong}`)).body).toEqual([])

    const opened = await rig.call('GET', `/api/results/${test.id}`, { token })
    const { times } = getResult.response.parse(opened.body)
    expect(times).toEqual([7_000, 8_000, ...Array(8).fill(null)])
    const theirs = await rig.call('GET', `/api/results/${test.id}`, { token: other.token })
    expect(theirs.status).toBe(404)
  })

  it.each(['', '1,', 'a', '1,2;3', randomUUID()])(
    'with a malformed list of questions, %j, is rejected',
    async (items) => {
      const { token } = await signUp(rig)
      expect((await returns(token, encodeURIComponent(items))).status).toBe(400)
    },
  )
})
