import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { ConnectionNotice } from './connection-notice.tsx'
import { queryClient } from './queries.ts'
import { router } from './routes.tsx'
import { SessionProvider } from './session.tsx'
import { Toasts } from './ui/toast.tsx'
import { OutboxRunner } from './use-outbox.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
          <OutboxRunner />
          <ConnectionNotice />
          <Toasts />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
