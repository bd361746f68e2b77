import { describe, expect, it } from 'vitest'
import type { UnfinishedTest } from '../quiz/unfinished.ts'
import {
  dueCategories,
  dueHeading,
  dueMinutes,
  dueUrl,
  leadOf,
  minutesInWords,
  type Taken,
  type Today,
} from './lead-content.ts'

const VALUATION = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' } as const
const DAY = '2026-11-25'
const next = { ...VALUATION, testNumber: 4 }
const today = (due: number, spokenDue = 0, upNext: Today['next'] = next): Today => ({
  due: { count: due, alsoNew: 3, categories: [], nextSevenDays: [due, 0, 0, 0, 0, 0, 0] },
  spokenDue,
  next: upNext,
})
const open = (testNumber: number): UnfinishedTest => ({
  ...VALUATION,
  testNumber,
  question: 4,
  answered: 3,
})
const took = (testNumber: number, percentage: number): Taken => ({
  ...VALUATION,
  testNumber,
  percentage,
})

describe('the first offer on the dashboard (product 1.7.6)', () => {
  it.each([
    ['a test in progress, before anything has loaded', [open(3)], undefined, undefined, 'continue'],
    ['a test in progress comes before due questions', [open(3)], today(12), [], 'continue'],
    ['nothing while it loads', [], undefined, [], 'loading'],
    ['due questions', [], today(12), [took(1, 80)], 'due'],
    ['due questions do not wait for past results', [], today(12), undefined, 'due'],
    ['a due spoken answer', [], today(0, 1), [took(1, 80)], 'due'],
    ['the next test', [], today(0), [took(1, 80)], 'next'],
    ['a first visit', [], today(0, 0, null), [], 'first'],
    ['the next test when past results could not be read', [], today(0), null, 'next'],
    ['nothing known', [], null, [], 'unknown'],
    ['every test taken', [], today(0, 0, null), [took(1, 80), took(2, 40)], 'again'],
  ] as const)('follows its rule: %s', (_, unfinished, known, taken, kind) => {
    expect(leadOf([...unfinished], known, taken && [...taken], DAY).kind).toBe(kind)
  })

  it.each([
    ['the plan, before a test in progress', '2026-11-27', [], 'plan'],
    ['a test in progress on a day off', '2026-11-30', [3], 'continue'],
    ['the plan on the day before, even on a day off', '2026-11-26', [3], 'plan'],
    ['the question how it went, from the day after on', '2026-11-24', [], 'after'],
  ])('with a plan is %s', (_, interviewOn, daysOff, kind) => {
    // 2026-11-25 is a Wednesday.
    const plan: Today['plan'] = {
      plan: {
        interviewOn,
        daysOff,
        startedOn: '2026-11-22',
        minutesADay: 20,
        role: 'quant',
      },
      of: 40,
      tens: [],
      done: { aloud: 0, drill: 0, superday: 0 },
    }
    expect(leadOf([open(3)], { ...today(12), plan }, [took(1, 80)], DAY).kind).toBe(kind)
  })

  it('is the latest of several tests in progress, and names the others', () => {
    expect(leadOf([open(3), open(1)], undefined, undefined, DAY)).toEqual({
      kind: 'continue',
      test: open(3),
      others: [open(1)],
    })
  })

  it('is the first test of the first category and level for a new student', () => {
    expect(leadOf([], today(0, 0, null), [], DAY)).toEqual({
      kind: 'first',
      test: {
        category: 'Financial Accounting & Analysis',
        difficulty: 'Discover Finance',
        testNumber: 1,
      },
    })
  })

  it('is never a test that waits to be saved', () => {
    expect(leadOf([], today(0), [took(4, 70), took(5, 90)], DAY)).toMatchObject({
      kind: 'next',
      test: { testNumber: 6 },
    })
  })

  it('is the test with the lowest best score once all are taken', () => {
    const taken = [took(1, 30), took(1, 90), took(2, 70), took(3, 100)]
    expect(leadOf([], today(0, 0, null), taken, DAY)).toMatchObject({
      kind: 'again',
      best: 70,
      test: { testNumber: 2 },
    })
  })
})

it.each([
  [1, 0, 2],
  [12, 0, 8],
  [5, 0, 4],
  [0, 2, 4],
  [4, 1, 6],
])(
  '%i questions, with three new ones where any are due, and %i spoken answers take %i minutes',
  (questions, spoken, minutes) => {
    expect(dueMinutes(today(questions, spoken))).toBe(minutes)
  },
)

const ACCOUNTING = 'Financial Accounting & Analysis'
const dueToday = (
  categories: Today['due']['categories'],
  spokenDue = 0,
  alsoNew: number | undefined = undefined,
): Today => {
  const count = categories.reduce((sum, category) => sum + category.count, 0)
  return {
    due: { count, alsoNew, categories, nextSevenDays: [count, 0, 0, 0, 0, 0, 0] },
    spokenDue,
    next: null,
  }
}

describe('what is due', () => {
  it.each<[string, string, string, Today]>([
    [
      '11 questions and 1 spoken answer due',
      'Valuation 7 · Accounting 4 · Aloud 1 · and 3 new',
      '/due',
      dueToday(
        [
          { category: VALUATION.category, count: 7 },
          { category: ACCOUNTING, count: 4 },
        ],
        1,
        3,
      ),
    ],
    [
      '6 questions due',
      'Valuation 6',
      '/due',
      dueToday([{ category: VALUATION.category, count: 6 }]),
    ],
    [
      '1 question due',
      'Valuation 1',
      '/due',
      dueToday([{ category: VALUATION.category, count: 1 }], 0, 0),
    ],
    ['1 spoken answer due', 'Aloud 1', '/aloud', dueToday([], 1, 3)],
    ['2 spoken answers due', 'Aloud 2', '/aloud', dueToday([], 2)],
  ])('reads "%s", by category "%s", and is answered at %s', (heading, categories, url, given) => {
    expect([dueHeading(given), dueCategories(given), dueUrl(given)]).toEqual([
      heading,
      categories,
      url,
    ])
  })

  it.each([
    [1, 'one minute'],
    [6, 'six minutes'],
    [12, 'twelve minutes'],
    [25, '25 minutes'],
  ])('takes %i minutes, in words', (minutes, words) => {
    expect(minutesInWords(minutes)).toBe(words)
  })
})
