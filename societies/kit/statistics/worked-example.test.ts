import { describe, expect, it } from 'vitest'
import { answered, workedExample as example } from '../../../tests/rig/answered.ts'
import { analyzeItem, correlationInterval, wilsonInterval } from './items.ts'
import { mean, median, standardDeviation, variance } from './moments.ts'
import {
  itemsNeeded,
  kr20,
  marginOf,
  rankRanges,
  reliabilityOf,
  scoreGroups,
  standingOf,
  supportsGroups,
} from './reliability.ts'
import { score } from './responses.ts'

/* Twelve candidates and eight items are small enough to compute by hand. KR-20 and correlations were compared with R's
   psychometric 2.3. (psych 2.2.9 prints .4565 because it drops the first item, which all have right.) */
const scores = score(example)
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 6))

describe('twelve candidates with eight items', () => {
  it('have the right totals', () => {
    expect(scores.totals).toEqual([8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2])
    expect(mean(scores.totals)).toBeCloseTo(5.333333, 6)
    expect(median(scores.totals)).toBe(6)
    expect(variance(scores.totals)).toBeCloseTo(2.787879, 6)
    expect(standardDeviation(scores.totals)).toBeCloseTo(1.669694, 6)
  })

  it.each([
    [1, 1, null],
    [2, 0.75, 0.54663],
    [3, 0.833333, 0.149071],
    [4, 0.583333, 0.48795],
    [5, 0.583333, 0.48795],
    [6, 0.583333, 0.48795],
    [7, 0.5, 0.372104],
    [8, 0.5, -0.626099],
  ])('have the right difficulty and discrimination for Q%i', (number, p, itemRest) => {
    const column = number - 1
    const { right, people, r } = analyzeItem(example, scores, column)
    expect([right / people, r]).toEqual([near(p), near(itemRest)])
  })

  it('have the right reliability and standard error of measurement', () => {
    expect(kr20(scores)).toBeCloseTo(0.447205, 6)
    expect(reliabilityOf(scores)?.error).toBeCloseTo(1.241421, 6)
  })

  it('have the right intervals of shares', () => {
    expect(wilsonInterval(9, 12)).toEqual({ low: near(0.467695), high: near(0.911058) })
    expect(wilsonInterval(12, 12)).toEqual({ low: near(0.757506), high: 1 })
    expect(wilsonInterval(0, 12).low).toBeCloseTo(0, 12)
  })
})

describe('the edge cases of the statistics', () => {
  it('count an unanswered item as 0', () => {
    expect(score(answered('AB', 'A- -B --')).totals).toEqual([1, 1, 0])
  })

  it.each([
    ['AB', 'AB AB'],
    ['A', 'A B'],
    ['AB', 'AB'],
    ['AB', ''],
  ])('give no reliability without variance: %s, %s', (keys, answers) => {
    expect(kr20(score(answered(keys, answers)))).toBeNull()
  })

  it.each([
    [15, -0.25, 0.7],
    [30, -0.07, 0.6],
    [60, 0.05, 0.51],
    [100, 0.11, 0.47],
    [300, 0.19, 0.4],
  ])('put a correlation of .30 among %i between %f and %f', (of, low, high) => {
    const interval = correlationInterval(0.3, of)
    expect(interval?.low).toBeCloseTo(low, 2)
    expect(interval?.high).toBeCloseTo(high, 2)
  })

  it('give no interval for a correlation of three', () => {
    expect(correlationInterval(0.3, 3)).toBeNull()
    expect(correlationInterval(0.3, 4)).not.toBeNull()
  })
})

it.each([
  [0.2, 1],
  [0.9, 1],
  [1.6, 3],
  [2.2, 4],
])('The margin of a standard error of %s points is %i whole points', (error, margin) => {
  expect(marginOf(error)).toBe(margin)
})

describe('score groups', () => {
  // The significant difference is 1.96·√2·2.2 = 6.098.
  it('start where the distance to the highest score exceeds the significant difference', () => {
    const totals = [16, 23, 17, 10, 9, 4, 23, 3, 2]
    expect(scoreGroups(totals, 2.2)).toEqual([
      { high: 23, low: 17, candidates: [1, 6, 2] },
      { high: 16, low: 10, candidates: [0, 3] },
      { high: 9, low: 3, candidates: [4, 5, 7] },
      { high: 2, low: 2, candidates: [8] },
    ])
    expect(scoreGroups([], 2.2)).toEqual([])
  })

  it.each([
    [29, 0.7, false],
    [30, 0.7, true],
    [30, 0.499, false],
    [30, 0.5, true],
  ])('of %i candidates at a reliability of %s are supported: %s', (people, alpha, supported) => {
    expect(supportsGroups(people, alpha)).toBe(supported)
  })
})

it.each([
  [21, 'clearly-above'],
  [20, 'just-above'],
  [16, 'just-above'],
  [15, 'just-below'],
  [12, 'just-below'],
  [11, 'clearly-below'],
])('%i points at a cut score of 16 with a margin of 4 are %s', (total, standing) => {
  expect(standingOf(total, 16, 4)).toBe(standing)
})

it('equal scores share their ranks', () => {
  const ranks = rankRanges([16, 23, 16, 10, 16])
  expect(ranks.map(({ first, last }) => `${first}-${last}`)).toEqual([
    ...['2-4', '1-1', '2-4', '5-5', '2-4'],
  ])
})

it.each([
  [24, 0.75, 32],
  [20, 0.5, 80],
  [30, 0.7, 52],
  [24, 0.8, 24],
  [24, 0, null],
  [24, -0.2, null],
])('a test of %i questions at %f reaches .80 with %s', (items, alpha, needed) => {
  expect(itemsNeeded(items, alpha)).toBe(needed)
})
