import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { getContact } from '../contract.ts'

export const contactQuery = queryOptions({
  queryKey: ['contact'],
  queryFn: ({ signal }) => call(getContact, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
