import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { type LiveView, untilNextLook, watchLive } from '../../contract/live.ts'
import { assessmentKey } from '../console/queries.ts'

export interface Of {
  society: string
  code: string
  /** the newest simulation of it */
  isSimulation: boolean
}

/** What the page shows. */
export interface LiveState extends LiveView {
  tag: string
  /** the moment that it shows, by the server's clock */
  takenMs: number
  /** how far the server's clock is ahead of the device's */
  offsetMs: number
}

const AFTER_FAILURE_MS = 5_000
/** A snapshot is two seconds old at most: what differs by more says that a clock was set. */
const CLOCK_WAS_SET_MS = 5_000

const keyOf = ({ society, code, isSimulation }: Of) =>
  [...assessmentKey(society, code), 'live', isSimulation ? 'simulation' : 'day'] as const

/** Rows that have not changed stay the same objects, so that only the others are drawn anew. */
export const liveQuery = (client: QueryClient, of: Of) =>
  queryOptions({
    queryKey: keyOf(of),
    queryFn: async ({ signal }): Promise<LiveState> => {
      const before = client.getQueryData<LiveState>(keyOf(of))
      const { society, code, isSimulation } = of
      const query = {
        ...(before ? { have: before.tag } : {}),
        ...(isSimulation ? { simulation: '1' as const } : {}),
      }
      const { tag, takenMs, snapshot } = await call(
        watchLive,
        { params: { society, code }, query },
        { signal },
      )
      // Another node's may be a second older than what is shown.
      if (before && takenMs < before.takenMs) return before
      const shown = snapshot ?? before
      if (!shown) throw new Error('the first answer was empty')
      return { ...shown, tag, takenMs, offsetMs: offsetOf(before, takenMs - Date.now()) }
    },
    staleTime: 0,
    retry: false,
  })

/** The freshest snapshot tells most of the server's clock: each comes some time after it was taken. */
function offsetOf(before: LiveState | undefined, offsetMs: number): number {
  if (!before || Math.abs(offsetMs - before.offsetMs) > CLOCK_WAS_SET_MS) return offsetMs
  return Math.max(offsetMs, before.offsetMs)
}

/** Follows an assessment as long as the page is seen. */
export function useLive(of: Of) {
  return useQuery({
    ...liveQuery(useQueryClient(), of),
    refetchInterval: ({ state: { data, status, error } }) => {
      if (status === 'error') {
        const isRefused = error instanceof ApiFailure && !error.isTemporary
        return isRefused ? false : AFTER_FAILURE_MS
      }
      return data ? untilNextLook(data.takenMs, Date.now() + data.offsetMs) : false
    },
  })
}

/** After an act here: what it has changed comes at once. */
export const refreshLive = (client: QueryClient, of: Of) =>
  client.invalidateQueries({ queryKey: keyOf(of) })
