import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { type LiveView, untilNextLook, watchLive } from '../../contract/live.ts'

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

/** The freshest snapshot tells most of the server's clock: each comes some time after it was taken. */
function offsetOf(before: LiveState | undefined, offsetMs: number): number {
  if (!before || Math.abs(offsetMs - before.offsetMs) > CLOCK_WAS_SET_MS) return offsetMs
  return Math.max(offsetMs, before.offsetMs)
}

/** Follows an assessment as long as the page is seen. Rows that have not changed stay the same objects. */
export function useLive({ society, code, isSimulation }: Of) {
  const client = useQueryClient()
  const params = { society, code }
  const simulation = isSimulation ? { simulation: '1' as const } : {}
  const queryKey = endpointKey(watchLive, { params, query: simulation })
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LiveState> => {
      const before = client.getQueryData<LiveState>(queryKey)
      const query = { ...simulation, ...(before && { have: before.tag }) }
      const { tag, takenMs, snapshot } = await call(watchLive, { params, query }, { signal })
      // Another node's may be a second older than what is shown.
      if (before && takenMs < before.takenMs) return before
      const shown = snapshot ?? before
      if (!shown) throw new Error('the first answer was empty')
      return { ...shown, tag, takenMs, offsetMs: offsetOf(before, takenMs - Date.now()) }
    },
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state: { data, status, error } }) => {
      if (status === 'error') {
        const isRefused = error instanceof ApiFailure && !error.isTemporary
        return isRefused ? false : AFTER_FAILURE_MS
      }
      return data ? untilNextLook(data.takenMs, Date.now() + data.offsetMs) : false
    },
  })
}
