import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { getSlips } from '../../contract/slips.ts'
import { queryOfToday } from '../queries.ts'

export const slipsQuery = () => queryOfToday(getSlips, { query: { timeZone: deviceTimeZone() } })

/** A person's slips before a test or sitting: its own answers change nothing, so it is read once. */
export const slipsBeforeQuery = (sessionId: string) => ({
  ...endpointQuery(getSlips, { query: { timeZone: deviceTimeZone(), before: sessionId } }),
  staleTime: 'static' as const,
})
