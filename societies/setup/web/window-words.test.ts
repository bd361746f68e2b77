import { expect, it } from 'vitest'
import { momentOf } from '../../kit/web/own-zone.ts'
import { doubtfulWindow, windowMeaning } from './window-words.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const windowOf = (opens: string | null, closes: string | null, timeZone = 'Europe/Lisbon') => ({
  ...{ opens, closes, timeZone, durationSeconds: 1800 },
})
const SIX = '2026-11-24 18:00'

it.each([null, '', '2026-11-24', '2026-11-24 18', '0002-11-24 18:00', '20261-11-24 18:00'])(
  'the moment of %j is unknown',
  (local) => {
    expect(momentOf(local, 'Europe/Lisbon')).toBeNull()
  },
)

it.each([
  [windowOf(null, null), /^Without times/],
  [
    windowOf(SIX, null),
    /^It can be started from Tue 24 Nov, 18:00 in Lisbon.*, and never closes automatically\.$/,
  ],
  [windowOf(null, SIX), /^It can be started at any moment until Tue 24 Nov, 18:00 in Lisbon/],
  [windowOf(SIX, '2026-11-24 19:00'), /^Tue 24 Nov, 18:00 to 19:00 in Lisbon/],
  [windowOf(SIX, ''), /^Enter both date and time/],
  [windowOf(SIX, null, 'Lisbon'), /^Choose the time zone first/],
  [windowOf(SIX, null, 'EST'), /^Choose the time zone first/],
])('the window %j is explained', (window, words) => {
  expect(windowMeaning(window, NOW)[0]).toMatch(words)
})

it.each([
  [null, '2026-11-22 12:00', 40, 'Close it now', /no one can start\. 40 are on the list\.$/],
  ['2062-11-24 18:00', null, 1, 'Save 2062 anyway', /1 is on the list\.$/],
  [null, '2026-11-22 12:01', 40, undefined, /^$/],
  ['2027-11-22 12:00', null, 40, undefined, /^$/],
  [null, null, 40, undefined, /^$/],
])('a window from %s to %s with %i listed asks %s', (opens, closes, listed, button, meaning) => {
  const doubt = doubtfulWindow(windowOf(opens, closes), listed, NOW)
  expect(doubt?.button).toBe(button)
  expect(doubt?.meaning ?? '').toMatch(meaning)
})
