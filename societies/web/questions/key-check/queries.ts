import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { call } from '../../../../platform/web/api.ts'
import { compareKeys, getKeyCheck } from '../../../contract/key-check.ts'
import { assessmentKey } from '../../console/queries.ts'

export const keyCheckQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'key-check'],
    queryFn: ({ signal }) => call(getKeyCheck, { params: { society, code } }, { signal }),
    // What one answers is kept on the page: read again in the middle it would jump.
    refetchOnWindowFocus: false,
  })
export type KeyCheckState = ResponseOf<typeof getKeyCheck>
export type Sitting = NonNullable<KeyCheckState['sitting']>

export const comparisonQuery = (society: string, code: string) =>
  queryOptions({
    queryKey: [...assessmentKey(society, code), 'key-check', 'comparison'],
    queryFn: ({ signal }) => call(compareKeys, { params: { society, code } }, { signal }),
  })
export type ComparedQuestion = ResponseOf<typeof compareKeys>['questions'][number]
