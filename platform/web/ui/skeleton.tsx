import { Navigate } from 'react-router'

/** The grey shape of something that loads; give it the size of what comes. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`skeleton block ${className}`} />
}

/** Says once, to screen readers, that something loads; stands beside skeletons. */
export function LoadingNote({ children = 'Loading' }: { children?: string }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  )
}

/** The spinner while the authentication state loads (product 1.5.2). */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="grid min-h-[60vh] place-items-center" role="status">
      <span className="size-8 animate-spin rounded-full border-2 border-line border-t-accent" />
      <span className="sr-only">{label}</span>
    </div>
  )
}

/** Leads elsewhere, with a spinner meanwhile. @param state the other screen's location state */
export function Redirect({ to, state }: { to: string; state?: string }) {
  return (
    <>
      <Navigate to={to} state={state} replace />
      <Spinner />
    </>
  )
}
