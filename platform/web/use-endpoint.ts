import { queryOptions, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { CallInput, Endpoint, ResponseOf } from '../endpoint.ts'
import { call, pathOf } from './api.ts'

/** A read's query key: the path's parts, then query and body. A path therefore matches everything below it. */
export function endpointKey<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const { params, query, body } = input as {
    params?: Record<string, string>
    query?: Record<string, unknown>
    body?: unknown
  }
  const rest = {
    ...(query && Object.keys(query).length > 0 && { query }),
    ...(body ? { body } : {}),
  }
  const path = pathOf(endpoint, params).split('/').slice(1)
  return Object.keys(rest).length > 0 ? [...path, rest] : path
}

/** A read as a TanStack query, for code outside components. `also` ends its key, so that another value reads again. */
export const endpointQuery = <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  also: readonly unknown[] = [],
) =>
  queryOptions<ResponseOf<E>>({
    queryKey: [...endpointKey(endpoint, input), ...also],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn' | 'refetchInterval'> & {
  also?: readonly unknown[]
  /** polling interval in milliseconds while the page is visible; default: none */
  every?: number | false | ((data: Data | undefined) => number | false)
}

/** Reads an endpoint, and reads it again after every action that invalidates it. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { every = false, also = [], ...options }: Options<ResponseOf<E>> = {},
) {
  return useQuery<ResponseOf<E>>({
    ...endpointQuery(endpoint, input, also),
    refetchInterval: typeof every === 'function' ? ({ state }) => every(state.data) : every,
    ...options,
  })
}
