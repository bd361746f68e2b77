import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { getSuperday, listSuperdays } from '../../contract/superday.ts'

export const superdaysQuery = { ...endpointQuery(listSuperdays, {}), staleTime: 0 }

/** One evening. Its parts are done on other screens: each look asks anew. */
export const superdayQuery = (id: string) => ({
  ...endpointQuery(getSuperday, { params: { id } }),
  staleTime: 0,
})
