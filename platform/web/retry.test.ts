import { describe, expect, it } from 'vitest'
import { ApiFailure, askedWaitMs, retryPauseMs } from './api-failure.ts'

const refusal = (retryAfter?: string) =>
  new ApiFailure(
    503,
    { code: 'unavailable', message: '' },
    new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
  )

describe("the delay from the server's Retry-After", () => {
  it.each([
    ['nothing', refusal(), 0],
    ['a second', refusal('1'), 1_000],
    ['an hour, of which a minute is believed', refusal('3600'), 60_000],
    ['something other than seconds', refusal('soon'), 0],
    ['a time that is over', refusal('-5'), 0],
    ['nothing, because there was no response', new TypeError('fetch failed'), 0],
  ])('is %s', (_, error, waitMs) => {
    expect(askedWaitMs(error)).toBe(waitMs)
  })
})

describe('the pause before the next try', () => {
  it.each([
    [0, 0, 1_000],
    [1, 0, 2_000],
    [2, 0, 5_000],
    [3, 0, 10_000],
    [40, 0, 10_000],
    [0, 7_000, 7_000],
    [3, 7_000, 10_000],
  ])(
    'after %i others, with a requested wait of %i ms, is %i ms and up to a fifth more',
    (tries, askedMs, ms) => {
      expect(retryPauseMs(tries, askedMs, () => 0)).toBe(ms)
      expect(retryPauseMs(tries, askedMs, () => 0.5)).toBeCloseTo(ms * 1.1)
    },
  )
})
