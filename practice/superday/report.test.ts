import { describe, expect, it } from 'vitest'
import type { Evening } from '../contract/superday.ts'
import type { Plan } from '../schedule/plan.ts'
import { nextDaysOf } from './next-days.ts'
import { fewRight, recurringSlips, reportOf } from './report.ts'

type TestResult = NonNullable<Evening['test']['result']>

const TEST: TestResult = {
  ...{ right: 15, total: 20, answered: 20, strikes: 0, reason: 'candidate', tookSeconds: 1_290 },
  review: [],
  categories: [
    { category: 'Financial Accounting & Analysis', right: 4, answered: 4 },
    { category: 'Valuation & Corporate Finance', right: 4, answered: 4 },
    { category: 'Financial Markets & Instruments', right: 3, answered: 4 },
    { category: 'Macroeconomics & Business Strategy', right: 3, answered: 4 },
    { category: 'Mental Agility & Problem Solving', right: 1, answered: 4 },
  ],
}
const aloud = (slug: string, pointsSaid: number | null, rating: 1 | 2 | 3 | 4 = 3) => ({
  ...{ slug, prompt: `Ask ${slug}.`, kind: 'technical' as const },
  result: pointsSaid === null ? null : { pointsSaid, rating, tookMs: 80_000 },
})

function evening(
  change: {
    test?: Partial<TestResult> | null
    case?: number | null
    aloud?: Evening['aloud']
    drill?: { right: number; wrong: number } | null
    earlierNets?: number[]
    slips?: Evening['slips']
  } = {},
): Evening {
  const { test = {}, case: right = 5, drill = { right: 60, wrong: 2 } } = change
  return {
    id: '00000000-0000-4000-8000-000000000001',
    startedAt: '2026-03-02T18:00:00.000Z',
    closesAt: '2026-03-02T22:00:00.000Z',
    isOpen: false,
    test: {
      lastStartAt: '2026-03-02T21:30:00.000Z',
      isTooLate: true,
      runsUntil: null,
      result: test && { ...TEST, ...test },
    },
    case: { slug: 'a-mill', title: 'A mill', result: right === null ? null : { right, total: 5 } },
    aloud: change.aloud ?? [aloud('dcf', 6), aloud('oil', 5, 4), aloud('team', 6)],
    drill: {
      preset: '80-in-8',
      result: drill && { id: '00000000-0000-4000-8000-000000000002', skipped: 0, ...drill },
      earlierNets: change.earlierNets ?? [],
    },
    slips: change.slips ?? [],
  }
}

describe('the report on a mock superday session', () => {
  it('has a verdict and a figure for each part, and no advice if everything went well', () => {
    const { carries, stops, missing } = reportOf(evening())
    expect([stops, missing]).toEqual([[], []])
    expect(carries.map(({ what, figure }) => `${what} ${figure}`)).toEqual([
      'The test 15 of 20',
      'The case: A mill 5 of 5',
      'Ask dcf. 6 of 6 points',
      'Ask oil. 5 of 6 points',
      'Ask team. 6 of 6 points',
      'The drill: 80 in 8 Net 58',
    ])
    expect(carries[0]?.why).toEqual(['75% (70% needed: 14 of 20).', '21:30 of 30:00 used.'])
  })

  it.each<[string, Parameters<typeof evening>[0], boolean, string[]]>([
    [
      '14 of 20',
      { test: { right: 14 } },
      true,
      ['70% (70% needed: 14 of 20).', '21:30 of 30:00 used.'],
    ],
    [
      '13 of 20',
      { test: { right: 13 } },
      false,
      ['65% (70% needed: 14 of 20).', '21:30 of 30:00 used.'],
    ],
    [
      'a test that ran out of time with enough right answers',
      { test: { answered: 16, right: 15, reason: 'deadline', tookSeconds: 1_800 } },
      true,
      ['75% (70% needed: 14 of 20).', '4 not reached: you took 113 s a question, not 90 s.'],
    ],
    [
      'a test that nothing was answered in',
      { test: { answered: 0, right: 0, reason: 'deadline', tookSeconds: 1_800 } },
      false,
      ['0% (70% needed: 14 of 20).'],
    ],
    [
      'a strike that was not the last',
      { test: { strikes: 2 } },
      true,
      ['75% (70% needed: 14 of 20).', '21:30 of 30:00 used.', '2 of 3 strikes.'],
    ],
    [
      'the third strike, even with enough right answers',
      { test: { strikes: 3, reason: 'violations', answered: 19, right: 19 } },
      false,
      ['The third strike ended the test after 19 answers, as in an assessment.'],
    ],
  ])('rates the test: %s', (_, change, carries, why) => {
    const report = reportOf(evening(change))
    const [test] = carries ? report.carries : report.stops
    expect(test).toMatchObject({ part: 'test', why })
  })

  it.each<[string, Parameters<typeof evening>[0], 'carries' | 'stops' | 'missing']>([
    ['a case with 4 of 5', { case: 4 }, 'carries'],
    ['a case with 3 of 5', { case: 3 }, 'stops'],
    ['a case not finished', { case: null }, 'missing'],
    ['a drill of net 56', { drill: { right: 58, wrong: 2 } }, 'carries'],
    ['a drill of net 55', { drill: { right: 58, wrong: 3 } }, 'stops'],
    ['a drill not done', { drill: null }, 'missing'],
    ['a test not submitted', { test: null }, 'missing'],
    ['five points and Good', { aloud: [aloud('dcf', 5, 3)] }, 'carries'],
    ['four points and Fluent', { aloud: [aloud('dcf', 4, 4)] }, 'stops'],
    ['six points and Shaky', { aloud: [aloud('dcf', 6, 2)] }, 'stops'],
    ['an answer not given', { aloud: [aloud('dcf', null)] }, 'missing'],
  ])('rates %s', (_, change, verdict) => {
    const report = reportOf(evening(change))
    const other = reportOf(evening())
    const part = report[verdict].filter(
      (one) => !other[verdict].some((same) => JSON.stringify(same) === JSON.stringify(one)),
    )
    expect(verdict === 'carries' ? report.carries.length : part.length).toBeGreaterThan(0)
    if (verdict === 'carries') expect([...report.stops, ...report.missing]).toEqual([])
  })

  it("compares a drill with the person's own curve after three earlier ones, with a real minus sign", () => {
    const drill = { right: 3, wrong: 8 }
    expect(reportOf(evening({ drill, earlierNets: [1, 2] })).stops).toMatchObject([
      { figure: 'Net \u22125', why: ['3 right, 8 wrong. The reported pass mark is 56.'] },
    ])
    expect(reportOf(evening({ drill, earlierNets: [40, -2, 10] })).stops[0]?.why[1]).toBe(
      'The median of your last 3 was 10.',
    )
  })

  it('names categories with half of four right or less, and repeated mistake patterns', () => {
    expect(fewRight(evening())).toEqual([
      { category: 'Mental Agility & Problem Solving', right: 1, answered: 4 },
    ])
    const ended = TEST.categories.map((one) => ({ ...one, right: 0, answered: 3 }))
    expect(fewRight(evening({ test: { categories: ended } }))).toEqual([])
    const slip = (name: string, tonight: number, before: number) => ({
      ...{ name, tonight, before, line: '' },
    })
    const slips = [slip('once', 1, 0), slip('twice', 2, 0), slip('again', 1, 1)]
    expect(recurringSlips(evening({ slips })).map(({ name }) => name)).toEqual(['twice', 'again'])
  })
})

