import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank, finishedTest, keyOf, wrongOf } from '../../../tests/rig/bank-fixture.ts'
import { makeOlder, signUp, useRig } from '../../../tests/rig/rig.ts'
import { getSlips } from '../../contract/slips.ts'
import { raiseBankVersion } from '../content/content.ts'
import { ANSWERS_FOR_SLIPS } from './slips.ts'

const rig = useRig()
const DAY_MS = 86_400_000

beforeAll(async () => {
  await fillBank(rig)
  // The wrong option that wrongOf names leads to a slip: of even questions to one, of odd ones to another.
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
/** A test of the cell, finished some days ago, with wrong answers at these places. */
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
    // Even questions stand at odd places; at places 1 and 3 the sign of net debt is wrong.
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
    // The clock stands at March 2.
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
    // Another person's test, or one that isn't saved yet, filters nothing out.
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
