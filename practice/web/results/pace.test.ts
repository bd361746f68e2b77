import { expect, it } from 'vitest'
import { measuredTimes, paceOf } from './pace.ts'

it('tells the time of each question where all were measured', () => {
  expect(paceOf({ times: [30_000, 50_000], durationMs: 500_000, totalQuestions: 2 })).toEqual({
    wholeMs: 80_000,
    eachMs: 40_000,
  })
})

it('falls back to the time from the first question to Finish', () => {
  expect(paceOf({ times: [30_000, null], durationMs: 90_000, totalQuestions: 2 })?.eachMs).toBe(
    45_000,
  )
  expect(measuredTimes([30_000, null])).toBeNull()
})

it('says nothing of a test that was left lying, or that nobody timed', () => {
  expect(paceOf({ durationMs: 3 * 3_600_000, totalQuestions: 10 })).toBeNull()
  expect(paceOf({ totalQuestions: 10 })).toBeNull()
  expect(measuredTimes([])).toBeNull()
})
