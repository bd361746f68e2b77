import { expect, it } from 'vitest'
import { describeDuration } from './minutes.ts'

it.each([
  [0, '0 min'],
  [40, '40 s'],
  [60, '1 min'],
  [90, '1 min 30 s'],
  [420, '7 min'],
  [7_200, '120 min'],
])('%i seconds are %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text)
})
