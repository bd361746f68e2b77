import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'
import { askedWaitMs, retryPauseMs } from './retry.ts'

/** The one cache of what the server said. */
export const queryClient = new QueryClient({
  // Streak, progress and profile show no error: it is only logged (product 3.8.7).
  queryCache: new QueryCache({
    onError: (error, query) => {
      // biome-ignore lint/suspicious/noConsole: product 3.8.7 wants fetch errors logged
      console.warn('could not load', query.queryKey.join(' / '), error.message)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; what may pass is tried again.
      retry: (count, error) => count < 2 && error instanceof ApiFailure && error.isTemporary,
      retryDelay: (count, error) => retryPauseMs(count, askedWaitMs(error), Math.random),
      // A phone in a tunnel: try at once and show the error, rather than wait for 'online' in silence.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
