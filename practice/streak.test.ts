import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBetween, isTimeZone, localDay } from '../platform/local-day.ts'
import { deriveStreak, type PracticeDay, streakMessage } from './streak.ts'

/** Groups completions, given as [instant, time zone], into days as the server stores them. */
function daysOf(completions: [at: string, timeZone: string][]): PracticeDay[] {
  const days = new Map<string, PracticeDay>()
  for (const [at, timeZone] of completions) {
    const completedAtMs = Date.parse(at)
    const day = localDay(completedAtMs, timeZone)
    const known = days.get(day)
    if (!known) days.set(day, { day, completedAtMs, timeZone })
    else if (known.completedAtMs < completedAtMs) days.set(day, { ...known, completedAtMs })
  }
  return [...days.values()].sort((a, b) => a.day.localeCompare(b.day))
}

const LISBON = 'Europe/Lisbon'
const BERLIN = 'Europe/Berlin'
const NEW_YORK = 'America/New_York'
const KATHMANDU = 'Asia/Kathmandu'
const HONOLULU = 'Pacific/Honolulu'
const AUCKLAND = 'Pacific/Auckland'
const TOKYO = 'Asia/Tokyo'

const TABLE: {
  title: string
  completions: [string, string][]
  read: [string, string]
  current: number
  highscore: number
}[] = [
  {
    title: 'nothing was ever completed',
    completions: [],
    read: ['2026-03-02T10:00:00Z', LISBON],
    current: 0,
    highscore: 0,
  },
  {
    title: 'the first completion makes 1',
    completions: [['2026-03-02T10:00:00Z', LISBON]],
    read: ['2026-03-02T10:00:01Z', LISBON],
    current: 1,
    highscore: 1,
  },
  {
    title: 'twice on the same day changes nothing',
    completions: [
      ['2026-03-02T00:01:00Z', LISBON],
      ['2026-03-02T23:59:00Z', LISBON],
    ],
    read: ['2026-03-02T23:59:30Z', LISBON],
    current: 1,
    highscore: 1,
  },
  {
    title: '19:00 and 21:00 the next day, 26 hours later, are two days in a row',
    completions: [
      ['2026-03-02T19:00:00Z', LISBON],
      ['2026-03-03T21:00:00Z', LISBON],
    ],
    read: ['2026-03-03T21:00:01Z', LISBON],
    current: 2,
    highscore: 2,
  },
  {
    title: 'completions almost 48 hours apart on adjacent days are in a row',
    completions: [
      ['2026-03-02T00:00:01Z', LISBON],
      ['2026-03-03T23:59:59Z', LISBON],
    ],
    read: ['2026-03-03T23:59:59Z', LISBON],
    current: 2,
    highscore: 2,
  },
  {
    title: 'two days later resets to 1 and keeps the best',
    completions: [
      ['2026-03-02T10:00:00Z', LISBON],
      ['2026-03-03T10:00:00Z', LISBON],
      ['2026-03-05T10:00:00Z', LISBON],
    ],
    read: ['2026-03-05T10:00:00Z', LISBON],
    current: 1,
    highscore: 2,
  },
  {
    title: 'a day without practice so far still reads the streak',
    completions: [['2026-03-02T10:00:00Z', LISBON]],
    read: ['2026-03-03T23:59:59Z', LISBON],
    current: 1,
    highscore: 1,
  },
  {
    title: 'a broken streak reads 0 until the next completion',
    completions: [['2026-03-02T10:00:00Z', LISBON]],
    read: ['2026-03-04T00:00:00Z', LISBON],
    current: 0,
    highscore: 1,
  },
  {
    title: 'over the end of a month',
    completions: [
      ['2026-02-28T10:00:00Z', LISBON],
      ['2026-03-01T10:00:00Z', LISBON],
    ],
    read: ['2026-03-01T11:00:00Z', LISBON],
    current: 2,
    highscore: 2,
  },
  {
    title: 'over 29 February of a leap year',
    completions: [
      ['2028-02-28T10:00:00Z', LISBON],
      ['2028-02-29T10:00:00Z', LISBON],
      ['2028-03-01T10:00:00Z', LISBON],
    ],
    read: ['2028-03-01T11:00:00Z', LISBON],
    current: 3,
    highscore: 3,
  },
  {
    title: 'over the end of a year',
    completions: [
      ['2026-12-31T22:00:00Z', LISBON],
      ['2027-01-01T08:00:00Z', LISBON],
    ],
    read: ['2027-01-01T09:00:00Z', LISBON],
    current: 2,
    highscore: 2,
  },
  {
    title: 'a 23-hour day when clocks go forward (Berlin, 29 March 2026)',
    completions: [
      ['2026-03-28T21:30:00Z', BERLIN],
      ['2026-03-29T21:30:00Z', BERLIN],
      ['2026-03-30T21:30:00Z', BERLIN],
    ],
    read: ['2026-03-30T21:45:00Z', BERLIN],
    current: 3,
    highscore: 3,
  },
  {
    title: 'a 25-hour day when clocks go back (New York, 1 November 2026)',
    completions: [
      ['2026-10-31T04:30:00Z', NEW_YORK],
      ['2026-11-01T04:30:00Z', NEW_YORK],
      ['2026-11-02T05:30:00Z', NEW_YORK],
    ],
    read: ['2026-11-02T06:00:00Z', NEW_YORK],
    current: 3,
    highscore: 3,
  },
  {
    title: 'the missed day stays missed when clocks go back',
    completions: [
      ['2026-10-31T05:30:00Z', NEW_YORK],
      ['2026-11-02T05:30:00Z', NEW_YORK],
    ],
    read: ['2026-11-02T06:00:00Z', NEW_YORK],
    current: 1,
    highscore: 1,
  },
  {
    title: 'Kathmandu, 5:45 ahead: 23:59 and 00:01 are two days',
    completions: [
      ['2026-03-02T18:14:00Z', KATHMANDU],
      ['2026-03-02T18:16:00Z', KATHMANDU],
    ],
    read: ['2026-03-02T18:17:00Z', KATHMANDU],
    current: 2,
    highscore: 2,
  },
  {
    title: 'Honolulu, 10 behind: 23:59 and 00:01 are two days',
    completions: [
      ['2026-03-02T09:59:00Z', HONOLULU],
      ['2026-03-02T10:01:00Z', HONOLULU],
    ],
    read: ['2026-03-02T10:02:00Z', HONOLULU],
    current: 2,
    highscore: 2,
  },
  {
    title: 'travel west: practiced in Tokyo, read in Honolulu where it is still the day before',
    completions: [
      ['2026-03-02T01:00:00Z', TOKYO],
      ['2026-03-03T01:00:00Z', TOKYO],
    ],
    read: ['2026-03-03T02:00:00Z', HONOLULU],
    current: 2,
    highscore: 2,
  },
  {
    title: 'travel west: practising again on a day already earned changes nothing',
    completions: [
      ['2026-03-02T01:00:00Z', TOKYO],
      ['2026-03-03T01:00:00Z', TOKYO],
      ['2026-03-03T05:00:00Z', HONOLULU],
    ],
    read: ['2026-03-03T06:00:00Z', HONOLULU],
    current: 2,
    highscore: 2,
  },
  {
    title: 'travel east over the date line: the day that never was is not missed',
    completions: [
      ['2026-11-19T06:00:00Z', HONOLULU],
      ['2026-11-20T06:00:00Z', HONOLULU],
      ['2026-11-20T20:00:00Z', AUCKLAND],
    ],
    read: ['2026-11-20T20:00:01Z', AUCKLAND],
    current: 3,
    highscore: 3,
  },
  {
    title: 'travel east over the date line: the streak still stands on arrival',
    completions: [
      ['2026-11-19T06:00:00Z', HONOLULU],
      ['2026-11-20T06:00:00Z', HONOLULU],
    ],
    read: ['2026-11-20T20:00:00Z', AUCKLAND],
    current: 2,
    highscore: 2,
  },
  {
    title: 'travel east with a missed day',
    completions: [
      ['2026-11-20T06:00:00Z', HONOLULU],
      ['2026-11-22T20:00:00Z', AUCKLAND],
    ],
    read: ['2026-11-22T20:00:01Z', AUCKLAND],
    current: 1,
    highscore: 1,
  },
]

