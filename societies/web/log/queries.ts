import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { readSocietyLog } from '../../contract/log.ts'
import { societyKey } from '../console/queries.ts'

export type LogPart = ResponseOf<typeof readSocietyLog>
export type LogEntry = LogPart['entries'][number]

/** What is left in: a test, a name, a kind of act, a candidate. */
export interface LogFilters {
  assessment?: string
  actor?: string
  action?: string
  about?: string
}

/** The log, newest first, a page at a time. */
export const logQuery = (society: string, filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: [...societyKey(society), 'log', filters] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam === null ? {} : { before: String(pageParam) }) }
      return call(readSocietyLog, { params: { society }, query }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last: LogPart) => (last.hasOlder ? (last.entries.at(-1)?.id ?? null) : null),
    placeholderData: keepPreviousData,
    // What was just done on another page shows at once.
    staleTime: 0,
  })
