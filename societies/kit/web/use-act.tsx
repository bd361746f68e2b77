import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { assessmentUrl } from '../../../platform/urls.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { type Act, extentOf } from '../roles.ts'
import { useAssessment, useProof, useSociety } from './console/console.tsx'
import { SOCIETIES_KEY } from './console/queries.ts'
import { sentenceOf } from './loaded.tsx'
import { createResender } from './resend.ts'

export interface Place {
  society: string
  code: string
}

/** Returns the page's society and assessment as request parameters. */
export function usePlace(): Place {
  const { society } = useSociety()
  const { code } = useAssessment()
  return { society: society.id, code }
}

/** Returns a function that builds URLs of this test's pages: urlOf('candidates/slips'), '' for its overview. */
export function useUrlOf(): (page?: string) => string {
  const { society, code } = usePlace()
  return (page) => assessmentUrl(society, code, page)
}

/** Returns the member's permission for an action here: 'all', or its limits. */
export function useExtent(act: Act) {
  const { society } = useSociety()
  return extentOf(society.roles, act)
}

export const useMayAll = (act: Act): boolean => useExtent(act) === 'all'

/**
 * Runs an action. It prompts for re-authentication if the server asks for it, and refetches all displayed data
 * afterward. It also refetches after a rejection, because the data may be outdated.
 * @param act receives a request id that stays the same until success or reset
 * @param failed receives a rejection's message, for an action whose dialog may be closed
 * @param inputOf picks what the person typed and chose. A retry with the same input then sends exactly the first request
 */
export function useAct<Given = undefined, Done = unknown>(
  act: (given: Given, requestId: string) => Promise<Done>,
  then?: (done: Done, given: Given, requestId: string) => unknown,
  failed?: (problem: string, error: Error, given: Given) => void,
  inputOf?: (given: Given) => unknown,
) {
  const withProof = useProof()
  const client = useQueryClient()
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const [resender] = useState(() => createResender<Done>())
  const mutation = useMutation({
    mutationFn: (given: Given) => {
      const request = () => act(given, requestId)
      return withProof(() =>
        inputOf ? resender.send(JSON.stringify(inputOf(given)), request) : request(),
      )
    },
    onSuccess: async (done, given) => {
      await then?.(done, given, requestId)
      setRequestId(crypto.randomUUID())
    },
    onError: (error, given) => failed?.(sentenceOf(error), error, given),
    onSettled: (_, error) => {
      const reading = client.invalidateQueries({ queryKey: SOCIETIES_KEY })
      // Only a conflict that asks for a reload waits for the fresh data.
      return error instanceof ApiFailure && error.status === 409 ? reading : undefined
    },
  })
  return {
    run: (...[given]: undefined extends Given ? [given?: Given] : [given: Given]) => {
      if (!mutation.isPending) mutation.mutate(given as Given)
    },
    isBusy: mutation.isPending,
    /** The input of the current or last request. */
    given: mutation.variables,
    done: mutation.data,
    problem: mutation.error ? sentenceOf(mutation.error) : null,
    failure: mutation.error,
    reset: () => {
      mutation.reset()
      resender.forget()
      setRequestId(crypto.randomUUID())
    },
  }
}

/** A button that acts without a dialog, with an error message after it. */
export function ActButton(props: {
  act: { run: () => void; isBusy: boolean; problem: string | null }
  /** The label during the request; omitted means it stays the same. */
  busy?: string
  /** If false, the button is pale and does nothing. */
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
