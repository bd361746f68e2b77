import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { usePlace } from '../../kit/web/use-act.tsx'
import { type LiveView, untilNextLook, watchLive } from '../contract.ts'

export const useIsSimulation = () => useSearchParams()[0].has('simulation')

export interface LiveState extends LiveView {
  tag: string
  /** by the server's clock */
  takenMs: number
  /** how far the server's clock is ahead of the device's */
  offsetMs: number
}

const AFTER_FAILURE_MS = 5_000
/** A snapshot is at most two seconds old. If the offset changes by more than this, a clock was changed. */
const CLOCK_WAS_SET_MS = 5_000

/** The largest offset is the most accurate, because each snapshot arrives some time after it was taken. */
function offsetOf(before: LiveState | undefined, offsetMs: number): number {
  if (!before || Math.abs(offsetMs - before.offsetMs) > CLOCK_WAS_SET_MS) return offsetMs
  return Math.max(offsetMs, before.offsetMs)
}

/** Polls a test while the page is visible. Unchanged rows keep their object identity. */
export function useLive() {
  const client = useQueryClient()
  const params = usePlace()
  const simulation = useIsSimulation() ? { simulation: '1' as const } : {}
  const queryKey = endpointKey(watchLive, { params, query: simulation })
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LiveState> => {
      const before = client.getQueryData<LiveState>(queryKey)
      const query = { ...simulation, ...(before && { have: before.tag }) }
      const { tag, takenMs, snapshot } = await call(watchLive, { params, query }, { signal })
      // Another node's snapshot may be a second older than the one on the page.
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
