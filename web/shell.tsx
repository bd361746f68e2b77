import { Outlet } from 'react-router'
import { Footer } from './footer.tsx'
import { Navigation } from './navigation.tsx'

/** Navigation, screen, footer. Each screen brings its own <main>. */
export function Shell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="btn sr-only z-50 print:hidden focus:not-sr-only focus:absolute focus:top-2.5 focus:left-2.5 focus:px-5"
      >
        Skip to content
      </a>
      <Navigation />
      <div id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </div>
      <Footer />
    </div>
  )
}
