import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { listAssessments } from '../contract.ts'

/** The societies' open processes. */
export const assessmentsQuery = queryOptions({
  queryKey: ['assessments'],
  queryFn: async ({ signal }) => {
    const listed = await call(listAssessments, {}, { signal })
    const nowMs = performance.now()
    return listed.map(({ closesInMs, ...process }) => ({
      ...process,
      /** last moment to start, on the page's monotonic clock: the device's own may be wrong */
      closesAtMs: closesInMs === null ? null : nowMs + closesInMs,
    }))
  },
})
/** One session of a society, as the server lists it. */
export type Process = Awaited<ReturnType<NonNullable<typeof assessmentsQuery.queryFn>>>[number]
