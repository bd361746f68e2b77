import { afterEach, expect, it, vi } from 'vitest'
import { ApiFailure } from './api-failure.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it.each([
  ['a second later', undefined, 1_000],
  ['at the time the server asked for, if that is later', '7', 7_000],
])('a failed query is retried %s', async (_, retryAfter, pauseMs) => {
  vi.stubGlobal('location', new URL('http://localhost:3000/'))
  const { queryClient } = await import('./query-client.ts')
  vi.useFakeTimers()
  const headers = new Headers(retryAfter ? { 'Retry-After': retryAfter } : {})
  const queryFn = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new ApiFailure(503, { code: 'unavailable', message: '' }, headers))
    .mockResolvedValue('here')
  const answer = queryClient.fetchQuery({ queryKey: [pauseMs], queryFn })
  await vi.advanceTimersByTimeAsync(pauseMs - 10)
  expect(queryFn).toHaveBeenCalledTimes(1)
  // The jitter is a fifth.
  await vi.advanceTimersByTimeAsync(pauseMs / 5 + 20)
  expect(queryFn).toHaveBeenCalledTimes(2)
  expect(await answer).toBe('here')
})
