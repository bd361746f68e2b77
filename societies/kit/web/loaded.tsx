import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/skeleton.tsx'

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'Something went wrong. Please try again.'

/** Whether the server rejected the request, so that retrying can't help. */
const isRefused = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && !error.isTemporary

/**
 * Shows a query's state: a spinner, the data, or an error. Earlier data stay visible if a later fetch fails.
 * @param props.name 'results' gives "The results could not be loaded"
 * @param props.refused replaces the error's message if the server rejected the request
 * @param props.isPart whether it's part of a page or dialog instead of a whole page
 */
export function Loaded<Data>(props: {
  of: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'isFetching' | 'refetch' | 'error'>
  name: string
  refused?: (failure: ApiFailure) => ReactNode
  isPart?: boolean
  children: (data: Data) => ReactNode
}) {
  const { of, refused } = props
  if (of.data !== undefined) return props.children(of.data)
  if (!of.isError) return props.isPart ? <p role="status">Loading…</p> : <Spinner />
  const page = isRefused(of.error) && refused?.(of.error)
  if (page) return page
  const tryAgain = <TryAgain onClick={() => void of.refetch()} isBusy={of.isFetching} />
  if (props.isPart) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p className="amber">{sentenceOf(of.error)}</p>
        {tryAgain}
      </div>
    )
  }
  return (
    <Message isError title={`The ${props.name} could not be loaded`} actions={tryAgain}>
      {sentenceOf(of.error)}
    </Message>
  )
}
