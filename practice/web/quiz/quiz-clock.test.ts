import { describe, expect, it } from 'vitest'
import { clockFrom, readClock, turnTo } from './use-quiz-draft.ts'

describe('the question timer', () => {
  it('adds up the time that each question is visible', () => {
    let clock = turnTo(clockFrom({}), 31, 1_000)
    clock = turnTo(clock, 32, 4_000)
    clock = turnTo(clock, 31, 9_000)
    expect(readClock(clock, 9_500.4)).toEqual({ 31: 3_500, 32: 5_000 })
  })

  it('pauses while no question is visible', () => {
    const clock = turnTo(turnTo(clockFrom({}), 31, 0), null, 2_000)
    expect(readClock(clock, 90_000)).toEqual({ 31: 2_000 })
  })

  it('continues from the time measured before a reload', () => {
    expect(readClock(turnTo(clockFrom({ 31: 7_000, 32: 10 }), 31, 500), 1_500)).toEqual({
      31: 8_000,
      32: 10,
    })
  })

  it.each([
    ['a clock that jumped back counts nothing', 5_000, 1_000, 0],
    ['a question open for days counts one day', 0, 5 * 86_400_000, 86_400_000],
  ])('%s', (_, sinceMs, nowMs, tookMs) => {
    expect(readClock(turnTo(clockFrom({}), 31, sinceMs), nowMs)).toEqual({ 31: tookMs })
  })
})
