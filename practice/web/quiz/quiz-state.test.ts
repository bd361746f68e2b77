import { describe, expect, it } from 'vitest'
import type { OptionLetter } from '../../../platform/options.ts'
import type { Question } from '../../question.ts'
import { finishTest, type QuizTest, resultsStateSchema, wayBackFrom } from './quiz-state.ts'

const questions: Question[] = [31, 32].map((id) => ({
  id,
  category: 'Valuation & Corporate Finance',
  difficulty: 'Analyst',
  question: `Question ${id}`,
  options: { A: 'a', B: 'b', C: 'c', D: 'd' },
  correctOption: 'C',
  explanation: null,
  why: { A: 'mistake' },
}))
const regular: QuizTest = {
  category: 'Valuation & Corporate Finance',
  difficulty: 'Analyst',
  testNumber: 4,
  questions,
}
const ofMistakes: QuizTest = { ...regular, testNumber: null }
const finished = {
  id: '00000000-0000-4000-8000-000000000001',
  completedAt: '2026-11-20T09:06:12.000Z',
  timeZone: 'Europe/Lisbon',
}
const answered = (answers: Record<string, OptionLetter>) => ({
  answers,
  tookMs: { 31: 12_000 },
})

describe('finishing a quiz', () => {
  it('of a regular test shows a score and sends answers without it', () => {
    const finish = finishTest(regular, answered({ 31: 'C', 32: 'A' }), finished, 'anna')
    expect(finish?.url).toBe('/results/Valuation%20%26%20Corporate%20Finance/Analyst/4')
    expect(finish?.state).toMatchObject({
      score: 1,
      totalQuestions: 2,
      isErrorBasedTest: false,
      userId: 'anna',
      tookMs: { 31: 12_000 },
      completedAt: finished.completedAt,
    })
    expect(resultsStateSchema.safeParse(finish?.state).success).toBe(true)
    expect(finish?.item).toEqual({
      kind: 'result',
      body: {
        id: finished.id,
        category: 'Valuation & Corporate Finance',
        difficulty: 'Analyst',
        testNumber: 4,
        answers: [
          { questionId: 31, selectedAnswer: 'C', tookMs: 12_000 },
          { questionId: 32, selectedAnswer: 'A' },
        ],
        completedAt: finished.completedAt,
        timeZone: 'Europe/Lisbon',
      },
      score: 1,
      totalQuestions: 2,
    })
  })

  it('of error practice sends its answers as a session, without a score', () => {
    const finish = finishTest(ofMistakes, answered({ 31: 'C', 32: 'C' }), finished, 'anna')
    expect(finish?.url).toBe('/results/error-practice')
    expect(finish?.state.isErrorBasedTest).toBe(true)
    const answeredAt = finished.completedAt
    expect(finish?.item).toEqual({
      kind: 'session',
      body: {
        id: finished.id,
        kind: 'mistakes',
        about: { category: 'Valuation & Corporate Finance', difficulty: 'Analyst' },
        answers: [
          { place: 0, item: '31', choice: 'C', tookMs: 12_000, answeredAt },
          { place: 1, item: '32', choice: 'C', answeredAt },
        ],
        isFinished: true,
        completedAt: finished.completedAt,
        timeZone: 'Europe/Lisbon',
      },
    })
  })

  it.each<[string, QuizTest, Record<string, OptionLetter>]>([
    ['with a question unanswered', regular, { 31: 'C' }],
    ['without questions', { ...regular, questions: [] }, {}],
  ])('is impossible %s', (_, test, answers) => {
    expect(finishTest(test, answered(answers), finished, 'anna')).toBeNull()
  })
})

it("the quiz's close button leads to the tests, or to error practice", () => {
  expect(wayBackFrom(regular)).toBe('/tests/Valuation%20%26%20Corporate%20Finance/Analyst')
  expect(wayBackFrom(ofMistakes)).toBe(
    '/error-practice/Valuation%20%26%20Corporate%20Finance/Analyst',
  )
})
