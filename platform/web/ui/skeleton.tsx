import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { OPTION_LETTERS } from '../../options.ts'

/** A gray placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`skeleton block ${className}`} />
}

/** Tells screen readers once that something is loading. Goes next to skeletons. */
export function LoadingNote({ children = 'Loading' }: { children?: string }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  )
}

export function CellSkeleton({ heading, note }: { heading: ReactNode; note: string }) {
  return (
    <div className="front-text">
      {heading}
      <LoadingNote>{note}</LoadingNote>
      <p className="serif">
        <Skeleton className="h-[1.2em] w-40" />
      </p>
      <p className="front-about">
        <Skeleton className="h-[1.55em] w-56 max-w-full" />
      </p>
      <div className="front-action">
        <Skeleton className="h-11 w-[92px] rounded-md" />
      </div>
    </div>
  )
}

export function QuestionSkeleton() {
  return (
    <>
      <Skeleton className="h-3 w-28" />
      <Skeleton className="mt-4 h-8 w-full" />
      <Skeleton className="mt-3 h-8 w-2/3" />
      <div className="mt-9 grid gap-3">
        {OPTION_LETTERS.map((letter) => (
          <Skeleton key={letter} className="h-[56px] w-full" />
        ))}
      </div>
    </>
  )
}

/** The spinner while the authentication state loads (product 1.5.2). */
export function Spinner() {
  return (
    <div className="grid min-h-[60vh] place-items-center" role="status">
      <span className="size-8 animate-spin rounded-full border-2 border-line border-t-accent" />
      <span className="sr-only">Loading</span>
    </div>
  )
}

/** Redirects and shows a spinner in the meantime. @param state the other screen's location state */
export function Redirect({ to, state }: { to: string; state?: string }) {
  return (
    <>
      <Navigate to={to} state={state} replace />
      <Spinner />
    </>
  )
}
