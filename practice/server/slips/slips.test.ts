import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank, finishedTest, keyOf, wrongOf } from '../../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../../tests/rig/rig.ts'
import { getSlips } from '../../contract/sessions.ts'
import { raiseBankVersion } from '../content/content.ts'
import { ANSWERS_FOR_SLIPS, fingerprintOf, type SlipFact } from './slips.ts'

const rig = useRig()
const DAY_MS = 86_400_000

beforeAll(async () => {
  await fillBank(rig)
  // The wrong option from wrongOf has one mistake pattern in even questions and another in odd ones.
  await rig.db.transaction(async (tx) => {
    for (let id = 2001; id <= 2020; id += 1) {
      const code = id % 2 === 0 ? 'net-debt-sign' : 'tax-forgotten'
      await tx.execute(
        sql`update questions set slips = ${JSON.stringify({ [wrongOf(id)]: code })}::jsonb where id = ${id}`,
      )
    }
    await raiseBankVersion(tx)
  })
})

const get = async (token: string, more = '') => {
  const path = `/api/practice/slips?timeZone=Europe%2FLisbon${more}`
  const { status, body } = await rig.call('GET', path, { token })
  expect(status).toBe(200)
  return getSlips.response.parse(body)
}
/** Finishes a test of the cell some days ago, with wrong answers at these places. */
const finish = (token: string, wrong: number[], daysAgo = 0, testNumber = 1) => {
  const completedAt = new Date(rig.clock.now.getTime() - daysAgo * DAY_MS).toISOString()
  const body = finishedTest(rig.clock.now, { wrong, testNumber, completedAt })
  return rig.call('POST', '/api/results', { token, body }).then(() => body.id)
}
const answer = (place: number, id: number, isRight: boolean) => ({
  place,
  item: String(id),
  choice: isRight ? keyOf(id) : wrongOf(id),
  answeredAt: rig.clock.now.toISOString(),
})
const finishSession = (token: string, answers: unknown[], about: object, kind = 'slip') =>
  rig.call('PUT', `/api/practice/sessions/${randomUUID()}`, {
    token,
    body: {
      kind,
      about,
      answers,
      isFinished: true,
      completedAt: rig.clock.now.toISOString(),
      timeZone: 'Europe/Lisbon',
    },
  })

describe('GET /api/practice/slips', () => {
  it('counts how often each mistake pattern was possible and made, in every kind of practice', async () => {
    const { token } = await signUp(rig)
    // Even questions are at odd places, so at places 1 and 3 the sign of net debt is wrong.
    await finish(token, [1, 3], 0)
    expect(await get(token)).toEqual([
      {
        code: 'net-debt-sign',
        name: 'Gave net debt the wrong sign',
        line: 'You added net debt where it is subtracted, or the other way around.',
        possible: 5,
        made: 2,
        lastSix: [true, true, false, false, false],
        thisMonth: 2,
        isHabit: true,
      },
    ])
    await finishSession(token, [answer(0, 2011, false), answer(1, 2012, true)], {}, 'due')
    const after = await get(token)
    expect(after.map(({ code, made, possible }) => [code, made, possible])).toEqual([
      ['net-debt-sign', 2, 6],
      ['tax-forgotten', 1, 6],
    ])
  })

  it("counts answers given before their question named patterns, and no other person's", async () => {
    const { token, userId } = await signUp(rig)
    const other = await signUp(rig)
    await finish(other.token, [1, 3, 5])
    await finish(token, [1])
    await rig.db.execute(sql`update answered_questions set slip = null where user_id = ${userId}`)
    expect((await get(token)).map(({ code, made }) => [code, made])).toEqual([['net-debt-sign', 1]])
    expect(await get((await signUp(rig)).token)).toEqual([])
  })

  it('leaves out a repeat in the same session', async () => {
    const { token } = await signUp(rig)
    const answers = [answer(0, 2002, false), answer(1, 2004, true), answer(2, 2002, true)]
    await finishSession(token, answers, {}, 'due')
    expect((await get(token))[0]).toMatchObject({ made: 1, possible: 2, lastSix: [true, false] })
  })

  it('forgets answers older than 90 days', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await finish(token, [1, 3])
    const move = (days: number) =>
      rig.db.execute(
        sql`update answered_questions set answered_at = ${rig.clock.now.toISOString()}::timestamptz
          - make_interval(days => ${days}) where user_id = ${userId}`,
      )
    await move(89)
    expect(await get(token)).toHaveLength(1)
    await move(91)
    expect(await get(token)).toEqual([])
  })

  it('separates months by the person’s own days', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    // The clock is at March 2.
    await finish(token, [1], 4)
    await finish(token, [1, 3], 0)
    expect((await get(token))[0]).toMatchObject({ made: 3, thisMonth: 2 })
  })

  it('shows the state before a test, without the test’s own and later answers', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await finish(token, [1], 2)
    const second = await finish(token, [1, 3, 5], 1)
    await finish(token, [7], 0)
    expect((await get(token, `&before=${second}`))[0]).toMatchObject({ made: 1, possible: 5 })
    // Another person's test or an unsaved one filters nothing.
    expect((await get(token, `&before=${randomUUID()}`))[0]).toMatchObject({ made: 5 })
    const { status } = await rig.call('GET', '/api/practice/slips?timeZone=UTC&before=x', { token })
    expect(status).toBe(400)
  })

  it('clears a pattern after eight of ten right, until it is made again', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const isHabit = async () =>
      (await get(token)).find(({ code }) => code === 'net-debt-sign')?.isHabit
    await finish(token, [1, 3, 5], 1)
    expect(await isHabit()).toBe(true)
    const ten = (right: number) =>
      Array.from({ length: 10 }, (_, place) => answer(place, 2002 + 2 * place, place < right))
    await finishSession(token, ten(7), { slip: 'net-debt-sign' })
    expect(await isHabit()).toBe(true)
    rig.clock.now = new Date(rig.clock.now.getTime() + 60_000)
    await finishSession(token, ten(8), { slip: 'net-debt-sign' })
    expect(await isHabit()).toBe(false)
    rig.clock.now = new Date(rig.clock.now.getTime() + 60_000)
    await finishSession(token, [answer(0, 2004, false)], {}, 'due')
    expect(await isHabit()).toBe(true)
  })

  it('needs a session', async () => {
    const { status } = await rig.call('GET', '/api/practice/slips?timeZone=UTC')
    expect(status).toBe(401)
  })

  it('finds a person’s answers by an index', async () => {
    const { userId } = await signUp(rig)
    await rig.db.execute(sql`insert into users (id, created_at, updated_at, is_anonymous)
      select gen_random_uuid(), now(), now(), true from generate_series(1, 200)`)
    await rig.db.execute(sql`insert into answered_questions (user_id, session_id, place, kind, item, family,
        choice, is_right, answered_at, day)
      select id, gen_random_uuid(), place, 'test', '2001', '2001', 'A', true, now(), current_date
      from users, generate_series(0, 99) as place`)
    await rig.db.execute(sql`analyze answered_questions`)
    const { rows } = await rig.db.$client.query(`explain ${ANSWERS_FOR_SLIPS}`, [
      userId,
      rig.clock.now,
      null,
    ])
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toMatch(/Seq Scan on (answered_questions|practice_sessions)/)
    expect(plan).toMatch(/answered_questions_/)
  })
})

