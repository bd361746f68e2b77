import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { type Act, extentOf } from '../roles.ts'
import { useAssessment, useProof, useSociety } from './console/console.tsx'
import { SOCIETIES_KEY } from './console/queries.ts'
import { sentenceOf } from './loaded.tsx'

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

/** Makes the address of a page of this test: urlOf('candidates/slips'), '' for its overview. */
export function useUrlOf(): (page?: string) => string {
  const { society, code } = usePlace()
  return (page) => assessmentUrl(society, code, page)
}

/** How far one may do something here: 'all', or the limits to which one's roles keep. */
export function useExtent(act: Act) {
  const { society } = useSociety()
  return extentOf(society.roles, act)
}

export const useMayAll = (act: Act): boolean => useExtent(act) === 'all'

/**
 * An act: where the server wants a proof of who it is, it is asked for; and everything that is shown is read again
 * afterwards, also after a refusal, which may mean that it is old.
 * @param act with the id of the request, for a call that carries one: the same until it has succeeded or was reset,
 *   so that a press whose answer got lost can be repeated
 * @param failed is told the sentence of a refusal, for an act whose dialog may be closed
 */
export function useAct<Given = undefined, Done = unknown>(
  act: (given: Given, requestId: string) => Promise<Done>,
  then?: (done: Done, given: Given, requestId: string) => unknown,
  failed?: (problem: string, error: Error, given: Given) => void,
) {
  const withProof = useProof()
  const client = useQueryClient()
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const mutation = useMutation({
    mutationFn: (given: Given) => withProof(() => act(given, requestId)),
    onSuccess: async (done, given) => {
      await then?.(done, given, requestId)
      setRequestId(crypto.randomUUID())
    },
    onError: (error, given) => failed?.(sentenceOf(error), error, given),
    onSettled: (_, error) => {
      const reading = client.invalidateQueries({ queryKey: SOCIETIES_KEY })
      // Only who is told to reload waits for what is there now.
      return error instanceof ApiFailure && error.status === 409 ? reading : undefined
    },
  })
  return {
    run: (...[given]: undefined extends Given ? [given?: Given] : [given: Given]) => {
      if (!mutation.isPending) mutation.mutate(given as Given)
    },
    isBusy: mutation.isPending,
    /** what it works on, or worked on last */
    given: mutation.variables,
    done: mutation.data,
    problem: mutation.error ? sentenceOf(mutation.error) : null,
    failure: mutation.error,
    reset: () => {
      mutation.reset()
      setRequestId(crypto.randomUUID())
    },
  }
}

/** A button that does something at once, and behind it what was refused. */
export function ActButton(props: {
  act: { run: () => void; isBusy: boolean; problem: string | null }
  /** what it says while it works; left out: the same */
  busy?: string
  /** false: it is pale, and does nothing */
  can?: boolean
  label?: string
  className?: string
  children: ReactNode
}) {
  const { act, can = true } = props
  return (
    <>
      <button
        type="button"
        className={props.className ?? 'btn btn-ghost'}
        aria-label={props.label}
        aria-disabled={!can || act.isBusy}
        onClick={() => can && act.run()}
      >
        {act.isBusy ? (props.busy ?? props.children) : props.children}
      </button>
      <Problem text={act.problem} />
    </>
  )
}

export const Problem = ({ text }: { text: string | null | undefined }) =>
  text ? (
    <span role="alert" className="amber basis-full text-[13px]">
      {text}
    </span>
  ) : null
