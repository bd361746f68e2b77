import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../platform/web/api.ts'
import { useAssessment, useSociety } from './console.tsx'
import { assessmentKey } from './queries.ts'

/** Whose pages these are, as calls want it. */
export interface Place {
  society: string
  code: string
}

/** The society and the assessment whose page this is, as calls want them. */
export function usePlace(): Place {
  const { society } = useSociety()
  const { code } = useAssessment()
  return { society: society.id, code }
}

/** After an act: the list, the counts in the tabs, and whether mails wait are asked for again. */
export const refreshCandidates = (client: QueryClient, { society, code }: Place) =>
  client.invalidateQueries({ queryKey: assessmentKey(society, code) })

/**
 * An act on an assessment: everything that is shown of it is read again afterwards, also after a refusal, which
 * may mean that it is old.
 * @param act with the id of the request, for a call that carries one: made when the dialog opens, and the same
 *   until it has succeeded or was reset, so that a press whose answer got lost can be repeated
 * @param failed is told the sentence of a refusal, for an act whose dialog may be closed
 */
export function useAct<Given, Done>(
  act: (given: Given, requestId: string) => Promise<Done>,
  then?: (done: Done, given: Given, requestId: string) => void,
  failed?: (problem: string) => void,
) {
  const client = useQueryClient()
  const place = usePlace()
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const mutation = useMutation({
    mutationFn: (given: Given) => act(given, requestId),
    onSuccess: (done, given) => {
      then?.(done, given, requestId)
      setRequestId(crypto.randomUUID())
    },
    onError: (error) => failed?.(sentenceOf(error)),
    onSettled: () => refreshCandidates(client, place),
  })
  return {
    run: (given: Given) => {
      if (!mutation.isPending) mutation.mutate(given)
    },
    isBusy: mutation.isPending,
    /** what the last act that succeeded came to */
    done: mutation.data,
    problem: mutation.error ? sentenceOf(mutation.error) : null,
    failure: mutation.error,
    reset: () => {
      mutation.reset()
      setRequestId(crypto.randomUUID())
    },
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'Something went wrong. Please try again.'
