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
  // Another tab may set it up or use it, so each page that shows it reads it again.
  staleTime: 0,
})
