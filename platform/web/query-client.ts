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

/** Whether the server could not be asked: it failed, or what is shown is a copy from before. */
const isLeftFromOffline = ({ state }: Query) =>
  state.status === 'error' || state.dataUpdatedAt >= lostAtMs

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
      refetchOnReconnect: (query) => isLeftFromOffline(query as Query) && 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
