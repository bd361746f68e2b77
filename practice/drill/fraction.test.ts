import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areEqual, fraction, parseAnswer, writeNumber } from './fraction.ts'

describe('a typed answer', () => {
  it.each([
    ['408', 408, 1],
    ['0.35', 7, 20],
    ['0,35', 7, 20],
    ['.5', 1, 2],
    ['5.', 5, 1],
    ['-12', -12, 1],
    ['−12', -12, 1],
    ['7/8', 7, 8],
    ['14/16', 7, 8],
    ['−2/3', -2, 3],
    [' 35 % ', 35, 1],
    ['−$3 m', -3, 1],
    ['12×', 12, 1],
    ['-0', 0, 1],
    ['007', 7, 1],
  ])('%j reads as %d/%d', (text, top, bottom) => {
    expect(parseAnswer(text)).toEqual({ top, bottom })
  })

  it.each(['', '.', '-', '1/0', '1.5/2', '1.2.3', 'twelve', '3/', '1e5', '--1'])(
    '%j is not a number',
    (text) => expect(parseAnswer(text)).toBeNull(),
  )
})

it('is written back as the same number, without a sign before zero', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -99_999, max: 99_999 }),
      fc.constantFrom(1, 2, 3, 4, 6, 7, 8, 10, 12, 100, 1_000),
      (top, bottom) => {
        const value = fraction(top, bottom)
        const text = writeNumber(value)
        const read = parseAnswer(text)
        expect(read && areEqual(read, value)).toBe(true)
        expect(text).not.toMatch(/^[−-]0$/)
      },
    ),
  )
})

it('cannot be divided by zero', () => {
  expect(() => fraction(1, 0)).toThrow(RangeError)
})
