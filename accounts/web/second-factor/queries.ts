import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getSecondFactor } from '../../contract.ts'

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call(getSecondFactor, {}, { signal }),
  // Set up, or shown, in another tab: asked anew by whoever looks.
  staleTime: 0,
})
