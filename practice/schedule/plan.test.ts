import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { CATEGORIES, topicKey } from '../categories.ts'
import { REMINDER_HOURS } from '../contract/plan.ts'
import { getPreset } from '../drill/presets.ts'
import {
  capacityOf,
  dayOfPlan,
  dueShare,
  leftOfDay,
  type Plan,
  phaseOf,
  reminderOf,
} from './plan.ts'
import { ROLES } from './plan-choices.ts'
import { categoryWeights, placeOf, readinessOf, TRACKS, topicWeights } from './tracks.ts'

// This is a Sunday.
const TODAY = '2026-11-22'
const plan = (changes: Partial<Plan> = {}): Plan => ({
  interviewOn: '2026-12-14',
  minutesADay: 10,
  role: 'investment-banking',
  daysOff: [],
  startedOn: TODAY,
  ...changes,
})
const inDays = (days: number) => plan({ interviewOn: dayAfter(TODAY, days) })
const partsOfDay = (of: Plan, day: string) => dayOfPlan(of, day).parts
const kinds = (of: Plan, day = TODAY) => partsOfDay(of, day).map(({ kind }) => kind)

describe('the phase before the interview', () => {
  it.each([
    [-1, 'past'],
    [0, 'last-evening'],
    [1, 'last-evening'],
    [2, 'last-week'],
    [6, 'last-week'],
    [7, 'three-weeks'],
    [20, 'three-weeks'],
    [21, 'early'],
  ] as const)('with %i days left is %s', (days, phase) => {
    expect(phaseOf(inDays(days), TODAY)).toBe(phase)
  })

  it('is unknown without a date', () => {
    expect(phaseOf(plan({ interviewOn: null }), TODAY)).toBe('no-date')
  })
})

describe('the share of due questions', () => {
  it('is 70% within three weeks and without a date, otherwise all', () => {
    expect(dueShare(inDays(20), TODAY)).toBe(0.7)
    expect(dueShare(plan({ interviewOn: null }), TODAY)).toBe(0.7)
    expect(dueShare(inDays(21), TODAY)).toBe(1)
  })
})

describe("the rest of today's plan", () => {
  it.each([
    [20, 10],
    [13, 7],
    [0, 0],
  ])('with %i questions left takes %i minutes', (count, minutes) => {
    expect(leftOfDay(partsOfDay(inDays(10), TODAY), count, {})).toEqual([
      { kind: 'due-and-new', count, minutes },
    ])
  })

  it('leaves out the spoken answers already given', () => {
    const parts = partsOfDay(inDays(1), TODAY)
    expect(leftOfDay(parts, 30, { aloud: 1 })).toEqual([
      ...parts.slice(0, 2),
      { kind: 'aloud', count: 1, minutes: 4 },
    ])
    expect(leftOfDay(parts, 0, { aloud: 3 }).map(({ count }) => count)).toEqual([0, 1, 0])
  })
})

describe('a planned day', () => {
  it('on the last evening has the thirty weakest questions, the formula sheet and two spoken answers', () => {
    for (const days of [0, 1]) {
      expect(partsOfDay(inDays(days), TODAY)).toEqual([
        { kind: 'weakest', count: 30, minutes: 15 },
        { kind: 'formula-sheet', count: 1, minutes: 5 },
        { kind: 'aloud', count: 2, minutes: 8 },
      ])
    }
  })

  it('has a spoken answer in the last week', () => {
    expect(kinds(inDays(5))).toEqual(['due-and-new', 'aloud'])
  })

  it('has a drill every other day in the three weeks before, for roles that need it', () => {
    const trading = { ...inDays(15), role: 'sales-and-trading' as const }
    const drilled = [0, 1, 2, 3].map((ahead) =>
      kinds(trading, dayAfter(TODAY, ahead)).includes('drill'),
    )
    expect(drilled.filter(Boolean)).toHaveLength(2)
    expect(drilled[0]).not.toBe(drilled[1])
    expect(kinds(inDays(15))).toEqual(['due-and-new'])
    expect(kinds(inDays(14))).toEqual(['due-and-new'])
  })

  it('has a mock interview every two weeks without a date, on a day that is not off', () => {
    for (const daysOff of [[], [6], [5, 6, 7]]) {
      const of = plan({ interviewOn: null, daysOff })
      const mocks = Array.from({ length: 28 }, (_, ahead) => dayAfter(TODAY, ahead)).filter((day) =>
        kinds(of, day).includes('superday'),
      )
      expect(mocks).toHaveLength(2)
    }
  })

  it('holds as many questions as the minutes allow, two a minute', () => {
    expect(partsOfDay(plan({ minutesADay: 40 }), TODAY)[0]).toEqual({
      kind: 'due-and-new',
      count: 80,
      minutes: 40,
    })
  })

  it('is empty on a day off and after the interview', () => {
    expect(kinds(plan({ daysOff: [7] }))).toEqual([])
    expect(kinds(plan({ daysOff: [1] }))).not.toEqual([])
    expect(kinds(inDays(-1))).toEqual([])
  })
})

