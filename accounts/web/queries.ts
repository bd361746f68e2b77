import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { getProfile } from '../contract.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(getProfile, {}, { signal }),
})
