import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../platform/web/api.ts'
import { getSessions, listSimilarityChecks, previewShift } from '../../contract/sessions.ts'
import { assessmentKey } from '../console/queries.ts'
import { type Place, usePlace } from '../console/use-act.ts'

const sessionsKey = ({ society, code }: Place) => [...assessmentKey(society, code), 'sessions']

export const sessionsQuery = (place: Place) =>
  queryOptions({
    queryKey: sessionsKey(place),
    queryFn: ({ signal }) => call(getSessions, { params: { ...place } }, { signal }),
    // Computed from closed attempts and rulings: it does not move by itself.
    staleTime: 60_000,
  })

export const shiftPreviewQuery = (place: Place, comparison: string) =>
  queryOptions({
    queryKey: [...sessionsKey(place), 'preview', comparison],
    queryFn: ({ signal }) =>
      call(previewShift, { params: { ...place }, query: { comparison } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export const similarityQuery = (place: Place) =>
  queryOptions({
    queryKey: [...assessmentKey(place.society, place.code), 'similarity'],
    queryFn: ({ signal }) => call(listSimilarityChecks, { params: { ...place } }, { signal }),
    staleTime: 60_000,
  })

/** An act of these pages: what is shown is read again, also after a refusal, which may mean that it is old. */
export function useSessionsAct<Given, Done>(
  act: (given: Given) => Promise<Done>,
  then?: (done: Done) => void,
) {
  const client = useQueryClient()
  const { society, code } = usePlace()
  return useMutation({
    mutationFn: act,
    onSuccess: (done) => then?.(done),
    onSettled: () => client.invalidateQueries({ queryKey: assessmentKey(society, code) }),
  })
}
