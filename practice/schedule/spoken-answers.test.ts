import { describe, expect, it } from 'vitest'
import { RATINGS, type Rating } from '../aloud/spoken-prompt.ts'
import { nextSpokenDay, nextSpokenDays, type RatedDay } from './spoken-answers.ts'

/** Returns the intervals in days if each answer is given on its due day. */
function gaps(ratings: readonly Rating[]): number[] {
  const days: RatedDay[] = []
  let day = '2026-01-01'
  return ratings.map((rating) => {
    days.push({ day, rating })
    const next = nextSpokenDay(days) ?? ''
    const gap = (Date.parse(next) - Date.parse(day)) / 86_400_000
    day = next
    return gap
  })
}

describe('the next date of a spoken answer', () => {
  it.each<[Rating[], number[]]>([
    [[1], [1]],
    [[2], [3]],
    [[3], [8]],
    [[4], [21]],
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
    [
      [2, 2, 2],
      [3, 8, 16],
    ],
    [
      [3, 3, 3, 3],
      [8, 35, 128, 180],
    ],
    [
      [4, 4, 4, 4],
      [21, 149, 180, 180],
    ],
  ])('rated %j on its due days is after %j days', (ratings, days) => {
    expect(gaps(ratings)).toEqual(days)
  })

  it('comes sooner after a bad day and then grows more slowly than before', () => {
    const [, , fallen = 0, again = 0] = gaps([3, 3, 1, 3])
    expect(fallen).toBeLessThan(8)
    expect(again).toBeGreaterThan(fallen)
    expect(again).toBeLessThan(35)
  })

  it('does not exist before the first answer', () => {
    expect(nextSpokenDay([])).toBeNull()
    expect(nextSpokenDays([], '2026-03-02')).toEqual([1, 3, 8, 21])
  })

  it('is shown for each rating, and a better rating is never sooner', () => {
    for (const first of RATINGS) {
      const days = nextSpokenDays([{ day: '2026-03-02', rating: first }], '2026-03-20')
      expect([...days].sort((a, b) => a - b)).toEqual(days)
    }
  })

  it('uses the last rating of a day', () => {
    const yesterday: RatedDay = { day: '2026-03-01', rating: 2 }
    expect(nextSpokenDays([yesterday, { day: '2026-03-02', rating: 1 }], '2026-03-02')).toEqual(
      nextSpokenDays([yesterday], '2026-03-02'),
    )
  })
})
