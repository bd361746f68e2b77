import { describe, expect, it } from 'vitest'
import { findTypedSigns, mendSigns } from './signs.ts'

describe('the sign check', () => {
  it.each([
    ['$500 - $300 = $200', '$500 − $300 = $200'],
    ['a return of -10.0%', 'a return of −10.0%'],
    ['-$24,000', '−$24,000'],
    ['the value is (-1 + 2)', 'the value is (−1 + 2)'],
    ['exp(-rT) x N(d2)', 'exp(−rT) × N(d2)'],
    ['10% x -8% = -0.8 points', '10% × −8% = −0.8 points'],
    ['70% x $120 million', '70% × $120 million'],
    ['net margin x asset turnover', 'net margin × asset turnover'],
    ['each dollar costs 6% x (1 - 0.25)', 'each dollar costs 6% × (1 − 0.25)'],
  ])('replaces a hyphen or letter by the real sign: %s', (typed, real) => {
    expect(mendSigns(typed)).toBe(real)
    expect(findTypedSigns(typed)).not.toEqual([])
    expect(findTypedSigns(real)).toEqual([])
  })

  it.each([
    'a 10-year bond at 8.0x EBITDA',
    'ASC 805-30-30, an 80%-owned subsidiary',
    'The second- and the third-largest share',
    'the amount x after a cup satisfies x = 100 + x / 16',
    'Somebody at meter x between the stands pays 300 + (x − 200) cents',
    'a tile such as 2-5',
    'Black-Scholes, N(d2), 3:40',
  ])('leaves hyphens in words and names: %s', (text) => {
    expect(findTypedSigns(text)).toEqual([])
  })
})
