import { expect, it } from 'vitest'
import { countdownText, momentText } from '../start-window.tsx'

it.each([
  [
    'another zone',
    '2026-03-02T09:00:00Z',
    'Europe/Berlin',
    {
      there: 'Monday, March 2, 2026 at 9:00 AM',
      zoneName: 'Lisbon time',
      here: 'Monday, March 2, 2026 at 10:00 AM',
    },
  ],
  [
    'another day',
    '2026-03-02T23:30:00Z',
    'Asia/Tokyo',
    {
      there: 'Monday, March 2, 2026 at 11:30 PM',
      zoneName: 'Lisbon time',
      here: 'Tuesday, March 3, 2026 at 8:30 AM',
    },
  ],
  [
    'the same clock under another name',
    '2026-03-02T09:00:00Z',
    'Europe/London',
    { there: 'Monday, March 2, 2026 at 9:00 AM', zoneName: 'Lisbon time', here: null },
  ],
])('a moment for a reader in %s is written with its zone', (_, iso, localZone, text) => {
  expect(momentText(iso, 'Europe/Lisbon', localZone)).toEqual(text)
})

it.each([
  [0, '00:00'],
  [1, '00:01'],
  [65_000, '01:05'],
  [3_600_000, '01:00:00'],
  [90_061_000, '1 d 01:01:01'],
])('a countdown of %i ms is shown as %s', (ms, text) => {
  expect(countdownText(ms)).toBe(text)
})
