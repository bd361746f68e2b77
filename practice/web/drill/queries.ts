import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import {
  type Drill,
  type DrillSummary,
  getDrill,
  listDrills,
  type saveDrill,
} from '../../contract/drills.ts'
import { sumsAnswered } from '../../drill/generator.ts'
import { markDrill } from '../../drill/marking.ts'
import { getPreset } from '../../drill/presets.ts'
import { useWaitingDrills } from '../use-outbox.tsx'

export const drillsQuery = queryOptions({
  queryKey: ['drills'],
  queryFn: ({ signal }) => call(listDrills, {}, { signal }),
})

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

/** What the server will say of a finished drill, reckoned here as it reckons there. */
export function asDrill(body: BodyOf<typeof saveDrill>): Drill {
  const preset = getPreset(body.preset)
  const sums = preset && sumsAnswered(preset, body)
  const marks = preset && sums && markDrill(preset, sums, body.answers, body.penalty)
  return {
    id: body.id,
    preset: body.preset,
    startedAt: body.startedAt,
    tookMs: body.tookMs,
    correct: marks?.correct ?? 0,
    wrong: marks?.wrong ?? 0,
    skipped: marks?.skipped ?? 0,
    score: marks?.score ?? 0,
    version: body.version,
    seed: body.seed,
    answers: body.answers,
  }
}
