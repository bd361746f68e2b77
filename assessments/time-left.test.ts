import { describe, expect, it } from 'vitest'
import { formatMinutes, remainingMs } from './time-left.ts'

describe('the remaining time', () => {
  it.each([
    [0, '00:00'],
    [59_999, '00:59'],
    [65_000, '01:05'],
    [1_200_000, '20:00'],
    [6_000_000, '100:00'],
    [-5, '00:00'],
  ])('%i ms is shown as %s', (ms, text) => {
    expect(formatMinutes(ms)).toBe(text)
  })

  it('is never negative', () => {
    expect([remainingMs(10, 4), remainingMs(10, 11)]).toEqual([6, 0])
  })
})
