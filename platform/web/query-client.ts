import { onlineManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'
import { askedWaitMs, retryPauseMs } from './api-failure.ts'
import { connectivity } from './connection/connectivity.ts'

let lostAtMs = Number.POSITIVE_INFINITY
onlineManager.setEventListener((setOnline) =>
  connectivity.subscribe(() => {
    const isOffline = connectivity.isOffline()
    if (isOffline && onlineManager.isOnline()) lostAtMs = Date.now()
    setOnline(!isOffline)
  }),
)

/** Whether the last fetch failed or returned an offline copy. */
const isLeftFromOffline = ({ state }: Query) =>
  state.status === 'error' || state.dataUpdatedAt >= lostAtMs

export const queryClient = new QueryClient({
  // Streak, progress and profile show no error; it is only logged (product 3.8.7).
  queryCache: new QueryCache({
    onError: (error, query) => {
      // biome-ignore lint/suspicious/noConsole: product 3.8.7 requires logging fetch errors
      console.warn('could not load', query.queryKey.join(' / '), error.message)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Only temporary errors are retried, refusals aren't.
      retry: (count, error) => count < 2 && error instanceof ApiFailure && error.isTemporary,
      retryDelay: (count, error) => retryPauseMs(count, askedWaitMs(error), Math.random),
      // On a phone in a tunnel, it's better to try and show the error than to wait silently for 'online'.
      networkMode: 'always',
      refetchOnReconnect: (query) => isLeftFromOffline(query as Query) && 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
