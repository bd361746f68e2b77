import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { readSeasons } from '../../contract/seasons.ts'
import { societyKey } from '../console/queries.ts'

export type SeasonsFound = ResponseOf<typeof readSeasons>
export type Season = SeasonsFound['seasons'][number]
export type KeptAssessment = Season['assessments'][number]

/** The seasons, and until when each assessment is kept. */
export const seasonsQuery = (society: string) =>
  queryOptions({
    queryKey: [...societyKey(society), 'seasons'] as const,
    queryFn: ({ signal }) => call(readSeasons, { params: { society } }, { signal }),
  })
