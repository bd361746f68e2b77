import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localDay } from '../platform/local-day.ts'
import { deriveStreak, type PracticeDay } from './streak.ts'

/** Groups completions, given as [instant, time zone], into days as the server stores them. */
function daysOf(completions: readonly [ms: number, timeZone: string][]): PracticeDay[] {
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
/** Zones across the world, with and without daylight saving time. */
const ZONES = [
  'Pacific/Pago_Pago',
  'Pacific/Honolulu',
  'America/New_York',
  LISBON,
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
]
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-03-20T00:00:00Z')
const streakOf = (completions: [number, string][], readMs: number, timeZone: string) =>
  deriveStreak(daysOf(completions), {
    day: localDay(readMs, timeZone),
    timeZone,
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
          const completions = minutes.map((minute, index): [number, string] => [
            instantOf(
              new Date(first + index * DAY_MS).toISOString().slice(0, 10),
              minute,
              timeZone,
            ),
            timeZone,
          ])
          const [lastMs] = completions.at(-1) as [number, string]
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
          const completions: [number, string][] = []
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
    const week = Array.from({ length: 7 }, (_, n): [number, string] => [START + n * DAY_MS, LISBON])
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
