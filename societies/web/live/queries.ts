import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { watchLive } from '../../contract/live.ts'
import { LOOK_MS, SLOTS, untilNextLook } from '../../day/look-times.ts'
import { assessmentKey } from '../console/queries.ts'
import { type LiveState, nextState } from './live-state.ts'

export interface Of {
  society: string
  code: string
  /** the newest simulation of it */
  isSimulation: boolean
}

/** Milliseconds between two looks of a page that is not seen (product 7.14.7). */
const HIDDEN_MS = 10_000
const BACK_OFF_MS = 15_000
/** A page that nobody sees for so long asks no more, until it is seen again. */
const STOPS_AFTER_MS = 30 * 60_000

/** When among those who watch the same test this page looks. */
const SLOT = Math.floor(Math.random() * SLOTS)

const keyOf = ({ society, code, isSimulation }: Of) =>
  [...assessmentKey(society, code), 'live', isSimulation ? 'simulation' : 'day'] as const

/** Each read brings what has changed since the one before. */
export const liveQuery = (client: QueryClient, of: Of) =>
  queryOptions({
    queryKey: keyOf(of),
    queryFn: async ({ signal }) => {
      const before = client.getQueryData<LiveState>(keyOf(of)) ?? null
      const { society, code, isSimulation } = of
      const query = {
        ...(before ? { since: before.cursor } : {}),
        ...(isSimulation ? { simulation: '1' as const } : {}),
      }
      const answer = await call(watchLive, { params: { society, code }, query }, { signal })
      const next = nextState(before, answer, Date.now())
      if (!next) throw new Error('the first answer was empty')
      return next
    },
    // The map of candidates is compared by no one; unchanged rows stay the same objects.
    structuralSharing: false,
    staleTime: 0,
    retry: false,
  })

/** Follows an assessment as long as the page is there. */
export function useLive(of: Of) {
  const client = useQueryClient()
  const hiddenSinceMs = useHiddenSince()
  const found = useQuery({
    ...liveQuery(client, of),
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => {
      const isRefused = state.error instanceof ApiFailure && !state.error.isTemporary
      if (isRefused || isAsleep(hiddenSinceMs)) return false
      if (state.fetchFailureCount > 0) {
        return Math.min(LOOK_MS * 2 ** state.fetchFailureCount, BACK_OFF_MS)
      }
      if (hiddenSinceMs !== null) return HIDDEN_MS
      // Reckoned from the last answer: asked again meanwhile, the moment stays the same.
      const { data, dataUpdatedAt } = state
      const until = untilNextLook(of.code, dataUpdatedAt + (data?.offsetMs ?? 0), SLOT)
      return Math.max(250, dataUpdatedAt + until - Date.now())
    },
  })
  const { refetch } = found
  // What was missed while nobody looked comes at once.
  useEffect(() => {
    if (hiddenSinceMs === null) void refetch()
  }, [hiddenSinceMs, refetch])
  return found
}

const isAsleep = (hiddenSinceMs: number | null) =>
  hiddenSinceMs !== null && Date.now() - hiddenSinceMs > STOPS_AFTER_MS

/** Since when the page is hidden; null while it is seen. */
function useHiddenSince(): number | null {
  const [since, setSince] = useState<number | null>(() => (document.hidden ? Date.now() : null))
  useEffect(() => {
    const listen = () => setSince(document.hidden ? Date.now() : null)
    document.addEventListener('visibilitychange', listen)
    return () => document.removeEventListener('visibilitychange', listen)
  }, [])
  return since
}

/** After an act here: what it has changed comes at once. */
export const refreshLive = (client: QueryClient, of: Of) =>
  client.invalidateQueries({ queryKey: keyOf(of) })
