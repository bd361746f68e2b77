import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Message, TryAgain } from './message.tsx'

/** Says that something couldn't be loaded, with buttons to retry or go elsewhere. */
export function NotLoaded(props: {
  title: string
  /** what failed; null if a retry is useless */
  query: { refetch: () => unknown; isFetching: boolean } | null
  wayOut?: { to: string; name: string }
  children?: ReactNode
}) {
  const { query, wayOut } = props
  return (
    <Message
      title={props.title}
      isError
      actions={
        <>
          {query && <TryAgain onClick={() => void query.refetch()} isBusy={query.isFetching} />}
          {wayOut && (
            <Link to={wayOut.to} className={query ? 'btn btn-ghost' : 'btn'}>
              {wayOut.name}
            </Link>
          )}
        </>
      }
    >
      {props.children}
    </Message>
  )
}
