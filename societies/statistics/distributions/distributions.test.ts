import { describe, expect, it } from 'vitest'
import { fBelow, fQuantile, incompleteBeta } from './f-distribution.ts'
import { normalAbove, normalBelow, normalQuantile } from './normal.ts'
import { seededRandom } from './seeded-random.ts'

describe('the F distribution', () => {
  it.each([
    [0.975, 11, 77, 2.16507103],
    [0.025, 11, 77, 0.33585286],
    [0.975, 99, 1881, 1.30795531],
    [0.025, 99, 1881, 0.73644548],
    [0.975, 999, 3996, 1.10145123],
    [0.025, 999, 3996, 0.90524103],
    // 2,000 candidates and 40 items, and the least there can be; by scipy.
    [0.975, 1999, 77961, 1.0638034436],
    [0.025, 1999, 77961, 0.9382402075],
    [0.975, 1, 1, 647.7890114779],
    [0.025, 1, 1, 0.0015437125],
  ])('has its quantile %f at %i and %i degrees of freedom', (p, above, below, quantile) => {
    expect(fQuantile(p, above, below)).toBeCloseTo(quantile, 8)
    expect(fBelow(quantile, above, below)).toBeCloseTo(p, 7)
  })

  it('is symmetric about 1 with equal degrees of freedom', () => {
    expect(fBelow(1, 1_999, 1_999)).toBeCloseTo(0.5, 10)
  })

  it('matches the closed beta function for whole numbers', () => {
    // I_x(2, 3) = 6x² − 8x³ + 3x⁴
    expect(incompleteBeta(0.3, 2, 3)).toBeCloseTo(6 * 0.09 - 8 * 0.027 + 3 * 0.0081, 13)
    expect(incompleteBeta(0.9, 2, 3)).toBeCloseTo(6 * 0.81 - 8 * 0.729 + 3 * 0.6561, 13)
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1])
  })
})

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [-1.959963984540054, 0.025],
    [2.99, 0.9986051127645078],
    [3.01, 0.9986937615512306],
    [-6, 9.865876450376946e-10],
  ])('has the tabulated probability below %f', (x, share) => {
    expect(Math.abs(normalBelow(x) / share - 1)).toBeLessThan(1e-12)
    expect(normalAbove(-x)).toBe(normalBelow(x))
  })

  it.each([1e-9, 0.001, 0.025, 0.3, 0.5, 0.8, 0.975, 0.9999])('is inverted at %f', (p) => {
    expect(Math.abs(normalBelow(normalQuantile(p)) / p - 1)).toBeLessThan(1e-12)
  })

  it('has its well-known quantiles', () => {
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12)
    expect(normalQuantile(0.25)).toBeCloseTo(-0.674489750196082, 12)
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY)
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('seeded random numbers', () => {
  it('are the same for the same seed and different for another', () => {
    const draw = (seed: number) => Array.from({ length: 3 }, seededRandom(seed))
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })

  it('spread evenly from 0 up to 1', () => {
    const random = seededRandom(1)
    const tenths = Array<number>(10).fill(0)
    for (let i = 0; i < 10_000; i += 1) {
      const at = Math.floor(random() * 10)
      tenths[at] = (tenths[at] as number) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })
})
