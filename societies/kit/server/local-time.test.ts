import { describe, expect, it } from 'vitest'
import { parseLocalTime } from './local-time.ts'

describe('a local time', () => {
  it.each([
    ['2026-03-02 09:00', 'Europe/Lisbon', '2026-03-02T09:00:00Z'],
    ['2026-07-01 09:00', 'Europe/Lisbon', '2026-07-01T08:00:00Z'],
    ['2026-03-02 09:00', 'America/New_York', '2026-03-02T14:00:00Z'],
    ['2026-03-09T09:00:30', 'America/New_York', '2026-03-09T13:00:30Z'],
    ['2026-03-29 00:59', 'Europe/Lisbon', '2026-03-29T00:59:00Z'],
    ['2026-03-29 02:00', 'Europe/Lisbon', '2026-03-29T01:00:00Z'],
    ['2026-10-25 00:59', 'Europe/Lisbon', '2026-10-24T23:59:00Z'],
    ['2026-10-25 02:00', 'Europe/Lisbon', '2026-10-25T02:00:00Z'],
    ['2026-03-02 00:00', 'Asia/Kolkata', '2026-03-01T18:30:00Z'],
    ['2026-03-02 09:00', 'UTC', '2026-03-02T09:00:00Z'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(parseLocalTime(text, zone)).toEqual(new Date(instant))
  })

  it.each([
    ['2026-03-29 01:30', 'Europe/Lisbon', /does not exist/],
    ['2026-10-25 01:30', 'Europe/Lisbon', /happens twice/],
    ['2026-02-30 09:00', 'Europe/Lisbon', /isn't a date and time/],
    ['2026-03-02 24:00', 'Europe/Lisbon', /isn't a date and time/],
    ['02/03/2026 09:00', 'Europe/Lisbon', /isn't a date and time/],
    ['2026-03-02 09:00+01:00', 'Europe/Lisbon', /isn't a date and time/],
    ['2026-03-02 09:00:60', 'Europe/Lisbon', /isn't a date and time/],
    ['tomorrow', 'UTC', /isn't a date and time/],
  ])('%s in %s is refused', (text, zone, message) => {
    expect(() => parseLocalTime(text, zone)).toThrow(message)
  })
})
