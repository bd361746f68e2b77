import { describe, expect, it } from 'vitest'
import { type Known, nextStep } from './next-step.ts'

const VALUATION = 'Valuation & Corporate Finance'
const finished = (changes: Partial<Parameters<typeof nextStep>[0]> = {}) => ({
  category: VALUATION,
  difficulty: 'Intern',
  testNumber: 2,
  score: 9,
  totalQuestions: 10,
  ...changes,
})
const KNOWN: Known = {
  counts: [
    { category: VALUATION, difficulty: 'Discover Finance', count: 80 },
    { category: VALUATION, difficulty: 'Intern', count: 80 },
    { category: VALUATION, difficulty: 'Analyst', count: 80 },
    { category: 'Mental Agility & Problem Solving', difficulty: 'Discover Finance', count: 80 },
  ],
  today: { due: { count: 7 }, next: null },
}

describe('what comes after a result', () => {
  it('is the mistakes of this test below 80 %', () => {
    expect(nextStep(finished({ score: 7 }), KNOWN)).toEqual({ kind: 'mistakes', count: 3 })
    expect(nextStep(finished({ score: 0 }), KNOWN)).toEqual({ kind: 'mistakes', count: 10 })
  })

  it('is the next test from 80 % on', () => {
    expect(nextStep(finished({ score: 8 }), KNOWN)).toMatchObject({ kind: 'test', testNumber: 3 })
  })

  it('is the first of the next level after the last of one', () => {
    expect(nextStep(finished({ testNumber: 8 }), KNOWN)).toEqual({
      kind: 'test',
      category: VALUATION,
      difficulty: 'Analyst',
      testNumber: 1,
    })
  })

  it('is what is due after the last test of a category', () => {
    const last = finished({ difficulty: 'Analyst', testNumber: 8 })
    expect(nextStep(last, KNOWN)).toEqual({ kind: 'due', count: 7 })
    const agility = finished({
      category: 'Mental Agility & Problem Solving',
      difficulty: 'Discover Finance',
      testNumber: 8,
    })
    expect(nextStep(agility, KNOWN)).toEqual({ kind: 'due', count: 7 })
  })

  it('is what the dashboard leads with after mistakes that went well, and never nothing', () => {
    const mended = finished({ testNumber: null, score: 3, totalQuestions: 3 })
    expect(nextStep(mended, KNOWN)).toEqual({ kind: 'due', count: 7 })
    const next = { category: VALUATION, difficulty: 'Intern', testNumber: 3 } as const
    expect(nextStep(mended, { ...KNOWN, today: { due: { count: 0 }, next } })).toEqual({
      kind: 'test',
      ...next,
    })
    expect(nextStep(mended, { counts: undefined, today: undefined })).toEqual({ kind: 'dashboard' })
  })

  it('is the mistakes again after mistakes that went badly', () => {
    const again = finished({ testNumber: null, score: 1, totalQuestions: 3 })
    expect(nextStep(again, KNOWN)).toEqual({ kind: 'mistakes', count: 2 })
  })
})
