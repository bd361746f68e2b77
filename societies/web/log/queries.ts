import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { readAssessmentLog, readSocietyLog } from '../../contract/log.ts'
import { assessmentKey, societyKey } from '../console/queries.ts'

export type LogPart = ResponseOf<typeof readSocietyLog>
export type LogEntry = LogPart['entries'][number]

/** Whose log: of an assessment, or with null of all that the member reaches. */
export interface LogPlace {
  society: string
  code: string | null
}

/** What is left in: a name, a kind of act, a candidate. */
export interface LogFilters {
  actor?: string
  action?: string
  about?: string
}

/** The log, newest first, a page at a time. */
export const logQuery = ({ society, code }: LogPlace, filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: [
      ...(code === null ? societyKey(society) : assessmentKey(society, code)),
      'log',
      filters,
    ] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam === null ? {} : { before: String(pageParam) }) }
      return code === null
        ? call(readSocietyLog, { params: { society }, query }, { signal })
        : call(readAssessmentLog, { params: { society, code }, query }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last: LogPart) =>
      last.hasOlder ? (last.entries.at(-1)?.number ?? null) : null,
    placeholderData: keepPreviousData,
  })
