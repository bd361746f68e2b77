import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { Courier } from './courier.ts'
import { createTestEnvironment, settle } from './test-environment.ts'

/** When the second try comes, in milliseconds, for a device whose random number is given. */
async function secondTryAt(random: number, retryAfterSeconds?: number): Promise<number> {
  const environment = { ...createTestEnvironment(), random: () => random }
  const tries: number[] = []
  const courier = new Courier(environment, {
    hasWork: () => tries.length < 2,
    deliver: async () => {
      tries.push(environment.now())
      const headers = new Headers()
      if (retryAfterSeconds) headers.set('Retry-After', String(retryAfterSeconds))
      if (tries.length === 1) {
        throw new ApiFailure(503, { code: 'unavailable', message: '' }, headers)
      }
    },
    onChange: () => {},
  })
  await courier.flush()
  await settle()
  for (let passedMs = 0; tries.length < 2 && passedMs < 30_000; passedMs += 10) {
    await environment.advance(10)
  }
  const [first = 0, second = 0] = tries
  return second - first
}

describe('a lecture hall that was told 503 together', () => {
  it.each([
    ['its own pause', undefined, 1_000],
    ['the pause that the server asked for', 7, 7_000],
  ])('comes back spread over a fifth more than %s', async (_, retryAfter, pauseMs) => {
    expect(await secondTryAt(0, retryAfter)).toBe(pauseMs)
    expect(await secondTryAt(0.5, retryAfter)).toBeCloseTo(pauseMs * 1.1, -2)
    expect(await secondTryAt(0.999, retryAfter)).toBeCloseTo(pauseMs * 1.2, -2)
  })
})
