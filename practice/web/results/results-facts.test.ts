import { describe, expect, it } from 'vitest'
import type { Question } from '../../question.ts'
import type { TestAddress } from '../dashboard/lead-content.ts'
import {
  firstWayOf,
  paceOf,
  placesOf,
  type ResultsData,
  standingOf,
  testAfter,
  type WayOn,
  wayOnOf,
} from './results-facts.tsx'

const VALUATION = 'Valuation & Corporate Finance'
const MENTAL = 'Mental Agility & Problem Solving'
const ACCOUNTING = 'Financial Accounting & Analysis'
const CELL = 'Financial%20Accounting%20%26%20Analysis/Intern'
const resultOf = (own: Partial<ResultsData> = {}): ResultsData => ({
  questions: [],
  userAnswers: [],
  score: 5,
  totalQuestions: 10,
  isOpenedAgain: false,
  isErrorBasedTest: false,
  category: ACCOUNTING,
  difficulty: 'Intern',
  testNumber: 8,
  ...own,
})
const builtOf = (ofMistakes: boolean) => ({
  title: 'LBO',
  search: 'ids=1',
  againSearch: 'topics=a%2Flbo',
  clock: 'off' as const,
  about: {},
  kind: 'built' as const,
  ofMistakes,
})
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
  it.each<[string, Partial<ResultsData>, string, string, string, string]>([
    ['a test', {}, 'Retake Test', `/quiz/${CELL}/8`, 'All Tests', `/tests/${CELL}`],
    [
      'mistakes',
      { testNumber: null, isErrorBasedTest: true },
      'Retake Test',
      `/error-practice/${CELL}`,
      'All Tests',
      `/error-practice/${CELL}`,
    ],
    [
      'a built test',
      { testNumber: null, isErrorBasedTest: true, built: builtOf(false) },
      'Another like this',
      '/build/test?topics=a%2Flbo',
      'Build a test',
      '/build',
    ],
    [
      'its mistakes',
      { testNumber: null, isErrorBasedTest: true, built: builtOf(true) },
      'Retake Test',
      '/build/test?topics=a%2Flbo',
      'Build a test',
      '/build',
    ],
  ])('lead back correctly from %s', (_, own, again, againTo, list, listTo) => {
    expect(placesOf(resultOf(own))).toEqual({
      again: { label: again, to: againTo },
      list: { label: list, to: listTo },
    })
  })
})

const ANALYST = '/quiz/Financial%20Accounting%20%26%20Analysis/Analyst'
const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1 }) as Question)
const reviewed = (count: number) =>
  questions(count).map((question, index) => ({
    question,
    number: index + 1,
    selected: 'A' as const,
    isCorrect: false,
    tookMs: null,
  }))
const test = (difficulty: TestAddress['difficulty'], testNumber: number): TestAddress => ({
  category: ACCOUNTING,
  difficulty,
  testNumber,
})
const asked = (count: number, next: TestAddress | null = test('Analyst', 3)) => ({
  due: { count },
  next,
})
interface Case {
  wayOn: WayOn
  data?: Partial<ResultsData>
  mistakes?: number
  next?: TestAddress
  today?: ReturnType<typeof asked> | null
}
const wayOf = ({ wayOn, data, mistakes = 0, next, today }: Case) =>
  firstWayOf({
    wayOn,
    data: resultOf(data),
    mistakes: reviewed(mistakes),
    next: next ?? null,
    today,
  })

describe('the filled button of a results screen', () => {
  it.each<[string, Case, string, string]>([
    ['five mistakes', { wayOn: 'mistakes', mistakes: 5 }, 'Practice these 5 mistakes', '/quiz'],
    ['all ten wrong', { wayOn: 'mistakes', mistakes: 10 }, 'Practice these 10 mistakes', '/quiz'],
    ['one mistake', { wayOn: 'mistakes', mistakes: 1 }, 'Practice this mistake', '/quiz'],
    [
      'the mistakes of a built test',
      { wayOn: 'mistakes', mistakes: 2, data: { built: builtOf(true) } },
      'Practice these 2 mistakes',
      '/build/test?of=mistakes&ids=1%2C2',
    ],
    [
      'the next test of the level',
      { wayOn: 'next-test', next: test('Intern', 2) },
      'Start Test 2',
      `/quiz/${CELL}/2`,
    ],
    [
      'the first test of the next level',
      { wayOn: 'next-test', next: test('Analyst', 1) },
      'Start Test 1, Analyst',
      `${ANALYST}/1`,
    ],
    [
      'what is due after the last test of the last level',
      { wayOn: 'next-test', today: asked(3) },
      'Review 3 due',
      '/due',
    ],
    [
      'the next test of the day after the last test of the last level',
      { wayOn: 'next-test', today: asked(0) },
      'Start Test 3',
      `${ANALYST}/3`,
    ],
    ['what is due after mistakes', { wayOn: 'today', today: asked(7) }, 'Review 7 due', '/due'],
    [
      'the list of tests where every test was taken',
      { wayOn: 'today', today: asked(0, null), data: { testNumber: null } },
      'All Tests',
      `/tests/${CELL}`,
    ],
    [
      'the list of tests where the day could not be read',
      { wayOn: 'today', today: null },
      'All Tests',
      `/tests/${CELL}`,
    ],
    [
      'building another test, after the mistakes of a custom test',
      { wayOn: 'today', today: asked(0, null), data: { built: builtOf(true), testNumber: null } },
      'Build a test',
      '/build',
    ],
    [
      'the same test, if nothing can be read',
      { wayOn: 'retake' },
      'Retake Test',
      `/quiz/${CELL}/8`,
    ],
  ])('leads to %s', (_, given, label, to) => {
    expect(wayOf(given)).toMatchObject({ label, to })
  })

  it('passes the missed questions along, so they open offline', () => {
    expect(wayOf({ wayOn: 'mistakes', mistakes: 2 })?.state).toEqual({
      questions: questions(2),
      category: ACCOUNTING,
      difficulty: 'Intern',
      isErrorBasedTest: true,
    })
    expect(
      wayOf({ wayOn: 'mistakes', mistakes: 2, data: { built: builtOf(true) } })?.state,
    ).toEqual({
      questions: questions(2),
    })
  })

  it("is empty until today's work is loaded", () => {
    expect(wayOf({ wayOn: 'today' })).toBeNull()
    expect(wayOf({ wayOn: 'next-test' })).toBeNull()
  })
})
