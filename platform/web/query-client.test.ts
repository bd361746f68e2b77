import { afterEach, expect, it, vi } from 'vitest'
import { ApiFailure } from './api-failure.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
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

it('after the server was out of reach only what failed or came from a copy is asked for again', async () => {
  vi.stubGlobal('location', new URL('http://localhost:3000/'))
  const { QueryObserver } = await import('@tanstack/react-query')
  const { queryClient } = await import('./query-client.ts')
  const { connectivity } = await import('./connection/connectivity.ts')
  const asked: string[] = []
  const show = (name: string, isRefused = false) =>
    new QueryObserver(queryClient, {
      queryKey: [name],
      queryFn: async () => {
        asked.push(name)
        if (isRefused) throw new ApiFailure(404, { code: 'not_found', message: '' })
        return name
      },
    }).subscribe(() => {})
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  queryClient.mount()
  const hide = [show('before')]
  await vi.advanceTimersByTimeAsync(1_000)
  connectivity.noteAnswer(200, 'Thu, 26 Nov 2026 12:00:00 GMT')
  hide.push(show('copy'), show('failed', true))
  await vi.advanceTimersByTimeAsync(10)
  expect(asked.splice(0)).toEqual(['before', 'copy', 'failed'])
  connectivity.noteAnswer(200, null)
  await vi.advanceTimersByTimeAsync(10)
  expect(asked).toEqual(['copy', 'failed'])
  for (const stop of hide) stop()
  queryClient.unmount()
})
