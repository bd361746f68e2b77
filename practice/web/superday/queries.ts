import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getSuperday, listSuperdays } from '../../contract/superday.ts'

export const superdaysQuery = queryOptions({
  queryKey: ['superdays', 'list'],
  queryFn: ({ signal }) => call(listSuperdays, {}, { signal }),
  staleTime: 0,
})

/** One evening. Its parts are done on other screens: each look asks anew. */
export const superdayQuery = (id: string) =>
  queryOptions({
    queryKey: ['superdays', id],
    queryFn: ({ signal }) => call(getSuperday, { params: { id } }, { signal }),
    staleTime: 0,
  })
