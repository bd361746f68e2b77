import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { buildTest, getMastery } from '../../contract/build.ts'
import { queryOfToday } from '../queries.ts'
import type { Choice } from './built-test.ts'

function queryOf({ topics, levels, size, slip, ids }: Choice) {
  const timeZone = deviceTimeZone()
  if (ids.length > 0) return { ids: ids.join(), timeZone }
  return {
    ...(topics.length > 0 && { topics: topics.join() }),
    ...(levels.length > 0 && { levels: levels.join() }),
    ...(slip && { slip }),
    n: String(size),
    timeZone,
  }
}

/** The questions of a built test. They must not change while a person is answering. */
export const builtTestQuery = (choice: Choice) =>
  queryOptions({
    ...endpointQuery(buildTest, { query: queryOf(choice) }),
    // Chosen once, they stay; before that each asking is another test.
    staleTime: choice.ids.length > 0 ? Number.POSITIVE_INFINITY : 0,
    gcTime: choice.ids.length > 0 ? 300_000 : 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.data === undefined,
  })

export const fittingQuery = (choice: Choice) => {
  const query = queryOf({ ...choice, size: 1, ids: [] })
  return queryOptions({
    queryKey: ['api', 'practice', 'fitting', query],
    queryFn: async ({ signal }) => (await call(buildTest, { query }, { signal })).found,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })
}

export const masteryQuery = () =>
  queryOfToday(getMastery, { query: { timeZone: deviceTimeZone() } })
