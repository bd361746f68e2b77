import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/skeleton.tsx'

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'Something went wrong. Please try again.'

/** Whether asking again can't help: the server said no. */
const isRefused = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && !error.isTemporary

/**
 * What is shown of a read: a spinner, the data, or why there are none. Data that were read before stay while a later
 * read fails.
 * @param props.name 'results': "The results could not be loaded"
 * @param props.refused in place of the error's message, where the server said no; nothing: the message
 * @param props.isPart a part of a page or dialog, not a page of its own
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