describe('the streak', () => {
  it.each(TABLE)('$title', ({ completions, read: [at, timeZone], current, highscore }) => {
    const days = daysOf(completions)
    const today = { day: localDay(Date.parse(at), timeZone), timeZone }
    expect(deriveStreak(days, today)).toEqual({
      currentStreak: current,
      streakHighscore: highscore,
      lastCompletedDate: days.at(-1)?.day ?? null,
    })
  })

  it('in one time zone is the run of consecutive dates that ends today or yesterday', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }), (offsets) => {
        const start = Date.parse('2026-02-01T12:00:00Z')
        const days = daysOf(
          offsets.map((offset) => [new Date(start + offset * 86_400_000).toISOString(), LISBON]),
        )
        const { currentStreak, streakHighscore } = deriveStreak(days, {
          day: localDay(start + 60 * 86_400_000, LISBON),
          timeZone: LISBON,
        })
        const practised = new Set(offsets)
        let expected = 0
        for (let offset = practised.has(60) ? 60 : 59; practised.has(offset); offset -= 1)
          expected += 1
        expect(currentStreak).toBe(expected)
        expect(streakHighscore).toBeGreaterThanOrEqual(currentStreak)
      }),
    )
  })
})

describe('local days', () => {
  it.each([
    ['2026-03-02T23:30:00Z', KATHMANDU, '2026-03-03'],
    ['2026-03-02T09:30:00Z', HONOLULU, '2026-03-01'],
    ['2026-12-31T23:59:59Z', AUCKLAND, '2027-01-01'],
  ])('%s in %s is %s', (at, timeZone, day) => {
    expect(localDay(Date.parse(at), timeZone)).toBe(day)
  })

  it.each([
    ['2026-02-28', '2026-03-01', 1],
    ['2028-02-28', '2028-03-01', 2],
    ['2026-12-31', '2027-01-01', 1],
    ['2026-03-03', '2026-03-01', -2],
  ])('from %s to %s are %i days', (from, to, days) => {
    expect(daysBetween(from, to)).toBe(days)
  })

  it.each([
    ['Europe/Lisbon', true],
    ['America/Argentina/Buenos_Aires', true],
    ['UTC', true],
    ['Etc/GMT+5', true],
    ['Mars/Olympus', false],
    ['+02:00', false],
    ['', false],
    ["Europe/Lisbon'; drop table users", false],
  ])('%j is a time zone: %s', (text, expected) => {
    expect(isTimeZone(text)).toBe(expected)
  })
})

describe('the streak message', () => {
  it.each([
    [0, 'Start your streak today!'],
    [1, 'Great start! Come back tomorrow.'],
    [2, '2 days strong. Keep going!'],
    [3, "3 days in a row. You're building a habit!"],
    [4, 'On fire! Keep it going.'],
    [6, 'On fire! Keep it going.'],
    [7, "7 days strong. Don't stop now!"],
    [13, "13 days strong. Don't stop now!"],
    [14, "Amazing 14-day streak! You're unstoppable!"],
    [29, "Amazing 29-day streak! You're unstoppable!"],
    [30, 'Legendary 30-day streak!'],
    [365, 'Legendary 365-day streak!'],
  ])('for %i days is %j', (days, message) => {
    expect(streakMessage(days)).toBe(message)
  })
})
