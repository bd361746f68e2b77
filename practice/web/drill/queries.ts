import { useQuery } from '@tanstack/react-query'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import {
  type Drill,
  type DrillSummary,
  getDrill,
  listDrills,
  type saveDrill,
} from '../../contract/drills.ts'
import { sumsAnswered } from '../../drill/generator.ts'
import { getPreset } from '../../drill/presets.ts'
import { markDrill } from '../../drill/report.ts'
import { useWaitingDrills } from '../use-outbox.tsx'

export const drillsQuery = endpointQuery(listDrills, {})

export const drillQuery = (id: string) => ({
  ...endpointQuery(getDrill, { params: { id } }),
  staleTime: 'static' as const,
})

/** Returns a person's drills, newest first, including unsaved ones. */
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

export function useDrill(userId: string, id: string | undefined) {
  const waiting = useWaitingDrills(userId).find(({ body }) => body.id === id)
  const isAsked = id !== undefined && !waiting
  const saved = useQuery({ ...drillQuery(id ?? ''), enabled: isAsked })
  return {
    drill: waiting ? asDrill(waiting.body) : saved.data,
    isPending: isAsked && saved.isPending,
    error: waiting ? null : saved.error,
    refetch: saved.refetch,
  }
}

/** Calculates the server's response for a finished drill. */
export function asDrill(body: BodyOf<typeof saveDrill>): Drill {
  const preset = getPreset(body.preset)
  const sums = preset && sumsAnswered(preset, body)
  const marks = preset && sums && markDrill(preset, sums, body.answers, body.penalty)
  const { correct = 0, wrong = 0, skipped = 0, score = 0 } = marks ?? {}
  const { penalty: _, timeZone: __, ...drill } = body
  return { ...drill, correct, wrong, skipped, score }
}
