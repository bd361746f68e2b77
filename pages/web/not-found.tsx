import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { useTitle } from '../../platform/web/ui/page.tsx'

/** Any other path (product 1.5.4). */
export function NotFound() {
  useTitle('Page not found')
  return (
    <main className="wrap wrap-narrow py-16 nav:py-24">
      <p className="eyebrow">Error 404</p>
      <h1 className="mt-3">Oops! Page not found</h1>
      <p className="mt-5 max-w-[52ch] text-ink-2">
        There is nothing at this address. It may be mistyped, or the page may have moved.
      </p>
      <Link to={URLS.landing} className="btn mt-8">
        Back to home
      </Link>
    </main>
  )
}
