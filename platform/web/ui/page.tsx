import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

/** The default description from app/web/index.html. */
const descriptionTag = () => document.querySelector('meta[name="description"]')
let standard: string | null | undefined

/** Sets the document's title and description. Every screen calls it once. */
export function useTitle(title: string, description?: string): void {
  useEffect(() => {
    document.title = `${title} · Superday`
    const tag = descriptionTag()
    standard ??= tag?.getAttribute('content')
    tag?.setAttribute('content', description ?? standard ?? '')
  }, [title, description])
}

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

/** The top of a text page: a large title and an introduction. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header>
      <h1 className="text-[clamp(38px,4.8vw,60px)]">{title}</h1>
      {children && (
        <p className="running mt-5 max-w-[36em] text-[18px] text-ink-2 sm:text-[19px]">
          {children}
        </p>
      )}
    </header>
  )
}

/** A page around a test, without navigation: the society and one thing to read. */
export function StandalonePage({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="border-line border-b">
        {/* No link, so that no candidate leaves a test by accident. */}
        <p className="wrap word flex h-16 items-center">
          Super<span className="text-accent">day</span>
        </p>
      </header>
      <main className="wrap wrap-narrow py-12 sm:py-16">{children}</main>
    </>
  )
}
