import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
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

/** An act on the list: refreshes it afterwards, also after a refusal, which may mean that it is old. */
export function useAct<Given, Done>(
  act: (given: Given) => Promise<Done>,
  then?: (done: Done, given: Given) => void,
) {
  const client = useQueryClient()
  const place = usePlace()
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: (done, given) => then?.(done, given),
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
    reset: mutation.reset,
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'Something went wrong. Please try again.'
