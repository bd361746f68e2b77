import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getComparable } from '../../contract/compare.ts'
import { getCandidateFile, listIncidents } from '../../contract/incidents.ts'
import { assessmentKey } from '../console/queries.ts'

interface Place {
  society: string
  code: string
}

/** How often the pages look again while somebody writes, milliseconds. */
export const LOOK_MS = 10_000

const keyOf = ({ society, code }: Place) => [...assessmentKey(society, code), 'incidents'] as const

/** What happened to all candidates. */
export const incidentsQuery = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place),
    queryFn: ({ signal }) => call(listIncidents, { params: place }, { signal }),
  })

export type IncidentList = Awaited<
  ReturnType<NonNullable<ReturnType<typeof incidentsQuery>['queryFn']>>
>
export type ListedCandidate = IncidentList['candidates'][number]

/** Whether the answers of two candidates can be compared. */
export const comparableQuery = (place: Place) =>
  queryOptions({
    queryKey: [...keyOf(place), 'compare'] as const,
    queryFn: ({ signal }) => call(getComparable, { params: place }, { signal }),
  })

/** One candidate on a page. @param live opened from Live, where the name is shown */
export const fileQuery = (place: Place, candidate: string, live: boolean) =>
  queryOptions({
    queryKey: [...keyOf(place), candidate, live] as const,
    queryFn: ({ signal }) =>
      call(
        getCandidateFile,
        { params: { ...place, candidate }, query: live ? { live: '1' } : {} },
        { signal },
      ),
  })
