import { queryOptions } from '@tanstack/react-query'
import { localDay } from '../../../platform/local-day.ts'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { getSlips } from '../../contract/slips.ts'

export const slipsQuery = () => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['practice', 'slips', timeZone, localDay(Date.now(), timeZone)],
    queryFn: ({ signal }) => call(getSlips, { query: { timeZone } }, { signal }),
  })
}

/** A person's slips before a test or sitting: its own answers change nothing, so it is read once. */
export const slipsBeforeQuery = (sessionId: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['slips-before', sessionId, timeZone],
    queryFn: ({ signal }) => call(getSlips, { query: { timeZone, before: sessionId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
