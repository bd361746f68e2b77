import { describe, expect, it } from 'vitest'
import { answered, workedExample as example } from '../../../tests/rig/answered.ts'
import { correlationInterval, discrimination, wilsonInterval } from './items.ts'
import { mean, median, standardDeviation, variance } from './moments.ts'
import { kr20, reliabilityOf } from './reliability.ts'
import { columnOf, score } from './responses.ts'

/*
 * Twelve candidates and eight items, small enough to compute by hand; KR-20 and correlations were compared
 * with R's psychometric 2.3. (psych 2.2.9 prints .4565: it drops the first item, which all have right.)
 */
const scores = score(example)

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
    expect(mean(columnOf(scores.right, column))).toBeCloseTo(p, 6)
    expectNear(discrimination(scores, column), itemRest)
  })

  it('have the right reliability', () => {
    expectNear(kr20(scores), 0.447205)
  })

  it('have the right standard error of measurement', () => {
    expect(reliabilityOf(scores)?.error).toBeCloseTo(1.241421, 6)
  })

  it('have the right intervals of shares', () => {
    expect(wilsonInterval(9, 12).low).toBeCloseTo(0.467695, 6)
    expect(wilsonInterval(9, 12).high).toBeCloseTo(0.911058, 6)
    expect(wilsonInterval(12, 12).low).toBeCloseTo(0.757506, 6)
    expect(wilsonInterval(12, 12).high).toBe(1)
    expect(wilsonInterval(0, 12).low).toBeCloseTo(0, 12)
  })
})

describe('the edge cases of the statistics', () => {
  it('count an unanswered item as 0', () => {
    expect(score(answered('AB', 'A- -B --')).totals).toEqual([1, 1, 0])
  })

  it('give no reliability without variance', () => {
    expect(kr20(score(answered('AB', 'AB AB')))).toBeNull()
    expect(kr20(score(answered('A', 'A B')))).toBeNull()
    expect(kr20(score(answered('AB', 'AB')))).toBeNull()
    expect(kr20(score(answered('AB', '')))).toBeNull()
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

function expectNear(actual: number | null, expected: number | null) {
  if (expected === null) expect(actual).toBeNull()
  else expect(actual).toBeCloseTo(expected, 6)
}
