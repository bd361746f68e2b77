import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank, finishedTest, wrongOf } from '../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { getReturns } from '../contract/returns.ts'
import { getResult } from '../contract.ts'

const rig = useRig()
beforeAll(() => fillBank(rig))

const returns = async (token: string, items: string) =>
  await rig.call('GET', `/api/practice/returns?items=${items}`, { token })

describe('a finished test', () => {
  it('tells when its questions come back, and how long each took, to its person alone', async () => {
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
    const times = getResult.response.parse(opened.body).review.map(({ tookMs }) => tookMs)
    expect(times).toEqual([7_000, 8_000, ...Array(8).fill(null)])
    const theirs = await rig.call('GET', `/api/results/${test.id}`, { token: other.token })
    expect(theirs.status).toBe(404)
  })

  it.each(['', '1,', 'a', '1,2;3', randomUUID()])(
    'no list of questions: %j is refused',
    async (items) => {
      const { token } = await signUp(rig)
      expect((await returns(token, encodeURIComponent(items))).status).toBe(400)
    },
  )
})
