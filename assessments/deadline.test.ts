import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GRACE_MS, phaseOf, remainingMs } from './deadline.ts'
import { orderPaper } from './paper.ts'
import { labelOf, sessionName } from './reference.ts'
import { listedSince } from './server/way-in/listing.ts'

describe('the state of an attempt', () => {
  const DEADLINE = 1_000_000
  it.each([
    ['before the deadline', DEADLINE - 1, null, 'running'],
    ['at the deadline', DEADLINE, null, 'grace'],
    ['1 ms before the grace period ends', DEADLINE + GRACE_MS - 1, null, 'grace'],
    ['when the grace period ends', DEADLINE + GRACE_MS, null, 'overdue'],
    ['once submitted', DEADLINE - 1, 5, 'closed'],
    ['once submitted, later', DEADLINE + 99_999, 5, 'closed'],
  ] as const)('is right %s', (_, now, submittedMs, phase) => {
    const attempt = { deadlineMs: DEADLINE, submittedMs }
    expect(phaseOf(attempt, now, DEADLINE + GRACE_MS)).toBe(phase)
  })
})

it('an assessment is listed until 24 hours after it closes', () => {
  expect(listedSince(new Date('2026-03-02T18:00:00Z'))).toEqual(new Date('2026-03-01T18:00:00Z'))
})

it('the remaining time is never negative', () => {
  expect([remainingMs(10, 4), remainingMs(10, 11)]).toEqual([6, 0])
})

it.each([
  ['Morning', 'Morning', 'Club - Morning'],
  [null, 'Main', 'Club'],
])('a session named %j is called %s among several, and %s on its own', (session, name, label) => {
  expect(sessionName(session)).toBe(name)
  expect(labelOf({ society: 'Club', session })).toBe(label)
})

/** Returns the given numbers as random numbers, in order. */
const drawing =
  (...numbers: number[]) =>
  () =>
    numbers.shift() ?? 0

describe('the order of items on a paper', () => {
  it.each<[string, boolean, number[], number[]]>([
    ['the table order, if nothing is shuffled', false, [0, 0, 0], [1, 2, 3, 4]],
    ['each item swapped with the first, for the lowest numbers', true, [0, 0, 0], [2, 3, 4, 1]],
    ['no item moved, for the highest numbers', true, [0.99, 0.99, 0.99], [1, 2, 3, 4]],
    ['the drawn positions, from the last place backward', true, [0.5, 0.4, 0.9], [1, 4, 2, 3]],
  ])('follows the seed: %s', (_, isShuffled, numbers, order) => {
    expect(orderPaper([1, 2, 3, 4], isShuffled, drawing(...numbers))).toEqual(order)
  })

  it('has every item once and does not change the table', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999)), fc.infiniteStream(fc.nat(999)), (ids, stream) => {
        const before = [...ids]
        const random = () => (stream.next().value ?? 0) / 1000
        expect(orderPaper(ids, true, random).sort()).toEqual([...before].sort())
        expect(ids).toEqual(before)
      }),
    )
  })

  it('is uniform over all orders', () => {
    const seen = new Map<string, number>()
    // All pairs of the two random numbers that three items take, in steps that divide evenly.
    for (let first = 0; first < 6; first += 1) {
      for (let second = 0; second < 6; second += 1) {
        const order = orderPaper([1, 2, 3], true, drawing(first / 6, second / 6)).join()
        seen.set(order, (seen.get(order) ?? 0) + 1)
      }
    }
    expect([...seen.values()]).toEqual([6, 6, 6, 6, 6, 6])
  })
})
