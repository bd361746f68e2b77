import { describe, expect, it } from 'vitest'
import { dayName, daysBefore, weekOf } from './dates.ts'

describe('the week of a day', () => {
  it.each([
    ['2026-11-16', '2026-11-16', '2026-11-22'],
    ['2026-11-20', '2026-11-16', '2026-11-22'],
    ['2026-11-22', '2026-11-16', '2026-11-22'],
    ['2026-11-23', '2026-11-23', '2026-11-29'],
    ['2027-01-01', '2026-12-28', '2027-01-03'],
    ['2028-02-29', '2028-02-28', '2028-03-05'],
  ])('%s runs from %s to %s', (day, monday, sunday) => {
    const week = weekOf(day)
    expect(week).toHaveLength(7)
    expect(week[0]).toEqual({ name: 'Monday', day: monday })
    expect(week[6]).toEqual({ name: 'Sunday', day: sunday })
  })
})

it.each([
  ['2026-11-20', 1, '2026-11-19'],
  ['2026-03-01', 1, '2026-02-28'],
  ['2028-03-01', 1, '2028-02-29'],
  ['2027-01-03', 7, '2026-12-27'],
  ['2026-12-31', -1, '2027-01-01'],
])('%s, %i days before, is %s', (day, count, before) => {
  expect(daysBefore(day, count)).toBe(before)
})

it('a local day keeps its name in every time zone', () => {
  expect(dayName('2026-11-20')).toBe('Friday, November 20')
})
