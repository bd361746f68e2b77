import { describe, expect, it } from 'vitest'
import { paceOf, placesOf, standingOf, testAfter, wayOnOf } from './results-facts.tsx'

const VALUATION = 'Valuation & Corporate Finance'
const MENTAL = 'Mental Agility & Problem Solving'
const counts = [
  { category: VALUATION, difficulty: 'Discover Finance', count: 20 },
  { category: VALUATION, difficulty: 'Intern', count: 0 },
  { category: VALUATION, difficulty: 'Analyst', count: 15 },
  { category: MENTAL, difficulty: 'Discover Finance', count: 10 },
]

describe('the next test after a result', () => {
  it.each([
    ['is the next of its level', VALUATION, 'Discover Finance', 1, 'Discover Finance', 2],
    ['is the first of the next level that has any', VALUATION, 'Discover Finance', 2, 'Analyst', 1],
    ['counts a last, shorter test', VALUATION, 'Analyst', 1, 'Analyst', 2],
  ] as const)('%s', (_, category, level, number, nextLevel, nextNumber) => {
    expect(testAfter({ category, difficulty: level, testNumber: number }, counts)).toEqual({
      category,
      difficulty: nextLevel,
      testNumber: nextNumber,
    })
  })

  it.each([
    ['the last of the last level', VALUATION, 'Analyst', 2],
    ['the only level', MENTAL, 'Discover Finance', 1],
    ['a level there is not', VALUATION, 'Partner', 1],
    ['an unknown category', 'Astrology', 'Intern', 1],
  ] as const)('is absent after %s', (_, category, difficulty, testNumber) => {
    expect(testAfter({ category, difficulty, testNumber }, counts)).toBeNull()
  })
})

describe('the primary button of a result', () => {
  it.each([
    [79, 2, true, false, 'mistakes'],
    [80, 2, true, false, 'next-test'],
    [100, 0, true, false, 'next-test'],
    [40, 0, false, false, 'retake'],
    [40, 6, true, true, 'today'],
    [100, 0, true, true, 'today'],
  ] as const)(
    'at %i %% with %i mistakes (readable: %s, of mistakes: %s) is %s',
    (percentage, mistakes, isReadable, isErrorBasedTest, way) => {
      expect(wayOnOf({ percentage, mistakes, isReadable, isErrorBasedTest })).toBe(way)
    },
  )
})

describe('the comparison with earlier attempts', () => {
  const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`
  const attempt = (id: string, score: number, day: number, testNumber = 2) => ({
    id,
    testNumber,
    score,
    totalQuestions: 10,
    completedAt: at(day),
  })
  const mine = { id: 'me', testNumber: 2, percentage: 40, completedAt: at(20) }

  it.each([
    ['a first attempt', [attempt('x', 9, 3, 1)], { change: null, best: 40, bestBefore: undefined }],
    [
      'better than all before',
      [attempt('a', 3, 14), attempt('b', 2, 12)],
      { change: { points: 10, since: at(14) }, best: 40, bestBefore: 30 },
    ],
    [
      'worse than the last, which is not the best',
      [attempt('a', 5, 14), attempt('b', 7, 12)],
      { change: { points: -10, since: at(14) }, best: 70, bestBefore: null },
    ],
    [
      'level with the best',
      [attempt('a', 4, 14)],
      { change: { points: 0, since: at(14) }, best: 40, bestBefore: null },
    ],
    [
      'opened again, with later ones',
      [attempt('me', 4, 20), attempt('c', 10, 22), attempt('a', 3, 14)],
      { change: { points: 10, since: at(14) }, best: 100, bestBefore: 30 },
    ],
  ])('for %s', (_, others, standing) => {
    expect(standingOf(mine, others)).toEqual(standing)
  })
})

describe('the pace of a test', () => {
  it.each([
    [[], null],
    [[null, null], null],
    [[10_000, null, 20_000], { meanMs: 15_000, allMs: 30_000 }],
  ])('of times %j is %j', (tookMs, pace) => {
    expect(paceOf(tookMs)).toEqual(pace)
  })
})

describe('the buttons of a result', () => {
  const result = (own: object) => ({
    ...{ questions: [], userAnswers: [], score: 0, totalQuestions: 0, isOpenedAgain: false },
    ...{ isErrorBasedTest: false, category: MENTAL, difficulty: 'Discover Finance', testNumber: 3 },
    ...own,
  })
  const built = (ofMistakes: boolean) => ({
    ...{ title: 'LBO', search: 'ids=1', againSearch: 'topics=a%2Flbo', clock: 'off' as const },
    ...{ about: {}, kind: 'built' as const, ofMistakes },
  })
  const cell = 'Mental%20Agility%20%26%20Problem%20Solving/Discover%20Finance'

  it.each<[string, object, string, string, string, string]>([
    ['a test', {}, 'Retake Test', `/quiz/${cell}/3`, 'All Tests', `/tests/${cell}`],
    [
      'mistakes',
      { testNumber: null, isErrorBasedTest: true },
      'Retake Test',
      `/error-practice/${cell}`,
      'All Tests',
      `/error-practice/${cell}`,
    ],
    [
      'a built test',
      { testNumber: null, isErrorBasedTest: true, built: built(false) },
      'Another like this',
      '/build/test?topics=a%2Flbo',
      'Build a test',
      '/build',
    ],
    [
      'its mistakes',
      { testNumber: null, isErrorBasedTest: true, built: built(true) },
      'Retake Test',
      '/build/test?topics=a%2Flbo',
      'Build a test',
      '/build',
    ],
  ])('lead back correctly from %s', (_, own, again, againTo, list, listTo) => {
    expect(placesOf(result(own))).toEqual({
      again: { label: again, to: againTo },
      list: { label: list, to: listTo },
    })
  })
})
