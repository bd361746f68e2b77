import { expect, it } from 'vitest'
import { listedSince } from './listing.ts'

const CLOSES = new Date('2026-03-02T18:00:00Z')
const DAY_MS = 86_400_000
const after = (ms: number) => new Date(CLOSES.getTime() + ms)

it.each<[string, Date | null, Date, boolean]>([
  ['without a last moment to start', null, after(99 * DAY_MS), true],
  ['before it closes', CLOSES, after(-1), true],
  ['1 ms less than 24 hours after', CLOSES, after(DAY_MS - 1), true],
  ['24 hours after', CLOSES, after(DAY_MS), false],
])('an assessment is listed until 24 hours after it closes: %s', (_, closesAt, now, listed) => {
  // What the list of open processes asks the table for.
  expect(closesAt === null || closesAt > listedSince(now)).toBe(listed)
})
