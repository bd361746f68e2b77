import { describe, expect, it } from 'vitest'
import { endOfDay, lastDay } from './own-zone.ts'

describe('the end of a day', () => {
  it.each([
    ['2027-01-31', 'UTC', '2027-02-01T00:00:00.000Z'],
    ['2027-01-31', 'Europe/Lisbon', '2027-02-01T00:00:00.000Z'],
    ['2027-06-30', 'Europe/Lisbon', '2027-06-30T23:00:00.000Z'],
    // The clocks change within the day, and at its end.
    ['2027-03-28', 'Europe/Lisbon', '2027-03-28T23:00:00.000Z'],
    ['2027-10-31', 'Europe/Lisbon', '2027-11-01T00:00:00.000Z'],
    ['2027-12-31', 'Asia/Kolkata', '2027-12-31T18:30:00.000Z'],
    ['2027-12-31', 'Pacific/Kiritimati', '2027-12-31T10:00:00.000Z'],
    ['2027-12-31', 'Pacific/Pago_Pago', '2028-01-01T11:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, at) => {
    expect(endOfDay(day, zone).toISOString()).toBe(at)
    expect(lastDay(at, zone)).toBe(day)
  })
})
