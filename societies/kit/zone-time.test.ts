import { expect, it } from 'vitest'
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
