import { beforeAll, describe, expect, it } from 'vitest'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { getQuestionTopics, getWeakTopics } from '../../contract.ts'
import { weakTopicsOf } from './weak-topics.ts'

const rig = useRig()
const CATEGORY = 'Financial Accounting & Analysis'
beforeAll(() => fillBank(rig))

describe('the topics of a cell', () => {
  it('are sorted by id and contain no text of the questions', async () => {
    const { token } = await signUp(rig)
    const query = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`
    const { status, body } = await rig.call('GET', `/api/questions/topics?${query}`, { token })
    expect(status).toBe(200)
    const topics = getQuestionTopics.response.parse(body)
    expect(topics).toHaveLength(20)
    expect(topics[0]).toEqual({ id: 2001, topic: 'test' })
    expect(JSON.stringify(body)).not.toMatch(/Question|Because|first of/)
  })

  it('for an unknown cell are an empty list with status 200', async () => {
    const { token } = await signUp(rig)
    const answer = await rig.call('GET', '/api/questions/topics?category=Astrology&difficulty=x', {
      token,
    })
    expect([answer.status, answer.body]).toEqual([200, []])
  })
})

describe('the weakest topics', () => {
  /** two alternating topics, and one that has a single question */
  const cell = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    topic: index === 0 ? 'rare' : index % 2 === 0 ? 'dcf' : 'lbo',
  }))
  const answered = (right: number[], wrong: number[]) =>
    new Map([
      ...right.map((id) => [String(id), true] as const),
      ...wrong.map((id) => [String(id), false] as const),
    ])

  it.each([
    ['nothing answered', [], [], []],
    ['two answers are too few', [], [3, 5], []],
    ['three wrong ones', [], [3, 5, 7], [['dcf', 0, 3, 2]]],
    ['80% right is solid', [3, 5, 7, 9], [11], []],
    ['75% right is not', [3, 5, 7], [9], [['dcf', 3, 4, 2]]],
    ['the test with the most left leads', [11, 13, 15], [3, 17], [['dcf', 3, 5, 1]]],
  ] as const)('are chosen correctly: %s', (_, right, wrong, expected) => {
    expect(
      weakTopicsOf(cell, answered([...right], [...wrong])).map((weak) => [
        weak.topic,
        weak.right,
        weak.answered,
        weak.testNumber,
      ]),
    ).toEqual(expected)
  })

  it("are read from a person's own latest answers", async () => {
    const [weak, other] = [await signUp(rig), await signUp(rig)]
    const answer = (item: string, isRight: boolean, at: string) =>
      rig.db.$client.query(
        `insert into answered_questions
          (user_id, session_id, place, kind, item, family, choice, is_right, answered_at, day)
        values ($1, gen_random_uuid(), 1, 'test', $2, $2, 'A', $3, $4::timestamptz, '2026-03-04')`,
        [weak.userId, item, isRight, at],
      )
    await answer('2001', false, '2026-03-04T10:00:00Z')
    await answer('2001', true, '2026-03-04T11:00:00Z')
    await answer('2002', false, '2026-03-04T10:00:00Z')
    await answer('2003', false, '2026-03-04T10:00:00Z')
    await answer('case/a-case/1', false, '2026-03-04T10:00:00Z')
    const read = async (token: string) =>
      getWeakTopics.response.parse(
        (await rig.call('GET', '/api/practice/weak-topics', { token })).body,
      )
    expect(await read(weak.token)).toEqual([
      {
        category: CATEGORY,
        difficulty: 'Intern',
        topic: 'test',
        right: 1,
        answered: 3,
        testNumber: 2,
      },
    ])
    expect(await read(other.token)).toEqual([])
  })
})