describe('the next steps after a mock superday session', () => {
  const PLAN: Plan = {
    ...{
      interviewOn: null,
      minutesADay: 20,
      role: 'investment-banking',
      daysOff: [],
      startedOn: '2026-03-01',
    },
  }
  const WEAK = {
    ...({
      category: 'Valuation & Corporate Finance',
      difficulty: 'Intern',
      topic: 'wacc',
    } as const),
    ...{ right: 1, answered: 4, testNumber: 3 },
  }
  const next = (
    of: Evening,
    plan: Plan | null = null,
    weakTopics: readonly (typeof WEAK)[] = [],
    today = '2026-03-02',
  ) => nextDaysOf(of, reportOf(of), { plan, today, weakTopics, topicName: (topic) => topic })

  const BAD = evening({ case: 2, aloud: [aloud('dcf', 2, 1)], drill: null })

  it('are spread over the next three days, each with its figure and its link', () => {
    expect(next(BAD, null, [WEAK])).toEqual([
      {
        day: '2026-03-03',
        tasks: [
          { text: 'Review your mistakes (8)', to: '/due' },
          { text: 'The case: A mill (2 of 5)', to: '/cases/a-mill' },
        ],
      },
      {
        day: '2026-03-04',
        tasks: [
          {
            text: 'wacc: 1 of 4 right last time',
            to: '/quiz/Valuation%20%26%20Corporate%20Finance/Intern/3',
          },
          { text: 'Ask dcf. (2 of 6 points)', to: '/aloud/dcf' },
        ],
      },
      {
        day: '2026-03-05',
        tasks: [
          {
            text: 'Mental Agility: 1 of 4 right in this mock superday',
            to: '/tests/Mental%20Agility%20%26%20Problem%20Solving/Discover%20Finance',
          },
          { text: 'The drill: 80 in 8 (not done)', to: '/drills/80-in-8' },
        ],
      },
    ])
  })

  it.each<[string, Partial<Plan>, string[]]>([
    ['without a date', {}, ['2026-03-03', '2026-03-04', '2026-03-05']],
    ['with days off', { daysOff: [2, 3] }, ['2026-03-05', '2026-03-06', '2026-03-07']],
    ['two days before the interview', { interviewOn: '2026-03-04' }, ['2026-03-03']],
    ['on the last evening', { interviewOn: '2026-03-03' }, ['2026-03-02']],
    ['on the day itself', { interviewOn: '2026-03-02' }, ['2026-03-02']],
    ['after it', { interviewOn: '2026-03-01' }, ['2026-03-03', '2026-03-04', '2026-03-05']],
    ['with nothing but days off left', { interviewOn: '2026-03-04', daysOff: [2] }, ['2026-03-03']],
  ])('fall on the right days %s', (_, change, days) => {
    expect(next(BAD, { ...PLAN, ...change }).map(({ day }) => day)).toEqual(days)
  })

  it('on the last evening are only to repeat shaky spoken answers', () => {
    const plan = { ...PLAN, interviewOn: '2026-03-03' }
    expect(next(BAD, plan, [WEAK])[0]?.tasks.map(({ to }) => to)).toEqual([
      '/due',
      '/formula-sheet',
      '/aloud/dcf',
    ])
    expect(next(evening(), plan)[0]?.tasks.at(-1)).toEqual({
      text: 'Two answers aloud',
      to: '/aloud',
    })
  })

  it('are the due questions when nothing went wrong', () => {
    const perfect = evening({
      test: { right: 20, categories: [] },
    })
    expect(next(perfect)).toEqual([
      {
        day: '2026-03-03',
        tasks: [{ text: 'Your due reviews, so nothing slips', to: '/due' }],
      },
    ])
  })
})
