import { describe, expect, it } from 'vitest'
import { discrimination } from './items.ts'
import { mean, standardDeviation, sum } from './moments.ts'
import { kr20 } from './reliability.ts'
import { columnOf, type Scores } from './responses.ts'

/* Data that the literature has computed again and again, and what R's packages say of them. */

/** Five items of the Law School Admission Test (Bock and Lieberman 1970): 1,000 people by their pattern of answers. */
const LSAT =
  '00000:3 00001:6 00010:2 00011:11 00100:1 00101:1 00110:3 00111:4 01000:1 01001:8 01011:16 01101:3 ' +
  '01110:2 01111:15 10000:10 10001:29 10010:14 10011:81 10100:3 10101:28 10110:15 10111:80 11000:16 ' +
  '11001:56 11010:21 11011:173 11100:11 11101:61 11110:28 11111:298'

describe('five published items of the LSAT', () => {
  const scores = scoresOf(
    LSAT.split(' ').flatMap((entry) => {
      const [pattern = '', count] = entry.split(':')
      return Array<string>(Number(count)).fill(pattern)
    }),
  )

  it('give their mean and deviation', () => {
    expect(scores.totals).toHaveLength(1_000)
    expect(mean(scores.totals)).toBe(3.819)
    expect(standardDeviation(scores.totals)).toBeCloseTo(1.035041, 6)
  })

  it.each([
    [1, 0.924, 0.112833],
    [2, 0.709, 0.153178],
    [3, 0.553, 0.172779],
    [4, 0.763, 0.144428],
    [5, 0.87, 0.121596],
  ])('item %i has p %f and item-rest r %f', (number, p, r) => {
    expect(mean(columnOf(scores.right, number - 1))).toBeCloseTo(p, 12)
    expect(discrimination(scores, number - 1)).toBeCloseTo(r, 6)
  })

  it('give their α', () => {
    expect(kr20(scores)).toBeCloseTo(0.29499719, 8)
  })
})

function scoresOf(patterns: readonly string[]): Scores {
  const right = patterns.map((pattern) => [...pattern].map((mark) => (mark === '1' ? 1 : 0)))
  return { right, items: [0, 1, 2, 3, 4], totals: right.map((row) => sum(row)) }
}
