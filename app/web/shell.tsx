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
      {/* As high as the window: the foot is below it, whether data is there yet or a page turns out short. */}
      <div
        id="content"
        tabIndex={-1}
        className="min-h-[calc(100dvh-65px)] flex-1 outline-none print:min-h-0"
      >
        <Outlet />
      </div>
      <Footer />
    </div>
  )
}
