import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { call } from '../../platform/web/api.ts'
import { listAssessments } from '../contract.ts'

/** The societies' open processes. */
export const assessmentsQuery = queryOptions({
  queryKey: ['assessments'],
  queryFn: ({ signal }) => call(listAssessments, {}, { signal }),
})
/** One session of a society, as the server lists it. */
export type Process = ResponseOf<typeof listAssessments>[number]
