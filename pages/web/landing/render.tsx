import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { Landing } from './landing.tsx'

/** The landing page's markup, as wake-up.tsx takes it over; called by pages/build/vite-pages.ts. */
export function renderLanding(): string {
  return renderToString(
    <StrictMode>
      <Landing />
    </StrictMode>,
  )
}
