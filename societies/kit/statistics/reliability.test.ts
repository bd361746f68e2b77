import { describe, expect, it } from 'vitest'
import {
  itemsNeeded,
  marginOf,
  rankRanges,
  scoreGroups,
  standingOf,
  supportsGroups,
} from './reliability.ts'

it.each([
  [0.2, 1],
  [0.9, 1],
  [1.6, 3],
  [2.2, 4],
])('The margin of a standard error of %s points is %i whole points', (error, margin) => {
  expect(marginOf(error)).toBe(margin)
})

describe('score groups', () => {
  // 1.96·√2·2.2 = 6.098
  it('begin where the distance to the first score exceeds the significant difference', () => {
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

describe('a cut score', () => {
  it.each([
    [21, 'clearly-above'],
    [20, 'just-above'],
    [16, 'just-above'],
    [15, 'just-below'],
    [13, 'just-below'],
    [12, 'just-below'],
    [11, 'clearly-below'],
  ])('%i of 24 at 16 with a margin of 4 is %s', (total, standing) => {
    expect(standingOf(total, 16, 4)).toBe(standing)
  })
})

describe('ranks', () => {
  it('are shared by equal scores', () => {
    expect(rankRanges([16, 23, 16, 10, 16])).toEqual([
      { first: 2, last: 4 },
      { first: 1, last: 1 },
      { first: 2, last: 4 },
      { first: 5, last: 5 },
      { first: 2, last: 4 },
    ])
  })
})

describe('the length that reaches .80', () => {
  it.each([
    [24, 0.75, 32],
    [20, 0.5, 80],
    [30, 0.7, 52],
    [24, 0.8, 24],
    [24, 0, null],
    [24, -0.2, null],
  ])('for %i questions at %f is %s', (items, alpha, needed) => {
    expect(itemsNeeded(items, alpha)).toBe(needed)
  })
})
