import { expect, it } from 'vitest'
import { meanPercentage } from './average-score.ts'

it.each([
  [[], null],
  [[70], 70],
  [[70, 80], 75],
  [[60, 70, 70], 66.7],
  [[0, 0], 0],
])('the average of %j is %j', (percentages, average) => {
  expect(meanPercentage(percentages)).toBe(average)
})
