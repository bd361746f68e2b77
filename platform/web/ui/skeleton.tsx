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
