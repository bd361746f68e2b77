import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { endpointQuery } from '../../platform/web/use-endpoint.ts'
import { getDaily, getDailyWeek } from '../contract.ts'

/** Milliseconds before asking again a server whose day hasn't started yet. */
const DAY_CHECK_MS = 60_000

/** Today's brainteaser, by the server's day. `today` is the device's day, so that a new day refetches. */
export const todaysDailyQuery = (today: string) =>
  queryOptions<ResponseOf<typeof getDaily>>({
    ...endpointQuery(getDaily, { query: { timeZone: deviceTimeZone() } }, [today]),
    // A device whose clock is ahead gets yesterday's for a while.
    refetchInterval: ({ state }) => (state.data && state.data.date < today ? DAY_CHECK_MS : false),
  })

export const pastDailyQuery = (date: string) =>
  endpointQuery(getDaily, { query: { timeZone: deviceTimeZone(), date } })

/** The results of the last seven days. `today` is the device's local day, so a new day refetches. */
export const dailyWeekQuery = (today: string) =>
  endpointQuery(getDailyWeek, { query: { timeZone: deviceTimeZone() } }, [today])
