import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import * as contract from '../../contract/analysis.ts'
import { assessmentKey } from '../console/queries.ts'
import type { Place } from '../console/use-act.ts'

export type Analysis = ResponseOf<typeof contract.getAnalysis>
export type RulingPreview = ResponseOf<typeof contract.getRulingPreview>
export type Form = 'A' | 'B'

const analysisKey = ({ society, code }: Place) => [...assessmentKey(society, code), 'analysis']

export const analysisQuery = (place: Place, form: Form | null) =>
  queryOptions({
    queryKey: [...analysisKey(place), 'figures', form],
    queryFn: ({ signal }) =>
      call(contract.getAnalysis, { params: { ...place }, query: form ? { form } : {} }, { signal }),
  })

export const rulingQuery = (place: Place, item: string) =>
  queryOptions({
    queryKey: [...analysisKey(place), 'ruling', item],
    queryFn: ({ signal }) =>
      call(contract.getRulingPreview, { params: { ...place, item } }, { signal }),
    // Computed by everybody's answers: at each visit anew.
    staleTime: 0,
    gcTime: 0,
  })
