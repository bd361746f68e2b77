import { describe, expect, it } from 'vitest'
import { dueCategories, dueHeading, dueUrl, minutesInWords } from './due.ts'
import type { Today } from './lead-content.ts'

const VALUATION = 'Valuation & Corporate Finance'
const ACCOUNTING = 'Financial Accounting & Analysis'
const today = (
  categories: Today['due']['categories'],
  spokenDue = 0,
  alsoNew: number | undefined = undefined,
): Today => {
  const count = categories.reduce((sum, category) => sum + category.count, 0)
  return {
    due: { count, alsoNew, categories, nextSevenDays: [count, 0, 0, 0, 0, 0, 0] },
    spokenDue,
    next: null,
  }
}

describe('what is due', () => {
  it.each<[string, string, string, Today]>([
    [
      '12 questions due',
      'Valuation 7 · Accounting 4 · Aloud 1 · and 3 new',
      '/due',
      today(
        [
          { category: VALUATION, count: 7 },
          { category: ACCOUNTING, count: 4 },
        ],
        1,
        3,
      ),
    ],
    ['6 questions due', 'Valuation 6', '/due', today([{ category: VALUATION, count: 6 }])],
    ['1 question due', 'Valuation 1', '/due', today([{ category: VALUATION, count: 1 }], 0, 0)],
    ['1 spoken answer due', 'Aloud 1', '/aloud', today([], 1, 3)],
    ['2 spoken answers due', 'Aloud 2', '/aloud', today([], 2)],
  ])('reads "%s", by category "%s", and is answered at %s', (heading, categories, url, given) => {
    expect([dueHeading(given), dueCategories(given), dueUrl(given)]).toEqual([
      heading,
      categories,
      url,
    ])
  })

  it.each([
    [1, 'one minute'],
    [6, 'six minutes'],
    [12, 'twelve minutes'],
    [25, '25 minutes'],
  ])('takes %i minutes, in words', (minutes, words) => {
    expect(minutesInWords(minutes)).toBe(words)
  })
})
