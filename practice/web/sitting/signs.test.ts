import { expect, it } from 'vitest'
import { signs } from './signs.ts'

it.each([
  ['EBIT - tax is $30 - $10', 'EBIT − tax is $30 − $10'],
  ['-$30 million and -5%', '−$30 million and −5%'],
  ['worth (-6,000)', 'worth (−6,000)'],
  ['0.50 x 11% + (1 - 0.2) x $40', '0.50 × 11% + (1 − 0.2) × $40'],
  ['3 * 4', '3 × 4'],
  ['$500 million x 4%', '$500 million × 4%'],
  ['1.2 x 1.2 x 1.2', '1.2 × 1.2 × 1.2'],
  ['8.33x EBITDA, net-debt, 2024-25, ASC 805-20', '8.33x EBITDA, net-debt, 2024-25, ASC 805-20'],
  ['solve x for y', 'solve x for y'],
])('%s', (text, shown) => {
  expect(signs(text)).toBe(shown)
})
