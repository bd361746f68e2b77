import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Landing } from './landing.tsx'

/** The landing page's markup, which wake-up.tsx hydrates. pages/build/vite-pages.ts calls this. */
export function renderLanding(): string {
  return renderToString(
    <StrictMode>
      <Landing />
    </StrictMode>,
  )
}