/** In questions 'n…', B and C have the wrong sign of net debt and D is cash. In 't…', B is tax. A is always right. */
const slipsOf = (item: string) =>
  item.startsWith('n')
    ? { B: 'net-debt-sign', C: 'net-debt-sign', D: 'cash-forgotten' }
    : item.startsWith('t')
      ? { B: 'tax-forgotten' }
      : undefined

/** Makes answers like 'nB nA tB', an hour apart. The part after ':' is the stored mistake pattern. */
const answered = (text: string): SlipFact[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word, hour) => ({
      item: `${word.slice(0, 1)}${hour}`,
      choice: word.charAt(1) as SlipFact['choice'],
      isRight: word.charAt(1) === 'A',
      slip: word.split(':')[1] ?? null,
      answeredAtMs: hour * 3_600_000,
      day: hour < 2 ? '2026-02-28' : '2026-03-01',
    }))

const count = (text: string, cleared: [string, number][] = []) =>
  fingerprintOf(answered(text), slipsOf, new Map(cleared), '2026-03').map(
    ({ code, made, possible, lastSix, thisMonth, isHabit }) =>
      `${code} ${made}/${possible} ${lastSix.map((was) => (was ? 'x' : '.')).join('')} month ${thisMonth}${isHabit ? ' habit' : ''}`,
  )

describe("a person's mistake patterns", () => {
  it.each([
    ['nothing answered', '', []],
    ['nothing wrong', 'nA nA tA', []],
    ['made once', 'nA nB', ['net-debt-sign 1/2 .x month 0']],
    ['made twice is a habit', 'nB nC', ['net-debt-sign 2/2 xx month 0 habit']],
    [
      'a question that offers it by two options is one chance',
      'nB nA nC nA',
      ['net-debt-sign 2/4 x.x. month 1 habit'],
    ],
    [
      'two of the last seven is not a habit if only one is in the last six',
      'nB nA nA nA nA nA nB',
      ['net-debt-sign 2/7 .....x month 1'],
    ],
    [
      'counted by the last six only',
      'nB nA nA nA nA nB nB nA nB nA nB nB nA',
      ['net-debt-sign 6/13 .x.xx. month 5 habit'],
    ],
    [
      'another slip of the same question is a chance not taken',
      'nD nB nB',
      ['net-debt-sign 2/3 .xx month 1 habit', 'cash-forgotten 1/3 x.. month 0'],
    ],
    [
      'habits first, then the more frequent ones, then the latest',
      'nD nB tB nB',
      [
        'net-debt-sign 2/3 .xx month 1 habit',
        'tax-forgotten 1/1 x month 1',
        'cash-forgotten 1/3 x.. month 0',
      ],
    ],
    [
      'what was stored counts before what the question names now',
      'nB:cash-forgotten',
      ['cash-forgotten 1/1 x month 0'],
    ],
    ['the stored pattern, if the question is gone', 'gC:base-rate gC', ['base-rate 1/1 x month 0']],
    ['a wrong option without a slip', 'tC tA', []],
  ])('are counted correctly: %s', (_, text, expected) => {
    expect(count(text)).toEqual(expected)
  })

  it('that are habits come before a cleared one that was made more often', () => {
    expect(count('nB nB nB tB tB', [['net-debt-sign', 2 * 3_600_000]])).toEqual([
      'tax-forgotten 2/2 xx month 2 habit',
      'net-debt-sign 3/3 xxx month 1',
    ])
  })

  it('that are cleared become a habit only when made again, for any six answers before', () => {
    const cleared: [string, number][] = [['net-debt-sign', 2 * 3_600_000]]
    expect(count('nB nB nB nA', cleared)).toEqual(['net-debt-sign 3/4 xxx. month 1'])
    expect(count('nB nB nA nB', cleared)).toEqual(['net-debt-sign 3/4 xx.x month 1 habit'])
  })
})
