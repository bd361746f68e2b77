import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getResults, listNames } from '../../contract/results.ts'
import { assessmentKey } from '../console/queries.ts'

interface Place {
  society: string
  code: string
}

export const resultsKey = ({ society, code }: Place) =>
  [...assessmentKey(society, code), 'results'] as const

/** How often it is asked whether the last one is out. */
const LOOK_MS = 10_000

export const resultsQuery = (place: Place) =>
  queryOptions({
    queryKey: resultsKey(place),
    queryFn: ({ signal }) => call(getResults, { params: place }, { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'over' ? LOOK_MS : false),
  })
export type Results = Awaited<ReturnType<NonNullable<ReturnType<typeof resultsQuery>['queryFn']>>>

export const namesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...resultsKey(place), 'names'],
    queryFn: ({ signal }) => call(listNames, { params: place }, { signal }),
  })
