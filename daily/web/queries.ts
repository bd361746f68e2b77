import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/web/api.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { getDaily, getDailyWeek } from '../contract.ts'

/** Milliseconds before asking again a server whose day hasn't started yet. */
const DAY_CHECK_MS = 60_000

/** Today's brainteaser, by the server's day. `today` is the device's day, so that a new day refetches. */
export const todaysDailyQuery = (today: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['daily', timeZone, 'today', today],
    queryFn: ({ signal }) => call(getDaily, { query: { timeZone } }, { signal }),
    // A device whose clock is ahead gets yesterday's for a while.
    refetchInterval: ({ state }) => (state.data && state.data.date < today ? DAY_CHECK_MS : false),
  })
}

export const pastDailyQuery = (date: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['daily', timeZone, date],
    queryFn: ({ signal }) => call(getDaily, { query: { timeZone, date } }, { signal }),
  })
}

/** The results of the last seven days. `today` is the device's local day, so a new day refetches. */
export const dailyWeekQuery = (today: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['daily', timeZone, 'week', today],
    queryFn: ({ signal }) => call(getDailyWeek, { query: { timeZone } }, { signal }),
  })
}
