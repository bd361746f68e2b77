import { expect, it } from 'vitest'
import { endOfDay, lastDay } from './web/own-zone.ts'
import { zoneDay, zoneMoment, zoneTime, zoneTimeOrDay } from './zone-time.ts'

const NOW = Date.parse('2026-11-25T23:30:00Z')

it.each([
  ['2026-11-25T09:00:00Z', 'Europe/Lisbon', '09:00', 'Wed 25 Nov', '09:00'],
  ['2026-11-25T23:45:00Z', 'Europe/Berlin', '00:45', 'Thu 26 Nov', '00:45'],
  ['2026-11-25T23:45:00Z', 'Europe/Lisbon', '23:45', 'Wed 25 Nov', '23:45'],
  ['2026-11-22T09:00:00Z', 'Europe/Lisbon', '09:00', 'Sun 22 Nov', 'Sun 22 Nov'],
  ['2025-12-31T23:30:00Z', 'Europe/Berlin', '00:30', 'Thu 1 Jan', 'Thu 1 Jan'],
  ['2025-11-25T09:00:00Z', 'Europe/Lisbon', '09:00', 'Tue 25 Nov 2025', 'Tue 25 Nov 2025'],
])('%s in %s is %s on %s', (iso, zone, time, day, either) => {
  for (const at of [iso, Date.parse(iso), new Date(iso)]) {
    expect(zoneTime(at, zone)).toBe(time)
    expect(zoneDay(at, zone, NOW)).toBe(day)
    expect(zoneMoment(at, zone, NOW)).toBe(`${day}, ${time}`)
    expect(zoneTimeOrDay(at, zone, NOW)).toBe(either)
  }
})

it.each([
  ['2027-01-31', 'UTC', '2027-02-01T00:00:00.000Z'],
  ['2027-01-31', 'Europe/Lisbon', '2027-02-01T00:00:00.000Z'],
  ['2027-06-30', 'Europe/Lisbon', '2027-06-30T23:00:00.000Z'],
  // The clocks change within the first day and at the end of the second.
  ['2027-03-28', 'Europe/Lisbon', '2027-03-28T23:00:00.000Z'],
  ['2027-10-31', 'Europe/Lisbon', '2027-11-01T00:00:00.000Z'],
  ['2027-12-31', 'Asia/Kolkata', '2027-12-31T18:30:00.000Z'],
  ['2027-12-31', 'Pacific/Kiritimati', '2027-12-31T10:00:00.000Z'],
  ['2027-12-31', 'Pacific/Pago_Pago', '2028-01-01T11:00:00.000Z'],
])('the day %s in %s ends at %s', (day, zone, at) => {
  expect(endOfDay(day, zone).toISOString()).toBe(at)
  expect(lastDay(at, zone)).toBe(day)
})