describe('the forecast until the interview', () => {
  it('is about 120 questions seen and 110 known in two weeks at twenty a day', () => {
    expect(capacityOf(inDays(14), TODAY, 1_040)).toEqual({
      seen: 120,
      known: 110,
    })
  })

  it('puts reviews first when there is more time', () => {
    expect(capacityOf(inDays(30), TODAY, 1_040)).toMatchObject({ seen: 175, known: 165 })
    expect(capacityOf(inDays(60), TODAY, 1_040)).toMatchObject({ seen: 290, known: 275 })
  })

  it('grows with the minutes, skips days off, and stops at the whole bank', () => {
    expect(capacityOf({ ...inDays(14), minutesADay: 20 }, TODAY, 1_040)?.seen).toBe(240)
    // The plan uses only one of the four days off, the day before the interview.
    expect(capacityOf({ ...inDays(14), daysOff: [6, 7] }, TODAY, 1_040)?.seen).toBe(95)
    expect(capacityOf({ ...inDays(300), minutesADay: 40 }, TODAY, 1_040)?.seen).toBe(1_040)
  })

  it('is absent without a date or without a day left', () => {
    expect(capacityOf(plan({ interviewOn: null }), TODAY, 1_040)).toBeNull()
    expect(capacityOf(inDays(0), TODAY, 1_040)).toBeNull()
  })
})

const ACCOUNTING = 'Financial Accounting & Analysis'
const VALUATION = 'Valuation & Corporate Finance'

describe('the tracks', () => {
  it.each(ROLES)('%s: its weights add up to one, by category and by topic', (role) => {
    const categories = categoryWeights(role)
    expect(Object.keys(categories)).toEqual([...CATEGORIES])
    for (const weights of [Object.values(categories), [...topicWeights(role).values()]]) {
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1)
    }
    expect(TRACKS[role].drills.map((id) => getPreset(id)?.id)).toEqual(TRACKS[role].drills)
  })

  it('exist for every role and no other', () => {
    expect(Object.keys(TRACKS)).toEqual([...ROLES])
  })
})

describe('readiness', () => {
  const standing = { solid: 0, shaky: 0, new: 0 }

  it('weighs topics by how often the role is asked about them', () => {
    const weights = topicWeights('investment-banking')
    const of = readinessOf('investment-banking', [
      { ...standing, category: ACCOUNTING, topic: 'three-statements', solid: 1, new: 3 },
      { ...standing, category: VALUATION, topic: 'dcf', shaky: 5 },
      { ...standing, category: 'Financial Markets & Instruments', topic: 'greeks', solid: 9 },
    ])
    const three = weights.get(topicKey(ACCOUNTING, 'three-statements')) ?? 0
    expect(three).toBeCloseTo(0.35 * (3 / 24))
    expect(of.solid).toBeCloseTo(three / 4)
    expect(of.new).toBeCloseTo((three * 3) / 4)
    expect(of.shaky).toBeCloseTo(0.45 * (3 / 31))
  })

  it('is all unseen at first, and all solid at the end', () => {
    const all = (count: Partial<typeof standing>) =>
      CATEGORIES.flatMap((category) =>
        Object.keys(TRACKS.quant.categories[category]?.topics ?? {}).map((topic) => ({
          ...{ ...standing, ...count, category, topic },
        })),
      )
    expect(readinessOf('quant', all({ new: 4 })).new).toBeCloseTo(1)
    expect(readinessOf('quant', all({ solid: 2 })).solid).toBeCloseTo(1)
  })
})

it('a topic with twice the weight comes first twice as often', () => {
  let first = 0
  for (let n = 0; n < 10_000; n += 1) {
    const [one, other] = [(n * 0.618_034) % 1, (n * 0.754_878) % 1]
    if (placeOf(2, one) < placeOf(1, other)) first += 1
  }
  expect(first / 10_000).toBeCloseTo(2 / 3, 1)
})

const PLAN = { interviewOn: '2026-12-14', daysOff: [] as number[], startedOn: '2026-11-20' }
const NOTHING = { practicedOn: null, sentOn: [] }

describe('a reminder', () => {
  it('is sent on a practice day', () => {
    expect(reminderOf(PLAN, TODAY, NOTHING)).toBe('remind')
  })

  it('is sent once a day, not after practice and not on a day off', () => {
    expect(reminderOf(PLAN, TODAY, { practicedOn: null, sentOn: [TODAY] })).toBe('none')
    expect(reminderOf(PLAN, TODAY, { practicedOn: TODAY, sentOn: [] })).toBe('none')
    expect(reminderOf({ ...PLAN, daysOff: [7] }, TODAY, NOTHING)).toBe('none')
  })

  it("is never sent on the interview's next day or later", () => {
    expect(reminderOf({ ...PLAN, interviewOn: TODAY }, TODAY, NOTHING)).toBe('remind')
    expect(reminderOf({ ...PLAN, interviewOn: '2026-11-21' }, TODAY, NOTHING)).toBe('none')
    expect(reminderOf({ ...PLAN, interviewOn: '2026-10-01' }, TODAY, NOTHING)).toBe('none')
  })

  it('stops after three in a row without practice, and only then', () => {
    const sentOn = ['2026-11-18', '2026-11-19', '2026-11-20']
    expect(reminderOf(PLAN, TODAY, { practicedOn: '2026-11-17', sentOn })).toBe('stop')
    expect(reminderOf(PLAN, TODAY, { practicedOn: null, sentOn })).toBe('stop')
    expect(reminderOf(PLAN, TODAY, { practicedOn: '2026-11-18', sentOn })).toBe('remind')
  })

  it('can be set from 8 a.m. to 8 p.m., so none is sent after 9 p.m.', () => {
    expect([REMINDER_HOURS[0], REMINDER_HOURS.at(-1)]).toEqual([8, 20])
  })
})
