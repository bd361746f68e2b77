import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { type DrillSummary, getDrill, listDrills } from '../../contract/drills.ts'
import { useWaitingDrills } from '../use-outbox.tsx'
import { asDrill } from './as-drill.ts'

/** The drills of a person that the server has, newest first. */
export const drillsQuery = queryOptions({
  queryKey: ['drills'],
  queryFn: ({ signal }) => call(listDrills, {}, { signal }),
})

/** One drill with its answers; it never changes. */
export const drillQuery = (id: string) =>
  queryOptions({
    queryKey: ['drill', id],
    queryFn: ({ signal }) => call(getDrill, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The drills of a person, newest first, those that still wait to be saved among them. */
export function useDrills(userId: string) {
  const saved = useQuery(drillsQuery)
  const waiting = useWaitingDrills(userId)
  const known = new Set(saved.data?.map(({ id }) => id))
  const drills: DrillSummary[] = [
    ...waiting.filter(({ body }) => !known.has(body.id)).map(({ body }) => asDrill(body)),
    ...(saved.data ?? []),
  ].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
  return { drills, isPending: saved.isPending, isError: saved.isError, refetch: saved.refetch }
}

/** One drill, from the server or from what waits for it. */
export function useDrill(userId: string, id: string | undefined) {
  const waiting = useWaitingDrills(userId).find(({ body }) => body.id === id)
  const saved = useQuery({ ...drillQuery(id ?? ''), enabled: id !== undefined && !waiting })
  if (waiting)
    return { drill: asDrill(waiting.body), isPending: false, error: null, refetch: saved.refetch }
  return {
    drill: saved.data,
    isPending: id !== undefined && saved.isPending,
    error: saved.error,
    refetch: saved.refetch,
  }
}
