import { beforeAll, describe, expect, it } from 'vitest'
import { dayAfter } from '../../../platform/local-day.ts'
import { answersIn, TODAY } from '../../../tests/rig/answers.ts'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { getDue, getToday } from '../../contract/today.ts'

const rig = useRig()
const answered = answersIn(rig)
beforeAll(() => fillBank(rig))

const ask = async (token: string, what: string) =>
  (await rig.call('GET', `/api/practice/${what}`, { token })).body
const today = async (token: string) =>
  getToday.response.parse(await ask(token, 'today?timeZone=Europe/Lisbon'))
const due = async (token: string) =>
  getDue.response.parse(await ask(token, 'due?timeZone=Europe/Lisbon'))
const idsOf = ({ items }: Awaited<ReturnType<typeof due>>) =>
  items.map(({ question }) => question.id)
const plan = (token: string, changes: { interviewOn: string; daysOff?: number[] }) =>
  rig.call('PUT', '/api/practice/plan', {
    token,
    body: {
      ...{ minutesADay: 10, role: 'investment-banking', daysOff: [], startedOn: TODAY },
      ...changes,
    },
  })
describe("the questions of a plan's day", () => {
  it('come in tens until the day is done, reviews first', async () => {
    const { token, userId } = await signUp(rig)
    await answered(
      userId,
      Array.from({ length: 30 }, (_, index) => [
        index < 10 ? 1001 + index : 1991 + index,
        ...([10, false] as const),
      ]),
    )
    await plan(token, { interviewOn: dayAfter(TODAY, 12) })
    const before = await today(token)
    expect(before.plan).toMatchObject({
      of: 20,
      tens: [
        { due: 7, fresh: 3 },
        { due: 7, fresh: 3 },
      ],
      done: { aloud: 0, drill: 0, superday: 0 },
    })
    expect(before.due).toMatchObject({ count: 20, alsoNew: 3 })
    const sitting = await due(token)
    expect(sitting.plan).toEqual({ of: 20, left: 20, interviewOn: dayAfter(TODAY, 12) })
    expect(sitting.items.map(({ card }) => card !== null)).toEqual([
      ...Array(7).fill(true),
      ...Array(3).fill(false),
    ])
    // The person answers thirteen questions, a sitting of ten and three others.
    await answered(
      userId,
      [...idsOf(sitting), 2018, 2019, 2020].map((id) => [id, 0, true]),
    )
    expect((await today(token)).plan).toMatchObject({ of: 20, tens: [{ due: 5, fresh: 2 }] })
    const last = await due(token)
    expect(last.plan?.left).toBe(7)
    expect(last.items).toHaveLength(7)
    await answered(
      userId,
      idsOf(last).map((id) => [id, 0, true]),
    )
    const done = await today(token)
    expect(done.plan).toMatchObject({ of: 20, tens: [] })
    expect(done.due).toMatchObject({ count: 0, alsoNew: 0, categories: [] })
    // The person can ask for ten more.
    const more = await due(token)
    expect(more.plan?.left).toBe(0)
    expect(more.items).toHaveLength(10)
  })

  it('are the known ones most likely to be forgotten on the last evening, and nothing new', async () => {
    const { token, userId } = await signUp(rig)
    await answered(
      userId,
      Array.from({ length: 12 }, (_, index) => [2001 + index, 1, true]),
    )
    await answered(userId, [[2013, 9, true]])
    await plan(token, { interviewOn: dayAfter(TODAY, 1), daysOff: [1] })
    const before = await today(token)
    // None of the twelve is due yet, and Mondays are off.
    expect(before.plan).toMatchObject({
      of: 13,
      tens: [
        { due: 10, fresh: 0 },
        { due: 3, fresh: 0 },
      ],
    })
    const sitting = await due(token)
    expect(sitting.items.every(({ card }) => card !== null)).toBe(true)
    expect(idsOf(sitting)).toContain(2013)
    await answered(
      userId,
      idsOf(sitting).map((id) => [id, 0, true]),
    )
    expect((await today(token)).plan).toMatchObject({ of: 13, tens: [{ due: 3, fresh: 0 }] })
    // Questions that come back after the interview have no date.
    const items = idsOf(sitting).join(',')
    expect(await ask(token, `returns?items=${items}`)).toEqual([])
  })

  it('are the same as without a plan on a day off and after the interview', async () => {
    const { token, userId } = await signUp(rig)
    await answered(userId, [[2001, 5, false]])
    await plan(token, { interviewOn: dayAfter(TODAY, 12), daysOff: [1] })
    expect(await today(token)).toMatchObject({ due: { count: 1 }, plan: { of: 0, tens: [] } })
    expect((await due(token)).plan).toBeNull()
    await plan(token, { interviewOn: dayAfter(TODAY, -1) })
    expect(await today(token)).toMatchObject({ due: { count: 1 }, plan: { of: 0, tens: [] } })
    expect(await due(token)).toMatchObject({ plan: null, dueCount: 1 })
  })
})
