import { describe, expect, it } from 'vitest'
import { countByDay, lastWeeks } from './charts.tsx'

const at = (completedAt: string, percentage = 50) => ({ completedAt, percentage })

it('a test counts for the local day on which it was finished', () => {
  const tests = [
    at('2026-11-20T07:59:00Z'),
    at('2026-11-20T08:01:00Z'),
    at('2026-11-20T10:59:00Z'),
    at('2026-11-20T11:01:00Z'),
  ]
  expect([...countByDay(tests, 'America/Los_Angeles')]).toEqual([
    ['2026-11-19', 1],
    ['2026-11-20', 3],
  ])
  expect([...countByDay(tests, 'Pacific/Auckland')]).toEqual([
    ['2026-11-20', 3],
    ['2026-11-21', 1],
  ])
})

describe('the weeks of the history chart', () => {
  it.each([
    ['a Monday', '2026-11-16', '2026-08-31', '2026-11-22'],
    ['a Sunday', '2026-11-22', '2026-08-31', '2026-11-22'],
    ['a day after New Year', '2027-01-06', '2026-10-19', '2027-01-10'],
  ])('end with the week of %s', (_, today, first, last) => {
    const weeks = lastWeeks(today, 12)
    expect(weeks).toHaveLength(12)
    expect(weeks.every((week) => week.length === 7)).toBe(true)
    expect(weeks[0]?.[0]).toBe(first)
    expect(weeks[11]?.[6]).toBe(last)
    expect(weeks.flat()).toEqual([...weeks.flat()].sort())
    expect(weeks[11]).toContain(today)
  })
})
