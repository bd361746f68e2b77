import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Landing } from './landing.tsx'

const root = document.getElementById('root')
const page = (
  <StrictMode>
    <Landing />
  </StrictMode>
)
// The development server doesn't prerender.
if (root?.hasChildNodes()) hydrateRoot(root, page)
else if (root) createRoot(root).render(page)
