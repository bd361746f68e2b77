import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { getSuperday, listSuperdays } from '../../contract/superday.ts'

export const superdaysQuery = { ...endpointQuery(listSuperdays, {}), staleTime: 0 }

/** One mock superday session. Its parts are done on other screens, so each visit asks the server again. */
export const superdayQuery = (id: string) => ({
  ...endpointQuery(getSuperday, { params: { id } }),
  staleTime: 0,
})
