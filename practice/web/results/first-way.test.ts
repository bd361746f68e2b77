import { describe, expect, it } from 'vitest'
import type { Question } from '../../question.ts'
import type { TestAddress } from '../dashboard/lead-content.ts'
import { firstWayOf, type ResultsData, type WayOn } from './results-facts.tsx'

const ACCOUNTING = 'Financial Accounting & Analysis'
const AT = '/quiz/Financial%20Accounting%20%26%20Analysis'
const result: ResultsData = {
  questions: [],
  userAnswers: [],
  score: 5,
  totalQuestions: 10,
  isOpenedAgain: false,
  isErrorBasedTest: false,
  category: ACCOUNTING,
  difficulty: 'Intern',
  testNumber: 8,
}
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
const built = {
  title: 'LBO',
  search: 'ids=1',
  againSearch: 'topics=a%2Flbo',
  clock: 'off' as const,
  about: {},
  kind: 'built' as const,
  ofMistakes: true,
}

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
    data: { ...result, ...data },
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
      { wayOn: 'mistakes', mistakes: 2, data: { built } },
      'Practice these 2 mistakes',
      '/build/test?of=mistakes&ids=1%2C2',
    ],
    [
      'the next test of the level',
      { wayOn: 'next-test', next: test('Intern', 2) },
      'Start Test 2',
      `${AT}/Intern/2`,
    ],
    [
      'the first test of the next level',
      { wayOn: 'next-test', next: test('Analyst', 1) },
      'Start Test 1, Analyst',
      `${AT}/Analyst/1`,
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
      `${AT}/Analyst/3`,
    ],
    ['what is due after mistakes', { wayOn: 'today', today: asked(7) }, 'Review 7 due', '/due'],
    [
      'the list of tests where every test was taken',
      { wayOn: 'today', today: asked(0, null), data: { testNumber: null } },
      'All Tests',
      '/tests/Financial%20Accounting%20%26%20Analysis/Intern',
    ],
    [
      'the list of tests where the day could not be read',
      { wayOn: 'today', today: null },
      'All Tests',
      '/tests/Financial%20Accounting%20%26%20Analysis/Intern',
    ],
    [
      'building another test, after the mistakes of a custom test',
      { wayOn: 'today', today: asked(0, null), data: { built, testNumber: null } },
      'Build a test',
      '/build',
    ],
    ['the same test, if nothing can be read', { wayOn: 'retake' }, 'Retake Test', `${AT}/Intern/8`],
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
    expect(wayOf({ wayOn: 'mistakes', mistakes: 2, data: { built } })?.state).toEqual({
      questions: questions(2),
    })
  })

  it("is empty until today's work is loaded", () => {
    expect(wayOf({ wayOn: 'today' })).toBeNull()
    expect(wayOf({ wayOn: 'next-test' })).toBeNull()
  })
})
