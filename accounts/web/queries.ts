import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '../../platform/web/use-endpoint.ts'
import { getProfile, getSecondFactor } from '../contract.ts'

export const profileQuery = endpointQuery(getProfile, {})

export const secondFactorQuery = queryOptions({
  ...endpointQuery(getSecondFactor, {}),
  // Another tab may set it up or use it, so each page that shows it reads it again.
  staleTime: 0,
})
