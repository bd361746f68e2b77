import { describe, expect, it } from 'vitest'
import { momentOf } from '../../kit/web/own-zone.ts'
import { doubtfulWindow, windowMeaning } from './window-words.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const windowOf = (opens: string | null, closes: string | null, timeZone = 'Europe/Lisbon') => ({
  opens,
  closes,
  timeZone,
  durationSeconds: 1800,
})
const first = (...typed: Parameters<typeof windowOf>) => windowMeaning(windowOf(...typed), NOW)[0]

describe('the meaning of a typed window', () => {
  it.each([null, '', '2026-11-24', '2026-11-24 18', '0002-11-24 18:00', '20261-11-24 18:00'])(
    'is unknown for %j',
    (local) => {
      expect(momentOf(local, 'Europe/Lisbon')).toBeNull()
    },
  )

  it('is explained when a time is empty, half typed, or in an unknown zone', () => {
    expect(first(null, null)).toMatch(/^Without times/)
    expect(first('2026-11-24 18:00', null)).toMatch(
      /^It can be started from Tue 24 Nov, 18:00 in Lisbon.*, and never closes by itself\.$/,
    )
    expect(first(null, '2026-11-24 18:00')).toMatch(
      /^It can be started at any moment until Tue 24 Nov, 18:00 in Lisbon/,
    )
    expect(first('2026-11-24 18:00', '2026-11-24 19:00')).toMatch(
      /^Tue 24 Nov, 18:00 to 19:00 in Lisbon/,
    )
    expect(first('2026-11-24 18:00', '')).toMatch(/^Enter both date and time/)
    for (const zone of ['Lisbon', 'EST', '']) {
      expect(first('2026-11-24 18:00', null, zone)).toMatch(/^Choose the time zone first/)
    }
  })
})

describe('a doubtful window', () => {
  const doubt = (opens: string | null, closes: string | null, listed = 40) =>
    doubtfulWindow(windowOf(opens, closes), listed, NOW)

  it('has its last moment to start in the past', () => {
    expect(doubt(null, '2026-11-22 12:00')).toMatchObject({
      field: 'closes',
      button: 'Close it now',
      meaning: expect.stringMatching(/From this moment nobody can start\. 40 are on the list\.$/),
    })
    expect(doubt(null, '2026-11-22 12:01')).toBeNull()
  })

  it('opens more than a year ahead', () => {
    expect(doubt('2062-11-24 18:00', null, 1)).toMatchObject({
      field: 'opens',
      button: 'Save 2062 anyway',
      meaning: expect.stringMatching(/1 is on the list\.$/),
    })
    expect(doubt('2027-11-22 12:00', null)).toBeNull()
    expect(doubt(null, null)).toBeNull()
  })
})
