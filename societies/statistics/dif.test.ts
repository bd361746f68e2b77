import { describe, expect, it } from 'vitest'
import { difLetter, mantelHaenszel, matchedStrata, type Stratum } from './dif.ts'

const strata: Stratum[] = [
  { reference: { right: 4, wrong: 6 }, focal: { right: 2, wrong: 9 } },
  { reference: { right: 9, wrong: 6 }, focal: { right: 6, wrong: 10 } },
  { reference: { right: 14, wrong: 4 }, focal: { right: 9, wrong: 7 } },
  { reference: { right: 11, wrong: 1 }, focal: { right: 8, wrong: 2 } },
]

describe('an item that favours one group', () => {
  it('has its Mantel-Haenszel statistics', () => {
    const dif = mantelHaenszel(strata)
    expect(dif?.oddsRatio).toBeCloseTo(2.693941, 6)
    expect(dif?.logOdds).toBeCloseTo(0.991005, 6)
    expect(dif?.logOddsError).toBeCloseTo(0.441306, 6)
    expect(dif?.delta).toBeCloseTo(-2.328862, 6)
    expect(dif?.deltaError).toBeCloseTo(1.037068, 6)
    expect(dif?.chiSquare).toBeCloseTo(4.1153, 4)
    expect(dif?.p).toBeCloseTo(0.0425, 4)
    expect(dif?.chiSquareUncorrected).toBeCloseTo(5.008563, 6)
    expect(dif?.pUncorrected).toBeCloseTo(0.02522, 5)
    expect(dif?.shareDifference).toBeCloseTo(-0.2002, 4)
  })

  it('turns round with the groups', () => {
    const turned = strata.map(({ reference, focal }) => ({ reference: focal, focal: reference }))
    expect(mantelHaenszel(turned)?.delta).toBeCloseTo(2.328862, 6)
    expect(mantelHaenszel(turned)?.chiSquare).toBeCloseTo(4.1153, 4)
  })

  it('leaves out people whom nobody of the other group equals', () => {
    const alone = { reference: { right: 0, wrong: 0 }, focal: { right: 50, wrong: 1 } }
    expect(mantelHaenszel([...strata, alone])).toEqual(mantelHaenszel(strata))
  })

  it('has none where there is nothing to compare', () => {
    expect(mantelHaenszel([])).toBeNull()
    expect(
      mantelHaenszel([{ reference: { right: 9, wrong: 0 }, focal: { right: 9, wrong: 0 } }]),
    ).toBeNull()
  })
})

describe('letters', () => {
  it.each([
    ['A: small', 0.99, 0.1, 0.001, 'A'],
    ['A: not significant', -2.3, 1.2, 0.05, 'A'],
    ['B: moderate', 1, 0.3, 0.049, 'B'],
    ['B: large, but not clearly above 1', -2.328862, 1.037068, 0.0425, 'B'],
    ['B: clearly above 1, but below 1.5', 1.49, 0.1, 0.001, 'B'],
    ['C: large and clearly above 1', 1.5, 0.3, 0.001, 'C'],
    ['C: also the other way', -2, 0.6, 0.001, 'C'],
  ] as const)('%s', (_, delta, deltaError, p, letter) => {
    expect(difLetter({ delta, deltaError, p })).toBe(letter)
  })
})

describe('matching', () => {
  const people = (count: number) => ({
    marks: Array.from({ length: count }, (_, i) => i % 2),
    totals: Array.from({ length: count }, (_, i) => i % 25),
    isFocal: Array.from({ length: count }, (_, i) => i % 3 === 0),
  })

  it('is by the very same total from 200 on, by fifths below', () => {
    const strataOf = (count: number) => {
      const { marks, totals, isFocal } = people(count)
      return matchedStrata(marks, totals, isFocal)
    }
    expect(strataOf(200)).toHaveLength(25)
    expect(strataOf(199)).toHaveLength(5)
    for (const { reference, focal } of strataOf(199)) {
      const size = reference.right + reference.wrong + focal.right + focal.wrong
      expect(Math.abs(size - 40)).toBeLessThanOrEqual(8)
    }
  })

  it('puts everybody where they belong', () => {
    expect(
      matchedStrata([1, 0, 1, 1, 0], [9, 2, 2, 5, 7], [true, true, false, false, true]),
    ).toEqual([
      { reference: { right: 1, wrong: 0 }, focal: { right: 0, wrong: 1 } },
      { reference: { right: 1, wrong: 0 }, focal: { right: 0, wrong: 0 } },
      { reference: { right: 0, wrong: 0 }, focal: { right: 0, wrong: 1 } },
      { reference: { right: 0, wrong: 0 }, focal: { right: 1, wrong: 0 } },
    ])
  })
})
