import { describe, expect, it } from 'vitest'
import { changeOf, withMinus, writeCell } from './exhibit.tsx'

describe('an exhibit cell', () => {
  it.each<[number | string | null, string, string, boolean]>([
    [520, '0.0', '520.0', false],
    [-312, '0.0', '(312.0', true],
    [1234.5, '$0.0 million', '$1,234.5 million', false],
    [5.5, '0.0x', '5.5x', false],
    [0, '0.0', '–', false],
    [null, '0.0', '?', false],
    ['none', '0.0', 'none', false],
  ])('%s by %s is %s', (cell, format, text, isNegative) => {
    expect(writeCell(cell, format)).toEqual({ text, isNegative })
  })
})

describe('the change between two years', () => {
  it.each([
    [552, 480, '+15%'],
    [41, 58, '−29%'],
    // Costs are negative, and a larger cost is an increase.
    [-36, -20, '+80%'],
    [78, 0, '–'],
    [100.2, 100, '0%'],
  ])('from %f to %f is %s', (now, was, text) => {
    expect(changeOf(now, was)).toBe(text)
  })
})

it('an exhibit uses real minus signs and keeps hyphens in words and ranges', () => {
  expect(withMinus('-$4.0 million, $62.0 million - $18.0 million, year-end, 2025-26')).toBe(
    '−\u2060$4.0 million, $62.0 million − $18.0 million, year-end, 2025-26',
  )
})
