import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { getProfile, getSecondFactor } from '../contract.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(getProfile, {}, { signal }),
})

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => call(getSecondFactor, {}, { signal }),
  // Set up, or shown, in another tab: asked anew by whoever looks.
  staleTime: 0,
})
