import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  fillBank,
  finishedTest,
  keyOf,
  loadCases,
  wrongOf,
} from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { caseItem, getCase, listCases } from '../../cases/case.ts'
import { getQuestions, getResult } from '../../contract.ts'
import { raiseBankVersion } from '../content/content.ts'
import { answeredQuestions, questions } from '../tables.ts'

const rig = useRig()
const CELL = `category=${encodeURIComponent('Financial Accounting & Analysis')}&difficulty=Intern`

/** Question 2003 becomes a family with the variants 50100 and 50101. */
beforeAll(async () => {
  await loadCases(rig)
  await fillBank(rig)
  await rig.db.transaction(async (tx) => {
    await tx.update(questions).set({ family: 'sums' }).where(eq(questions.id, 2003))
    const [base] = await tx.select().from(questions).where(eq(questions.id, 2003))
    await tx.insert(questions).values(
      [50_100, 50_101].map((id) => ({
        ...(base as NonNullable<typeof base>),
        id,
        question: `Variant ${id}?`,
        correctOption: keyOf(id),
        slips: { [wrongOf(id)]: 'tax-forgotten' },
      })),
    )
    await raiseBankVersion(tx)
  })
})

async function third(token: string, query: string) {
  const { body } = await rig.call('GET', `/api/questions?${CELL}&testNumber=1${query}`, { token })
  const test = getQuestions.response.parse(body)
  expect(test).toHaveLength(10)
  return test[2]
}

describe('a test that contains a question family', () => {
  it.each([
    ['', 2003],
    ['&variant=0', 2003],
    ['&variant=1', 50_100],
    ['&variant=2', 50_101],
    ['&variant=3', 2003],
    ['&variant=12', 2003],
    ['&variant=13', 50_100],
    ['&variant=999999999', 2003],
  ])('opened with %s asks question %i', async (query, expected) => {
    const { token } = await signUp(rig)
    expect((await third(token, query))?.id).toBe(expected)
  })

  it('does not count variants as questions or tests', async () => {
    const { token } = await signUp(rig)
    const { body: whole } = await rig.call('GET', `/api/questions?${CELL}`, { token })
    expect(getQuestions.response.parse(whole).map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => 2001 + index),
    )
    const { body: counts } = await rig.call('GET', '/api/questions/counts', { token })
    expect(counts[1]).toMatchObject({ difficulty: 'Intern', count: 20 })
  })

  it('is marked by the variant shown, and the review keeps it', async () => {
    const { token } = await signUp(rig)
    const body = finishedTest(rig.clock.now)
    const answers = body.answers.map((answer) =>
      answer.questionId === 2003 ? { questionId: 50_100, selectedAnswer: keyOf(50_100) } : answer,
    )
    const saved = await rig.call('POST', '/api/results', { token, body: { ...body, answers } })
    expect([saved.status, saved.body.score]).toEqual([201, 10])
    const { body: result } = await rig.call('GET', `/api/results/${body.id}`, { token })
    const { review } = getResult.response.parse(result)
    expect(review[2]?.question).toMatchObject({ id: 50_100, question: 'Variant 50100?' })
    const [fact] = await rig.db
      .select()
      .from(answeredQuestions)
      .where(eq(answeredQuestions.item, '50100'))
    expect(fact).toMatchObject({ family: 'sums', isRight: true, slip: null })
  })

  it.each([
    ['the variant of no slot of it', 2004],
    ['two variants of one slot', 2001],
  ])('refuses %s', async (_, replaced) => {
    const { token } = await signUp(rig)
    const body = finishedTest(rig.clock.now)
    const answers = body.answers.map((answer) =>
      answer.questionId === replaced ? { questionId: 50_101, selectedAnswer: 'A' } : answer,
    )
    const { status } = await rig.call('POST', '/api/results', { token, body: { ...body, answers } })
    expect(status).toBe(400)
  })
})

describe('case studies', () => {
  it('come from the content, are served completely, and are marked by the server', async () => {
    const { token } = await signUp(rig)
    const { body: list } = await rig.call('GET', '/api/practice/cases', { token })
    const listed = listCases.response.parse(list)
    expect(listed.length).toBeGreaterThanOrEqual(3)
    expect(listed.every(({ best, questions }) => best === null && [5, 1].includes(questions))).toBe(
      true,
    )

    const slug = listed[0]?.slug ?? ''
    const { body: one } = await rig.call('GET', `/api/practice/cases/${slug}`, { token })
    const { questions: asked } = getCase.response.parse(one)
    const answeredAt = rig.clock.now.toISOString()
    const isRight = [true, false, true, false, true]
    const answers = asked.map(({ answer }, place) => ({
      place,
      item: caseItem(slug, place + 1),
      choice: isRight[place] ? answer : answer === 'A' ? 'B' : 'A',
      answeredAt,
    }))
    const session = {
      kind: 'case',
      about: { case: slug },
      answers,
      isFinished: true,
      completedAt: answeredAt,
      timeZone: 'UTC',
    }
    const path = `/api/practice/sessions/${randomUUID()}`
    const { status, body: marked } = await rig.call('PUT', path, { token, body: session })
    expect([status, marked.score, marked.total]).toEqual([200, 3, 5])
    const { rows } = await rig.db.$client.query(
      `select slip is not null as named from answered_questions
        where session_id = $1 and not is_right`,
      [path.split('/').at(-1)],
    )
    expect(rows).toEqual([{ named: true }, { named: true }])

    const { body: after } = await rig.call('GET', '/api/practice/cases', { token })
    expect(after[0].best).toMatchObject({ score: 3, total: 5 })
    // Another user doesn't see the score.
    const other = await signUp(rig)
    const { body: theirs } = await rig.call('GET', '/api/practice/cases', { token: other.token })
    expect(theirs[0].best).toBeNull()
  })

  it('answer 404 for an unknown name', async () => {
    const { token } = await signUp(rig)
    expect((await rig.call('GET', '/api/practice/cases/none', { token })).status).toBe(404)
  })

  it('are stored without the expressions that check their figures', async () => {
    const { token } = await signUp(rig)
    const { body } = await rig.call('GET', '/api/practice/cases/profit-collapses-cash-holds', {
      token,
    })
    expect(JSON.stringify(body)).not.toMatch(/"(value|sum|ties|slip)":/)
  })
})
