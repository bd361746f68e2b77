import { beforeAll, describe, expect, it } from 'vitest'
import { answersIn } from '../../../tests/rig/answers.ts'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { buildTest, getMastery } from '../../contract/build.ts'
import { createBank } from '../bank.ts'

const rig = useRig()
const RARE = 'financial-accounting-analysis/rare'
beforeAll(() => fillBank(rig))

const build = async (token: string, query: Record<string, string> = {}) =>
  rig.call('GET', `/api/practice/build?${new URLSearchParams({ timeZone: 'UTC', ...query })}`, {
    token,
  })
const built = async (token: string, query?: Record<string, string>) =>
  buildTest.response.parse((await build(token, query)).body)
const mastery = async (token: string) =>
  getMastery.response.parse(
    (await rig.call('GET', '/api/practice/mastery?timeZone=UTC', { token })).body,
  )

const answer = answersIn(rig)

describe('a custom test', () => {
  it('has by default ten distinct questions of any kind, others next time', async () => {
    const { token } = await signUp(rig)
    const { questions, found } = await built(token)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(10)
    expect(found).toBeGreaterThan(40)
    rig.clock.now = new Date(rig.clock.now.getTime() + 1_000)
    const again = await built(token)
    expect(again.questions.map(({ id }) => id)).not.toEqual(questions.map(({ id }) => id))
  })

  it('has the chosen levels and size, and tells how many questions match', async () => {
    const { token } = await signUp(rig)
    const { questions } = await built(token, { levels: 'Intern,Analyst', n: '25' })
    expect(questions).toHaveLength(25)
    expect(new Set(questions.map(({ difficulty }) => difficulty))).toEqual(
      new Set(['Intern', 'Analyst']),
    )
    expect(await built(token, { topics: 'mental-agility-problem-solving/no-such-topic' })).toEqual({
      questions: [],
      found: 0,
    })
  })

  it('has unanswered questions first, then those most likely forgotten, solid ones last', async () => {
    const { token, userId } = await signUp(rig)
    await rig.db.$client.query("update questions set topic = 'rare' where id between 3001 and 3010")
    await rig.db.$client.query('update bank set version = version + 1')
    const all = (await built(token, { topics: RARE, n: '40' })).questions
    const ids = all.map(({ id }) => id)
    const [first = 0, second = 0, third = 0, ...others] = ids
    await answer(userId, [
      [first, 5, true],
      [first, 1, true],
      [second, 30, true],
      [third, 2, true],
      ...others.slice(0, ids.length - 5).map((id) => [id, 1, true] as const),
    ])
    const fresh = others.slice(ids.length - 5)
    const two = await built(token, { topics: RARE, n: '2' })
    expect(two.questions.map(({ id }) => id).sort()).toEqual([...fresh].sort())
    const three = await built(token, { topics: RARE, n: '3' })
    expect(three.questions.map(({ id }) => id)).toContain(second)
    const most = await built(token, { topics: RARE, n: String(ids.length - 1) })
    expect(most.questions.map(({ id }) => id)).not.toContain(first)
  })

  it('has exactly the named questions in their order, without removed ones', async () => {
    const { token } = await signUp(rig)
    const { questions, found } = await built(token, { ids: '2003,2001,999999,2003' })
    expect(questions.map(({ id }) => id)).toEqual([2003, 2001])
    expect(found).toBe(2)
  })

  it('of a mistake pattern has only questions with a wrong answer made by it', async () => {
    const { token } = await signUp(rig)
    await rig.db.$client.query(
      `update questions set slips = '{"A": "net-debt-sign"}' where id = 2005`,
    )
    await rig.db.$client.query('update bank set version = version + 1')
    const { questions, found } = await built(token, { slip: 'net-debt-sign' })
    expect([questions.map(({ id }) => id), found]).toEqual([[2005], 1])
    expect((await built(token, { slip: 'tax-forgotten' })).questions).toEqual([])
  })

  it.each([
    { n: '0' },
    { n: '41' },
    { n: '1e1' },
    { levels: 'Partner' },
    { ids: '1;2' },
    { ids: '' },
    { ids: Array.from({ length: 41 }, (_, at) => 2001 + at).join() },
    { topics: Array.from({ length: 61 }, (_, at) => `t${at}`).join() },
    { unknown: '1' },
    { timeZone: 'Mars/Olympus' },
  ] as Record<string, string>[])('is refused for %j', async (query) => {
    const { token } = await signUp(rig)
    expect((await build(token, query)).status).toBe(400)
  })

  it('needs a session', async () => {
    expect((await rig.call('GET', '/api/practice/build?timeZone=UTC')).status).toBe(401)
    expect((await rig.call('GET', '/api/practice/mastery?timeZone=UTC')).status).toBe(401)
  })
})

describe('mastery by topic', () => {
  it('is per person: new, then shaky, solid, and shaky again', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    const before = await mastery(one.token)
    expect(before.every(({ solid, shaky }) => solid === 0 && shaky === 0)).toBe(true)
    await answer(one.userId, [
      [2001, 4, true],
      [2001, 1, true],
      [2002, 1, true],
      [2003, 60, true],
      [2003, 57, true],
    ])
    const changed = (await mastery(one.token)).filter(({ solid, shaky }) => solid + shaky > 0)
    expect(changed).toMatchObject([{ topic: 'test', solid: 1, shaky: 2 }])
    const all = before.find(
      ({ category, topic }) => category === changed[0]?.category && topic === 'test',
    )
    expect(changed[0]?.new).toBe((all?.new ?? 0) - 3)
    expect((await mastery(other.token)).every(({ solid, shaky }) => solid + shaky === 0)).toBe(true)
  })
})

it('families are built once for each version of the bank', async () => {
  const bank = createBank(rig)
  const families = await bank.families(1)
  expect(await bank.families(1)).toBe(families)
  expect(await bank.families(2)).not.toBe(families)
})
