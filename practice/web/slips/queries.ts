import { queryOptions } from '@tanstack/react-query'
import { localDay } from '../../../platform/local-day.ts'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { getSlips } from '../../contract/slips.ts'

/** The person's slips as of this day. */
export const slipsQuery = () => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['practice', 'slips', timeZone, localDay(Date.now(), timeZone)],
    queryFn: ({ signal }) => call(getSlips, { query: { timeZone } }, { signal }),
  })
}

/**
 * The same as it was before a test or a sitting. Its own answers change nothing of it, so it is read once:
 * what is said of an answer stays while the page does.
 * @param sessionId the attempt's or the session's
 */
export const slipsBeforeQuery = (sessionId: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['slips-before', sessionId, timeZone],
    queryFn: ({ signal }) => call(getSlips, { query: { timeZone, before: sessionId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
