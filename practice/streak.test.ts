import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBetween, isTimeZone, localDay } from '../platform/local-day.ts'
import { deriveStreak, type PracticeDay, streakMessage } from './streak.ts'

type Completion = [ms: number, timeZone: string]

/** Groups completions, given as [instant, time zone], into days as the server stores them. */
function daysOf(completions: readonly Completion[]): PracticeDay[] {
  const days = new Map<string, PracticeDay>()
  for (const [completedAtMs, timeZone] of completions) {
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
/** Zones from west to east, with and without daylight saving time. */
const ZONES = [
  'Pacific/Pago_Pago',
  HONOLULU,
  NEW_YORK,
  LISBON,
  BERLIN,
  KATHMANDU,
  TOKYO,
  AUCKLAND,
  'Pacific/Kiritimati',
]
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-03-20T00:00:00Z')

const streakOf = (completions: readonly Completion[], readMs: number, timeZone: string) =>
  deriveStreak(daysOf(completions), { day: localDay(readMs, timeZone), timeZone })

/** Completions in one time zone. */
const inZone = (timeZone: string, ...instants: string[]): Completion[] =>
  instants.map((at) => [Date.parse(at), timeZone])

const TABLE: {
  title: string
  completions: Completion[]
  read: [at: string, timeZone: string]
  /** The streak then, and the best. */
  days: [current: number, highscore: number]
}[] = [
  {
    title: 'nothing was ever completed',
    completions: [],
    read: ['2026-03-02T10:00:00Z', LISBON],
    days: [0, 0],
  },
  {
    title: 'the first completion makes 1',
    completions: inZone(LISBON, '2026-03-02T10:00:00Z'),
    read: ['2026-03-02T10:00:01Z', LISBON],
    days: [1, 1],
  },
  {
    title: 'twice on the same day changes nothing',
    completions: inZone(LISBON, '2026-03-02T00:01:00Z', '2026-03-02T23:59:00Z'),
    read: ['2026-03-02T23:59:30Z', LISBON],
    days: [1, 1],
  },
  {
    title: '19:00 and 21:00 the next day, 26 hours later, are two days in a row',
    completions: inZone(LISBON, '2026-03-02T19:00:00Z', '2026-03-03T21:00:00Z'),
    read: ['2026-03-03T21:00:01Z', LISBON],
    days: [2, 2],
  },
  {
    title: 'completions almost 48 hours apart on adjacent days are in a row',
    completions: inZone(LISBON, '2026-03-02T00:00:01Z', '2026-03-03T23:59:59Z'),
    read: ['2026-03-03T23:59:59Z', LISBON],
    days: [2, 2],
  },
  {
    title: 'two days later resets to 1 and keeps the best',
    completions: inZone(
      LISBON,
      '2026-03-02T10:00:00Z',
      '2026-03-03T10:00:00Z',
      '2026-03-05T10:00:00Z',
    ),
    read: ['2026-03-05T10:00:00Z', LISBON],
    days: [1, 2],
  },
  {
    title: 'a day without practice so far still reads the streak',
    completions: inZone(LISBON, '2026-03-02T10:00:00Z'),
    read: ['2026-03-03T23:59:59Z', LISBON],
    days: [1, 1],
  },
  {
    title: 'a broken streak reads 0 until the next completion',
    completions: inZone(LISBON, '2026-03-02T10:00:00Z'),
    read: ['2026-03-04T00:00:00Z', LISBON],
    days: [0, 1],
  },
  {
    title: 'over the end of a month',
    completions: inZone(LISBON, '2026-02-28T10:00:00Z', '2026-03-01T10:00:00Z'),
    read: ['2026-03-01T11:00:00Z', LISBON],
    days: [2, 2],
  },
  {
    title: 'over 29 February of a leap year',
    completions: inZone(
      LISBON,
      '2028-02-28T10:00:00Z',
      '2028-02-29T10:00:00Z',
      '2028-03-01T10:00:00Z',
    ),
    read: ['2028-03-01T11:00:00Z', LISBON],
    days: [3, 3],
  },
  {
    title: 'over the end of a year',
    completions: inZone(LISBON, '2026-12-31T22:00:00Z', '2027-01-01T08:00:00Z'),
    read: ['2027-01-01T09:00:00Z', LISBON],
    days: [2, 2],
  },
  {
    title: 'a 23-hour day when clocks go forward (Berlin, 29 March 2026)',
    completions: inZone(
      BERLIN,
      '2026-03-28T21:30:00Z',
      '2026-03-29T21:30:00Z',
      '2026-03-30T21:30:00Z',
    ),
    read: ['2026-03-30T21:45:00Z', BERLIN],
    days: [3, 3],
  },
  {
    title: 'a 25-hour day when clocks go back (New York, 1 November 2026)',
    completions: inZone(
      NEW_YORK,
      '2026-10-31T04:30:00Z',
      '2026-11-01T04:30:00Z',
      '2026-11-02T05:30:00Z',
    ),
    read: ['2026-11-02T06:00:00Z', NEW_YORK],
    days: [3, 3],
  },
  {
    title: 'the missed day stays missed when clocks go back',
    completions: inZone(NEW_YORK, '2026-10-31T05:30:00Z', '2026-11-02T05:30:00Z'),
    read: ['2026-11-02T06:00:00Z', NEW_YORK],
    days: [1, 1],
  },
  {
    title: 'Kathmandu, 5:45 ahead: 23:59 and 00:01 are two days',
    completions: inZone(KATHMANDU, '2026-03-02T18:14:00Z', '2026-03-02T18:16:00Z'),
    read: ['2026-03-02T18:17:00Z', KATHMANDU],
    days: [2, 2],
  },
  {
    title: 'Honolulu, 10 behind: 23:59 and 00:01 are two days',
    completions: inZone(HONOLULU, '2026-03-02T09:59:00Z', '2026-03-02T10:01:00Z'),
    read: ['2026-03-02T10:02:00Z', HONOLULU],
    days: [2, 2],
  },
  {
    title: 'travel west: practiced in Tokyo, read in Honolulu where it is still the day before',
    completions: inZone(TOKYO, '2026-03-02T01:00:00Z', '2026-03-03T01:00:00Z'),
    read: ['2026-03-03T02:00:00Z', HONOLULU],
    days: [2, 2],
  },
  {
    title: 'travel west: practising again on a day already earned changes nothing',
    completions: [
      ...inZone(TOKYO, '2026-03-02T01:00:00Z', '2026-03-03T01:00:00Z'),
      ...inZone(HONOLULU, '2026-03-03T05:00:00Z'),
    ],
    read: ['2026-03-03T06:00:00Z', HONOLULU],
    days: [2, 2],
  },
  {
    title: 'travel east over the date line: the day that never was is not missed',
    completions: [
      ...inZone(HONOLULU, '2026-11-19T06:00:00Z', '2026-11-20T06:00:00Z'),
      ...inZone(AUCKLAND, '2026-11-20T20:00:00Z'),
    ],
    read: ['2026-11-20T20:00:01Z', AUCKLAND],
    days: [3, 3],
  },
  {
    title: 'travel east over the date line: the streak still stands on arrival',
    completions: inZone(HONOLULU, '2026-11-19T06:00:00Z', '2026-11-20T06:00:00Z'),
    read: ['2026-11-20T20:00:00Z', AUCKLAND],
    days: [2, 2],
  },
  {
    title: 'travel east with a missed day',
    completions: [
      ...inZone(HONOLULU, '2026-11-20T06:00:00Z'),
      ...inZone(AUCKLAND, '2026-11-22T20:00:00Z'),
    ],
    read: ['2026-11-22T20:00:01Z', AUCKLAND],
    days: [1, 1],
  },
]

describe('the streak', () => {
  it.each(TABLE)('$title', ({ completions, read: [at, timeZone], days: [current, best] }) => {
    expect(streakOf(completions, Date.parse(at), timeZone)).toEqual({
      currentStreak: current,
      streakHighscore: best,
      lastCompletedDate: daysOf(completions).at(-1)?.day ?? null,
    })
  })

  it('in one time zone is the run of consecutive dates that ends today or yesterday', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }), (offsets) => {
        const start = Date.parse('2026-02-01T12:00:00Z')
        const { currentStreak, streakHighscore } = streakOf(
          offsets.map((offset) => [start + offset * DAY_MS, LISBON]),
          start + 60 * DAY_MS,
          LISBON,
        )
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

describe('local days and zones', () => {
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

describe('the streak in real time', () => {
  const zone = fc.constantFrom(...ZONES)

  it('never has more days than real time allows, for any claimed zones and times', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 * 24 * 60 }).chain((minutes) =>
          fc.record({
            minutes: fc.constant(minutes),
            completions: fc.array(fc.tuple(fc.integer({ min: 0, max: minutes }), zone), {
              maxLength: 60,
            }),
          }),
        ),
        ({ minutes, completions }) => {
          const { streakHighscore } = streakOf(
            completions.map(([minute, timeZone]) => [START + minute * 60_000, timeZone]),
            START,
            LISBON,
          )
          // The extra hour allows for a 23-hour day.
          const days = Math.floor((minutes * 60_000 + HOUR_MS) / DAY_MS) + 2
          expect(streakHighscore).toBeLessThanOrEqual(days)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is at most 2 after completions in all time zones at the same instant', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const instant = START + hour * HOUR_MS + HOUR_MS / 2
      const { streakHighscore } = streakOf(
        ZONES.map((timeZone) => [instant, timeZone]),
        instant,
        LISBON,
      )
      expect(streakHighscore).toBeLessThanOrEqual(2)
      expect(streakHighscore).toBeGreaterThan(0)
    }
  })

  it('counts every day in one zone, at any hour and across clock changes', () => {
    fc.assert(
      fc.property(
        zone,
        fc.array(fc.integer({ min: 0, max: 24 * 60 - 1 }), { minLength: 1, maxLength: 30 }),
        (timeZone, minutes) => {
          const first = Date.parse(`${localDay(START, timeZone)}T00:00:00Z`)
          const completions = minutes.map(
            (minute, index): Completion => [
              instantOf(
                new Date(first + index * DAY_MS).toISOString().slice(0, 10),
                minute,
                timeZone,
              ),
              timeZone,
            ],
          )
          const [lastMs] = completions.at(-1) as Completion
          const { currentStreak, streakHighscore } = streakOf(completions, lastMs, timeZone)
          expect([currentStreak, streakHighscore]).toEqual([minutes.length, minutes.length])
        },
      ),
    )
  })

  it.each([
    ['east', (a: number, b: number) => a - b],
    ['west', (a: number, b: number) => b - a],
  ])('is never broken or reduced by a journey %s', (_, inOrder) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: ZONES.length - 1 }), { minLength: 2, maxLength: 20 }),
        // The traveler finishes something every 4 to 20 hours.
        fc.infiniteStream(fc.integer({ min: 4, max: 20 })),
        (stops, hours) => {
          let atMs = START
          let before = 0
          const completions: Completion[] = []
          for (const stop of stops.toSorted(inOrder)) {
            const timeZone = ZONES[stop] ?? LISBON
            atMs += hours.next().value * HOUR_MS
            completions.push([atMs, timeZone])
            const { currentStreak } = streakOf(completions, atMs, timeZone)
            expect(currentStreak).toBeGreaterThanOrEqual(before)
            before = currentStreak
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('counts a full offline week on an old account once the device sends it', () => {
    const week = Array.from({ length: 7 }, (_, n): Completion => [START + n * DAY_MS, LISBON])
    expect(streakOf(week, START + 6 * DAY_MS, LISBON).currentStreak).toBe(7)
  })
})

/** Returns the instant this many minutes after the zone's day begins. */
function instantOf(day: string, minute: number, timeZone: string): number {
  let ms = Date.parse(`${day}T00:00:00Z`) - 14 * HOUR_MS
  while (localDay(ms, timeZone) < day) ms += HOUR_MS / 4
  // A 23-hour day is too short for its last minutes.
  const at = ms + minute * 60_000
  return localDay(at, timeZone) === day ? at : at - HOUR_MS
}
