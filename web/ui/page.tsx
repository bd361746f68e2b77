import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

/** Sets the document's title; every screen calls it once. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Superday`
  }, [title])
}

/** A link back, with its arrow. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 text-[15px] text-ink-2 hover:text-ink"
    >
      <ArrowLeft size={16} aria-hidden />
      {children}
    </Link>
  )
}
